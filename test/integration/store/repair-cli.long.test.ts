import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepairReport, StoreState } from '../../../src/contract/store.ts';
import { recordsPageBytes } from '../../../src/main/engine/store/record/open-records.ts';
import { createOutput } from '../../../src/main/shells/cli/output.ts';
import { parseCommand } from '../../../src/main/shells/cli/parse-command.ts';
import { runCommand as runParsed } from '../../../src/main/shells/cli/run-command.ts';
import type { Session } from '../../../src/main/shells/cli/session.ts';
import { UsageError } from '../../../src/main/shells/cli/usage.ts';
import { runCommand } from '../../support/cli-run.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';

let bench: Bench;
let profile: string;
let filePath: string;
let claims: number;
let workspaceId: string;
beforeAll(async () => {
  bench = await openBench('--members', '30', '--claims', '200', '--seed', '5');
  profile = await bench.newProfile();
  const session = await bench.open(profile);
  await bench.sync(session);
  workspaceId = (await session.findWorkspace()).id;
  filePath = join(profile, 'workspaces', workspaceId, 'records.db');
  claims = (await session.call('records:getSummary', { workspaceId })).claims;
  const [claim] = await bench.readAll(session, 'claims');
  await session.call('reviews:act', {
    workspaceId,
    target: { claimIds: [claim?.id as number] },
    act: { kind: 'note', text: 'Call them on Monday' },
  });
  await session.call('views:save', { workspaceId, name: 'Rejected ones', query: '{"entity":"claims"}' });
  await session.close();
});
afterAll(() => bench.close());

function flip(path: string, ...places: number[]): void {
  const bytes = readFileSync(path);
  for (const at of places) bytes[at] = (bytes[at] ?? 0) ^ 16;
  writeFileSync(path, bytes);
}

async function expectWritten(session: Session): Promise<void> {
  const { events } = await session.call('reviews:listEvents', { workspaceId, offset: 0, limit: 9 });
  expect(events.map(({ fact }) => fact)).toEqual([{ kind: 'note', text: 'Call them on Monday' }]);
  const { views } = await session.call('views:list', { workspaceId });
  expect(views.map(({ name }) => name)).toEqual(['Rejected ones']);
}

test('a broken first page is repaired when the records are opened, and the state says so', async () => {
  flip(filePath, 700);
  const session = await bench.open(profile);
  expect((await session.call('records:getSummary', { workspaceId })).claims).toBe(claims);
  const { records } = await session.call('store:getState', { workspaceId });
  expect(records).toMatchObject({
    isDamaged: false,
    lastRepair: { outcome: 'repaired', lost: [], needsSync: false },
  });
  await expectWritten(session);
  await session.close();
});

test('by commands, damage is found, counted, repaired with consent, and fetched again; what users wrote stays', async () => {
  const whole = join(profile, 'whole.copy');
  copyFileSync(filePath, whole);
  const pages = statSync(filePath).size / recordsPageBytes;
  // Pages all over the file: some hold claims, some their lines, some are of indexes.
  flip(
    filePath,
    ...Array.from(
      { length: 12 },
      (_none, index) => Math.floor((pages * (index + 2)) / 15) * recordsPageBytes + 99,
    ),
  );
  const check = await runCommand(['store', 'check', '--full', '--json'], { profile });
  expect(check.code).toBe(1);
  expect(check.stderr).toContain('store.damaged');
  const state = await runCommand(['store', 'state', '--json'], { profile });
  expect((JSON.parse(state.stdout) as StoreState).records.isDamaged).toBe(true);

  const asked = await runCommand(['store', 'repair', '--json'], { profile });
  const first = JSON.parse(asked.stdout) as RepairReport;
  expect(first.outcome).toBe('needsConsent');
  expect(asked.code).toBe(1);
  expect(first.lost.length).toBeGreaterThan(0);
  const done = await runCommand(['store', 'repair', '--may-lose', '--json'], { profile });
  expect(done.code, done.stderr).toBe(0);
  const report = JSON.parse(done.stdout) as RepairReport;
  expect(report).toMatchObject({ outcome: 'repaired', lost: first.lost, needsSync: true });
  expect(report.keptAside).toMatch(/^records-/);

  const session = await bench.open(profile);
  const left = await session.call('records:getSummary', { workspaceId });
  const lostClaims = report.lost.find(({ what }) => what === 'claims');
  if (lostClaims?.count !== undefined && lostClaims.count !== null)
    expect(left.claims).toBe(claims - lostClaims.count);
  else expect(left.claims).toBeLessThanOrEqual(claims);
  await expectWritten(session);
  const { receipt } = await bench.sync(session);
  expect(receipt).toMatchObject({ proof: 'complete', claims });
  const after = await session.call('store:getState', { workspaceId });
  expect(after.records.keptAside).toHaveLength(1);
  expect(await session.call('store:removeKeptAside', { workspaceId })).toMatchObject({ files: 1 });
  await expectWritten(session);
  expect(await session.call('audit:verify', {})).toMatchObject({ isIntact: true });
  const { entries } = await session.call('audit:list', { offset: 0, limit: 50 });
  expect(entries.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['store.repaired', 'store.asideRemoved']),
  );
  await session.close();
});

test('a removal by commands counts first and requires --yes', async () => {
  const planned = await runCommand(['data', 'remove', '--claims-before', '2024-06-01', '--json'], {
    profile,
  });
  expect(planned.code).toBe(0);
  const counts = JSON.parse(planned.lines[0] ?? '') as { claims: number };
  const removed = await runCommand(['data', 'remove', '--claims-before', '2024-06-01', '--yes', '--json'], {
    profile,
  });
  expect(removed.code, removed.stderr).toBe(0);
  expect(JSON.parse(removed.stdout)).toMatchObject({ event: 'removed', claims: counts.claims });
  const synced = await runCommand(['sync', '--json'], { profile });
  expect(synced.code, synced.stderr).toBe(0);
  expect(synced.stdout).toContain('{"event":"left-out","claimsBefore":"2024-06-01","memberIds":[]}');
});

test.each([
  [['data', 'remove']],
  [['data', 'remove', '--claims-before', 'yesterday', '--yes']],
  [['data', 'remove', '--everything', '--member', '3']],
  [['data', 'remove', '--member', 'x']],
  [['store', 'mend']],
  [['store', 'state', '--full']],
])('%j is wrong usage', async (words) => {
  const command = parseCommand(words);
  await expect(runParsed(command, createOutput({ isJson: true }))).rejects.toThrow(UsageError);
});
