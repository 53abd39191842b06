import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExportResult, type ExportSource, purposeOf } from '../../../src/contract/export.ts';
import { letterSettingsSchema, toStoredLetters } from '../../../src/contract/letter-settings.ts';
import { letterEmployerOf } from '../../../src/contract/letters.ts';
import { fromErrorReport } from '../../../src/main/lib/errors.ts';
import { localDayOf } from '../../../src/rules/days.ts';
import type { LetterKind } from '../../../src/rules/letters/letter-kinds.ts';
import type { Condition } from '../../../src/rules/query.ts';
import type { ReviewAct } from '../../../src/rules/review/event-kinds.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

const cause = 'Cosmetic';
let bench: Bench;
let session: Awaited<ReturnType<Bench['open']>>;
let profileDir: string;
let workspaceId: string;
let claimIds: number[];
beforeAll(async () => {
  bench = await openBench('--members', '12', '--claims', '80', '--seed', '49');
  profileDir = await bench.newProfile();
  session = await bench.open(profileDir);
  await bench.sync(session);
  workspaceId = (await session.findWorkspace()).id;
  await session.call('settings:set', { reviewsFrom: { [workspaceId]: '2000-01-01' } });
  const claims = await bench.readAll(session, 'claims');
  claimIds = claims.map(({ id }) => Number(id)).slice(0, 4);
  const settings = letterSettingsSchema.parse({
    contact: 'Call Ana Ruiz at 555-0100.',
    returnAddress: '1 Main Street\nAlbany, NY 12207',
    byCause: { [cause]: { provision: 'Section 4.2.', change: 'A letter of medical necessity.' } },
  });
  for (const id of claimIds) {
    const { claim } = await session.call('records:getClaim', { workspaceId, id });
    const view = toStoredLetters(letterEmployerOf(claim), settings);
    await session.call('views:save', { workspaceId, ...view });
  }
  for (const claimId of claimIds.slice(0, 3)) await act(claimId, waiting);
  await act(claimIds[3] as number, declined);
});
afterAll(async () => {
  await session.close();
  await bench.close();
});

const decided = { kind: 'decision', onWhom: null, reason: null, reminder: null } as const;
const waiting = { ...decided, state: 'waiting', outcome: null, onWhom: 'Member', reason: 'Receipt' } as const;
const declined = { ...decided, state: 'done', outcome: 'notEligible' } as const;
const act = (claimId: number, one: ReviewAct) =>
  session.call('reviews:act', { workspaceId, target: { claimIds: [claimId] }, act: one });
const lettersOf = async (claimId: number) =>
  (await session.call('reviews:get', { workspaceId, claimId })).letters;

const listed = async (condition: Condition) => {
  const { rows } = await session.call('records:readFirst', {
    ...{ workspaceId, limit: 80, fields: ['id'] },
    query: { entity: 'claims', conditions: [condition] },
  });
  return rows.map(({ id }) => id);
};

/** Writes one file of letters about these claims. */
function write(
  path: string,
  ids: readonly number[],
  by = session,
  what: { letter: LetterKind; typed: { note?: string } } = {
    letter: 'documentsNeeded',
    typed: { note: 'A receipt.' },
  },
): Promise<ExportResult> {
  const conditions = [{ field: 'id', operator: 'isOneOf' as const, values: [...ids] }];
  const query = { entity: 'claims' as const, conditions, includesMissing: true };
  return writeFileOf({ kind: 'letters', query, ...what }, 'text', path, by);
}

async function writeFileOf(
  source: ExportSource,
  format: 'text' | 'csv',
  path: string,
  by = session,
): Promise<ExportResult> {
  const engine = await by.getEngine();
  let end: () => void = () => undefined;
  const finished = new Promise<ExportResult>((fulfil, reject) => {
    end = engine.subscribe((event) => {
      if (event.name !== 'export:finished') return;
      const { payload } = event;
      if (payload.result !== null) fulfil(payload.result);
      else reject(payload.error === null ? new Error('no end') : fromErrorReport(payload.error));
    });
  });
  finished.catch(() => undefined);
  await by.call('export:start', {
    ...{ workspaceId, source, format, reason: 'Audit' },
    targetId: await by.addSaveTarget(path, purposeOf[format]),
  });
  return finished.finally(() => end());
}

