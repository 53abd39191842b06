import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSettingsFile } from '../../../../src/main/workspaces/settings-file.ts';
import { createWorkspaceBook } from '../../../../src/main/workspaces/workspace-book.ts';
import {
  defaultReimbursementRules,
  employerKeyOf,
  type ReimbursementRules,
  rulesOf,
  serviceOf,
} from '../../../../src/rules/money/reimbursement.ts';

const address = 'https://claims.example.com/broker';
const rulesWith = (runOutDays: number): ReimbursementRules => ({ ...defaultReimbursementRules, runOutDays });

/** A profile of its own; `names`: of its workspaces of the same service, whose IDs follow from them. */
async function openProfile(names: readonly string[], baseUrl = address) {
  const profileDir = mkdtempSync(join(tmpdir(), 'claimdesk-services-'));
  onTestFinished(() => rmSync(profileDir, { recursive: true, force: true }));
  const book = createWorkspaceBook({ profileDir, clock: { now: () => Date.UTC(2026, 10, 20) } });
  const ids: string[] = [];
  for (const name of names) ids.push((await book.add({ baseUrl, email: `${name}@example.com`, name })).id);
  const settings = createSettingsFile({ profileDir, listWorkspaces: book.list });
  const path = join(profileDir, 'settings.json');
  return {
    settings,
    ids,
    writeOld: (values: object) => writeFile(path, JSON.stringify(values)),
    readText: () => readFile(path, 'utf8'),
    /** The run-out days of an employer, and the month of its plan year, as each workspace has them. */
    async of(employerId: number) {
      const { reimbursementRules, planYearStarts } = await settings.get();
      return (await book.list()).map((workspace) => [
        rulesOf(reimbursementRules, serviceOf(workspace), employerId).runOutDays,
        planYearStarts[employerKeyOf(serviceOf(workspace), employerId)] ?? null,
      ]);
    },
  };
}

test('rules of one computer mean the same employers on another, whatever its workspaces are called', async () => {
  const here = await openProfile(['north']);
  const there = await openProfile(['east', 'west']);
  const elsewhere = await openProfile(['north'], 'https://claims.example.com/other');
  const key = employerKeyOf(address, 7);
  await here.settings.set({
    reimbursementRules: { [address]: rulesWith(30), [key]: rulesWith(45) },
    planYearStarts: { [key]: 7 },
  });
  for (const other of [there, elsewhere]) {
    const { reimbursementRules, planYearStarts } = await here.settings.get();
    await other.settings.set({ reimbursementRules, planYearStarts });
  }
  expect(await there.of(7)).toEqual([
    [45, 7],
    [45, 7],
  ]);
  expect(await there.of(8)).toEqual([
    [30, null],
    [30, null],
  ]);
  expect(await elsewhere.of(7)).toEqual([[defaultReimbursementRules.runOutDays, null]]);
  const { reimbursementRules } = await there.settings.get();
  await there.settings.set({ reimbursementRules: { ...reimbursementRules, [key]: rulesWith(60) } });
  await here.settings.set({ reimbursementRules: (await there.settings.get()).reimbursementRules });
  expect(await here.of(7)).toEqual([[60, 7]]);
});

test('what version 0.2 stored by workspace is kept, read immediately and written with the next change', async () => {
  const profile = await openProfile(['north']);
  const [id = ''] = profile.ids;
  await profile.writeOld({
    planYearStarts: { [`${id}/7`]: 4 },
    reimbursementRules: { [id]: rulesWith(30), [`${id}/7`]: rulesWith(45) },
  });
  expect(await profile.of(7)).toEqual([[45, 4]]);
  expect(await profile.of(8)).toEqual([[30, null]]);
  await profile.settings.set({ theme: 'dark' });
  expect(await profile.of(7)).toEqual([[45, 4]]);
  expect(await profile.readText()).not.toContain(id);
});

test('for two workspaces of one service with different rules, the first one’s apply, and no rule is dropped for another employer', async () => {
  const profile = await openProfile(['north', 'south']);
  const [north = '', south = ''] = profile.ids;
  await profile.writeOld({
    reimbursementRules: {
      [`${south}/7`]: rulesWith(60),
      [`${south}/8`]: rulesWith(75),
      [`${north}/7`]: rulesWith(45),
      'gone/9': rulesWith(5),
    },
  });
  expect(await profile.of(7)).toEqual([
    [45, null],
    [45, null],
  ]);
  expect(await profile.of(8)).toEqual([
    [75, null],
    [75, null],
  ]);
});

test('an employer is distinguished from a service whose address ends in a number', () => {
  expect(employerKeyOf('https://claims.example.com', 5)).not.toBe(
    employerKeyOf('https://claims.example.com/5', null),
  );
  expect(serviceOf({ baseUrl: 'http://127.0.0.1:4711', isSample: true })).toBe(
    serviceOf({ baseUrl: 'http://127.0.0.1:4712', isSample: true }),
  );
});
