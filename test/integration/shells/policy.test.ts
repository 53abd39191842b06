import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEphemeralStore } from '../../../src/main/keychain/secret-store.ts';
import { acquireWriteLock } from '../../../src/main/lib/write-lock.ts';
import { startBrowserShell } from '../../../src/main/shells/browser/start-browser-shell.ts';
import { openSession } from '../../../src/main/shells/cli/session.ts';
import { givenTempProfile } from '../../support/temp-profile.ts';

const profileDir = givenTempProfile();

async function givenPolicy(text: string): Promise<string> {
  const path = join(profileDir(), 'policy.json');
  await writeFile(path, text);
  return path;
}

test('with a damaged policy neither the browser shell nor a command opens the profile', async () => {
  const policyFile = await givenPolicy('{"allowSsnExport": fals');
  const damaged = { code: 'policy.damaged', details: { path: policyFile } };
  const shell = startBrowserShell({ profileDir: profileDir(), environment: {}, policyFile });
  await expect(shell).rejects.toMatchObject(damaged);
  const session = openSession({ options: {}, writes: true, profileDir: profileDir(), policyFile });
  await expect(session).rejects.toMatchObject(damaged);
  await (await acquireWriteLock(profileDir())).release();
});

test('the engine of a command refuses full SSNs, and an export without a reason, by the policy', async () => {
  const session = await openSession({
    options: {},
    writes: true,
    profileDir: profileDir(),
    secrets: createEphemeralStore(),
    policyFile: await givenPolicy('{"allowSsnExport": false, "requireExportReason": true}'),
  });
  onTestFinished(() => session.close());
  const source = { kind: 'list', query: { entity: 'claims' } } as const;
  const wanted = { workspaceId: 'none', source, format: 'csv', targetId: 'none' } as const;
  const start = (reason: string, isSsnShown: boolean) =>
    session.call('export:start', { ...wanted, reason }, { isSsnShown });
  await expect(start('appeal', true)).rejects.toMatchObject({ code: 'policy.ssnMasked' });
  await expect(start('  ', false)).rejects.toMatchObject({ code: 'policy.reasonNeeded' });
  await expect(start('appeal', false)).rejects.not.toMatchObject({ code: expect.stringMatching(/^policy/) });
  const printed = { workspaceId: 'none', list: 'claims' as const, rows: 1, columns: ['id'] };
  await expect(session.call('export:auditPrinted', printed)).rejects.toMatchObject({
    code: 'policy.reasonNeeded',
  });
  const read = { workspaceId: 'none', snapshotId: 'none', offset: 0, limit: 1, isSsnShown: true };
  await expect((await session.getEngine()).readRecordTexts(read)).rejects.toMatchObject({
    code: 'policy.ssnMasked',
  });
});

test('by the policy, lists of the command line and copied rows need a reason, which is audited', async () => {
  const session = await openSession({
    options: {},
    writes: true,
    profileDir: profileDir(),
    secrets: createEphemeralStore(),
    policyFile: await givenPolicy('{"requireExportReason": true}'),
  });
  onTestFinished(() => session.close());
  const { id: workspaceId } = await session.call('workspaces:add', {
    baseUrl: 'http://127.0.0.1:9',
    email: 'admin@sandbox.example',
  });
  const { snapshotId } = await session.call('records:open', { workspaceId, query: { entity: 'claims' } });
  const engine = await session.getEngine();
  const source = { kind: 'list', query: { entity: 'claims' } } as const;
  const note = (reason?: string, columns?: string[]) =>
    engine.auditListed({
      workspaceId,
      source,
      rows: 1,
      reason,
      ...(columns === undefined ? {} : { columns }),
    });
  const copy = (reason?: string) =>
    session.call('records:copy', { workspaceId, snapshotId, places: [[0, 0]], fields: ['status'], reason });
  for (const reason of [undefined, '', '  ', '.']) {
    await expect(note(reason)).rejects.toMatchObject({ code: 'policy.reasonNeeded' });
    await expect(note(reason, ['status'])).rejects.toMatchObject({ code: 'policy.reasonNeeded' });
    await expect(copy(reason)).rejects.toMatchObject({ code: 'policy.reasonNeeded' });
  }
  await note(' appeal ', ['status', 'network']);
  await copy('appeal');
  const { entries } = await session.call('audit:list', { offset: 0, limit: 50 });
  expect(entries.filter(({ details }) => details.reason === 'appeal').map(({ details }) => details)).toEqual([
    { list: 'claims', rows: 0, columns: 'status', reason: 'appeal' },
    { list: 'claims', rows: 1, columns: 'status network', isSsnShown: false, reason: 'appeal' },
  ]);
});