test('in a list, a letter that lacks a part is left out and reported; alone, it is refused', async () => {
  const [first = 0, second = 0, , decidedId = 0] = claimIds;
  const folder = makeTempFolder();
  const path = join(folder, 'list.txt');
  const done = await write(path, [first, second, decidedId]);
  expect(done).toMatchObject({ rows: 2, files: [{ rows: 2 }] });
  expect(done.leftOut).toEqual([{ claimId: decidedId, missing: 'The claim is decided already.' }]);
  for (const [claimId, count] of [
    [first, 1],
    [second, 1],
    [decidedId, 0],
  ] as const)
    expect(await lettersOf(claimId)).toHaveLength(count);
  const alone = join(folder, 'alone.txt');
  await expect(write(alone, [decidedId])).rejects.toMatchObject({ code: 'letter.incomplete' });
  expect(existsSync(alone)).toBe(false);
});

test('a letter that can’t be recorded has no file', async () => {
  const third = claimIds[2] as number;
  const folder = makeTempFolder();
  const path = join(folder, 'unrecorded.txt');
  const before = readdirSync(folder);
  // One that may only read, as while another process writes.
  const reader = await bench.open(profileDir, { writes: false });
  await expect(write(path, [third], reader)).rejects.toMatchObject({ code: 'profile.busy' });
  await reader.close();
  expect(readdirSync(folder)).toEqual(before);
  expect(await lettersOf(third)).toEqual([]);
});

test('a letter whose file can’t be saved is undone', async () => {
  const third = claimIds[2] as number;
  const folder = makeTempFolder();
  const path = join(folder, 'taken.txt');
  const engine = await session.getEngine();
  // The letter is recorded, and then a folder has the name of its file.
  const end = engine.subscribe(({ name }) => {
    if (name === 'reviews:changed' && !existsSync(path)) mkdirSync(path);
  });
  await expect(write(path, [third])).rejects.toMatchObject({ code: expect.stringMatching(/^export\./) });
  end();
  expect(readdirSync(folder)).toEqual(['taken.txt']);
  expect(await lettersOf(third)).toEqual([]);
  const { events } = await session.call('reviews:listEvents', {
    workspaceId,
    claimId: third,
    offset: 0,
    limit: 10,
  });
  expect(events.map(({ fact }) => fact.kind)).toContain('undo');
});

test('a list has the last letter of each claim; a decision after documents were needed leaves that letter true', async () => {
  const [first = 0, second = 0] = claimIds;
  await act(first, { ...declined, outcome: 'eligible' });
  expect(await listed({ field: 'facts.letter_untrue', operator: 'isNotEmpty', values: [] })).toEqual([]);
  expect(
    new Set(await listed({ field: 'review.letter', operator: 'is', values: ['Documents needed'] })),
  ).toEqual(new Set([first, second]));
  const [made] = await lettersOf(second);
  const values = [localDayOf(new Date(made?.at ?? ''))];
  expect(await listed({ field: 'review.letter_day', operator: 'is', values })).toHaveLength(2);
});

test('a letter of a decision is listed once the decision changes, even after another letter, until it is made again', async () => {
  const decidedId = claimIds[3] as number;
  await act(decidedId, { ...declined, cause });
  const save = (letter: LetterKind, note?: string) =>
    write(join(makeTempFolder(), `${letter}.txt`), [decidedId], session, {
      letter,
      typed: note === undefined ? {} : { note },
    });
  await save('notEligible');
  await save('disagrees', 'Look again.');
  const untrue: Condition = { field: 'facts.letter_untrue', operator: 'isNotEmpty', values: [] };
  const ofList: Condition = { field: 'worklist', operator: 'is', values: ['lettersUntrue'] };
  expect(await listed(untrue)).toEqual([]);
  await act(decidedId, {
    ...declined,
    outcome: 'partlyEligible',
    partly: { by: 'amount', amount: 10_000 },
    cause,
  });
  expect(await listed(untrue)).toEqual([decidedId]);
  expect(await listed(ofList)).toEqual([decidedId]);
  await save('partlyEligible');
  expect(await listed(untrue)).toEqual([]);
  expect(await listed(ofList)).toEqual([]);
});

test('each letter is listed with its digest, and for a member those of the claims with their documents', async () => {
  const { papers, isWhole } = await session.call('reviews:listPapers', { workspaceId });
  expect(isWhole).toBe(true);
  const decidedId = claimIds[3] as number;
  const all = (await Promise.all(claimIds.map(lettersOf))).flat();
  expect(papers.map(({ digest }) => digest).sort()).toEqual(all.map(({ digest }) => digest).sort());
  expect(papers.map(({ at }) => at)).toEqual(
    papers
      .map(({ at }) => at)
      .sort()
      .reverse(),
  );
  const ofDecided = papers.filter(({ claimId }) => claimId === decidedId);
  expect(ofDecided.map(({ letter }) => letter)).toEqual(['partlyEligible', 'disagrees', 'notEligible']);
  const untrueOf = async () =>
    (await session.call('reviews:listPapers', { workspaceId })).papers.flatMap(({ letter, isUntrue }) =>
      isUntrue ? letter : [],
    );
  expect(await untrueOf()).toEqual([]);
  // The letter that the newest one replaced isn't called untrue as well.
  await act(decidedId, { ...declined, cause });
  expect(await untrueOf()).toEqual(['partlyEligible']);

  await session.call('documents:attach', {
    ...{ workspaceId, claimId: decidedId, document: 'receipt', name: 'receipt.txt' },
    file: Buffer.from('Receipt').toString('base64'),
  });
  const { claim } = await session.call('records:getClaim', { workspaceId, id: decidedId });
  const memberId = claim.members?.[0]?.id as number;
  const ofMember = await session.call('reviews:listPapers', { workspaceId, memberId });
  const ofClaim = ofMember.papers.filter(({ claimId }) => claimId === decidedId);
  expect(ofClaim).toHaveLength(4);
  expect(ofClaim[0]).toMatchObject({
    letter: null,
    document: 'receipt',
    name: 'receipt.txt',
    isUntrue: false,
  });
  expect(ofClaim[0]?.patient).toBe(claim.patient_name);
});

test('a window can’t record a letter that was not made', async () => {
  const [first = 0] = claimIds;
  const [made] = await lettersOf(first);
  if (made === undefined) throw new Error('no letter');
  const { letter, said } = made;
  const forged = act(first, { kind: 'letter', letter, said, digest: '0'.repeat(64) });
  await expect(forged).rejects.toMatchObject({ code: 'usage.invalid' });
  expect(await lettersOf(first)).toHaveLength(1);
});

test('a letter about an appeal’s answer is listed once the answer changes, though no amount does', async () => {
  const claimId = claimIds[3] as number;
  const received = {
    kind: 'appeal',
    direction: 'received',
    asker: 'member',
    level: 1,
    reason: null,
  } as const;
  const { eventId: appealId } = await act(claimId, { ...received, day: '2026-03-02', due: null });
  const answerBy = (reason: string) =>
    act(claimId, {
      ...{ kind: 'answerAppeal', appealId: String(appealId), answer: 'upheld', day: '2026-03-03' },
      ...{ letterDay: null, reason },
    });
  const { eventId } = await answerBy('The plan excludes it.');
  const path = join(makeTempFolder(), 'answer.txt');
  await write(path, [claimId], session, { letter: 'appealDecided', typed: { note: 'Section 4.2.' } });
  const untrue: Condition = { field: 'facts.letter_untrue', operator: 'is', values: ['Appeal decided'] };
  expect(await listed(untrue)).toEqual([]);
  await session.call('reviews:undo', { workspaceId, eventId: String(eventId) });
  expect(await listed(untrue)).toEqual([claimId]);
  await answerBy('It was sent late.');
  expect(await listed(untrue)).toEqual([claimId]);
});

test('the file of the letter log has all letters, which the engine reads: the window sends no rows', async () => {
  const { papers } = await session.call('reviews:listPapers', { workspaceId });
  const labels = ['Day', 'What', 'Claim', 'Patient', 'By', 'No longer true', 'SHA-256'];
  const columns = labels.map((label) => ({ path: label, label, kind: 'text' as const }));
  const path = join(makeTempFolder(), 'log.csv');
  const source = { kind: 'report' as const, of: 'letters' as const, title: 'Letters', columns, rows: [] };
  const { rows } = await writeFileOf(source, 'csv', path);
  expect(rows).toBe(papers.length);
  const text = readFileSync(path, 'utf8');
  for (const { digest } of papers) expect(text).toContain(digest);
});
