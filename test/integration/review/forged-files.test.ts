import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReviewEntry } from '../../../src/main/engine/store/user-data/write-event.ts';
import { maxPayment } from '../../../src/rules/money/reimbursement.ts';
import { openComputer, workspaceId } from '../../support/review-computer.ts';
import { decisionOf, entryOf, filePassphrase, sealEntries } from '../../support/review-files.ts';
import { fuzzRuns } from '../../support/seeds.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');
const dayMs = 86_400_000;
const [me, carol, mallory] = ['me@example.com', 'carol@example.com', 'mallory@example.com'];
const claimIds = [1, 2, 3, 4];

function openFilled(folder: string) {
  const computer = openComputer(folder, 'me', { now: () => nowMs });
  computer.opened.ingest(
    'claims',
    claimIds.map((id) => ({ id, status: 'Processed', amount_paid: 10 })),
  );
  return computer;
}
type Computer = ReturnType<typeof openFilled>;

const entriesOf = ({ operations }: Computer): ReviewEntry[] =>
  operations.readReviewEntries({ workspaceId, after: null, limit: 10_000 }).entries;
const give = async ({ reviews }: Computer, ...entries: readonly ReviewEntry[]) =>
  reviews.readFile(workspaceId, await sealEntries(entries), filePassphrase);
const rowsOf = ({ file: { database } }: Computer) =>
  ['review_events', 'review_event_claims'].map((table) =>
    database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all(),
  );

/**
 * A computer on which a claim was decided, a note written and edited, a payment recorded, and a flag set and undone;
 * and which has a decision and a note of Carol's.
 */
async function openReviewed(folder = makeTempFolder()) {
  const computer = openFilled(folder);
  const act = async (claimId: number, wanted: Parameters<typeof computer.reviews.act>[2]) =>
    (await computer.reviews.act(workspaceId, { claimIds: [claimId] }, wanted)).eventId as string;
  const of = { author: carol, at: '2026-02-27T12:00:00.000Z' };
  computer.operations.importReviews({
    workspaceId,
    nowMs,
    entries: [
      entryOf('of-carol', decisionOf('disputed'), {
        ...of,
        claims: [2, 3].map((id) => [id, null, null, null]),
      }),
      entryOf('note-of-carol', { kind: 'note', text: 'as Carol wrote it' }, of),
    ],
  });
  const decision = await act(1, decisionOf('eligible'));
  const note = await act(1, { kind: 'note', text: 'mine' });
  await act(1, { kind: 'editNote', noteId: note, text: 'as I wrote it' });
  const payment = { kind: 'payment', payment: 'reimbursed', amount: 70_000, day: '2026-03-01' } as const;
  await act(2, { ...payment, account: '' });
  await computer.reviews.undo(workspaceId, await act(1, { kind: 'flag', isFlagged: true }));
  const known = (id: string, more: Partial<ReviewEntry> = {}): ReviewEntry => ({
    ...(entriesOf(computer).find((entry) => entry.id === id) as ReviewEntry),
    ...more,
  });
  return { ...computer, decision, note, known };
}

const alone = (claimId: number): ReviewEntry['claims'][number] => [claimId, null, null, null];
const undo = (id: string, undoes: string, author: string, claims = [1]): ReviewEntry =>
  entryOf(id, { kind: 'undo' }, { undoes, author, claims: claims.map(alone) });

test('an event with a known ID must be that event, or nothing in the file is added', async () => {
  const computer = await openReviewed();
  const { decision, known } = computer;
  const before = rowsOf(computer);
  const other = entryOf('of-mallory', decisionOf('notEligible'), { author: mallory });
  const another = { fact: JSON.stringify(decisionOf('notEligible')) };
  for (const forged of [
    known(decision, another),
    known(decision, { at: '2026-02-01T12:00:00.000Z' }),
    known(decision, { author: carol }),
    known(decision, { claims: [alone(1), alone(4)] }),
    known('of-carol', another),
    known('of-carol', { author: mallory }),
  ])
    await expect(give(computer, other, forged)).rejects.toMatchObject({ code: 'review.entryDiffers' });
  // Two entries with one ID are parts of one event.
  const parts = [other, { ...other, ...another, at: '2026-02-01T12:00:00.000Z' }];
  await expect(give(computer, ...parts)).rejects.toMatchObject({ code: 'review.entryDiffers' });
  expect(rowsOf(computer)).toEqual(before);

  // A file of one's own, and one of a colleague who has it, say the same; an earlier time to count by is not taken.
  const moved = known(decision, { folds_at: '2026-02-01T12:00:00.000Z' });
  const report = await give(computer, moved, ...entriesOf(computer));
  expect(report).toMatchObject({ events: 0, known: 8, claims: 0, people: [], actsLeftOut: [] });
  expect(rowsOf(computer)).toEqual(before);
});

test('claims that an event of this computer lost in a removal do not come back, and the report says so', async () => {
  const computer = await openReviewed();
  const { decision, known } = computer;
  computer.operations.appendAudit({
    record: { action: 'records.removed', workspaceId, details: {} },
    at: new Date(nowMs).toISOString(),
    actor: null,
    key: computer.key,
  });
  const before = rowsOf(computer);
  const report = await give(computer, known(decision, { claims: [alone(1), alone(4)] }));
  expect(report).toMatchObject({ events: 0, known: 1, claims: 0, ownClaimsLeftOut: 1 });
  expect(rowsOf(computer)).toEqual(before);
});

test('what was made here is undone, edited and deleted only here, other events only by their own authors', async () => {
  const computer = await openReviewed();
  const { decision, note } = computer;
  const edit = (id: string, noteId: string, author: string) =>
    entryOf(id, { kind: 'editNote', noteId, text: 'forged' }, { author });
  const remove = (id: string, noteId: string, author: string) =>
    entryOf(id, { kind: 'deleteNote', noteId }, { author });
  const before = computer.operations.foldReviews({ workspaceId, claimIds: null });
  const report = await give(
    computer,
    ...[undo('a', decision, mallory), undo('b', decision, me), undo('c', 'of-carol', mallory, [2, 3])],
    ...[edit('d', note, me), edit('e', 'note-of-carol', mallory), remove('f', note, mallory)],
    // The undone event does not exist, is left out itself, is the undo itself, or each undoes the other.
    ...[undo('g', 'nowhere', mallory), undo('h', 'a', mallory), undo('i', 'i', mallory)],
    ...[undo('j', 'k', mallory), undo('k', 'j', mallory)],
  );
  expect(report).toMatchObject({ events: 0, known: 0, claims: 0, people: [] });
  expect(report.actsLeftOut).toEqual([
    { author: mallory, kind: 'undo', events: 7 },
    { author: me, kind: 'undo', events: 1 },
    { author: me, kind: 'editNote', events: 1 },
    { author: mallory, kind: 'editNote', events: 1 },
    { author: mallory, kind: 'deleteNote', events: 1 },
  ]);
  expect(computer.operations.foldReviews({ workspaceId, claimIds: null })).toEqual(before);

  // Carol takes her own decision back, and then that; both are hers.
  const own = undo('of-carol-too', 'of-carol', carol, [2, 3]);
  expect(await give(computer, own)).toMatchObject({
    events: 1,
    people: [{ author: carol }],
    actsLeftOut: [],
  });
  const { reviews } = computer;
  expect((await reviews.get(workspaceId, 3)).state).not.toBe('done');
  expect(await give(computer, own, undo('then-again', own.id, carol, [2, 3]))).toMatchObject({
    events: 1,
    known: 1,
  });
  expect((await reviews.get(workspaceId, 3)).state).toBe('done');
});

test('no one can undo or edit here what someone else wrote', async () => {
  const { reviews, decision } = await openReviewed();
  const act = (wanted: Parameters<typeof reviews.act>[2]) =>
    reviews.act(workspaceId, { claimIds: [1] }, wanted);
  const code = 'review.notYours';
  await expect(reviews.undo(workspaceId, 'of-carol')).rejects.toMatchObject({ code });
  expect(await reviews.canUndo(workspaceId, 'of-carol')).toBe(false);
  expect(await reviews.canUndo(workspaceId, decision)).toBe(true);
  await expect(act({ kind: 'deleteNote', noteId: 'note-of-carol' })).rejects.toMatchObject({ code });
  await expect(act({ kind: 'editNote', noteId: 'note-of-carol', text: 'x' })).rejects.toMatchObject({ code });
  const { notes } = await reviews.get(workspaceId, 1);
  expect(notes.map(({ text }) => text)).toEqual(['as Carol wrote it', 'as I wrote it']);
});

test('a file with a time before 2000 or more than a day ahead is refused, and later acts keep their time', async () => {
  const computer = await openReviewed();
  const before = rowsOf(computer);
  const ahead = new Date(nowMs + dayMs + 1).toISOString();
  for (const times of [
    { at: '9999-12-31T23:59:59.999Z' },
    { at: '0001-01-01T00:00:00.000Z' },
    { at: '1999-12-31T23:59:59.999Z' },
    { at: ahead },
    { folds_at: ahead, at: '2026-04-01T00:00:00.000Z' },
    { folds_at: '2999-12-31T23:59:59.999Z', at: '9999-12-31T23:59:59.999Z' },
  ]) {
    const forged = [
      entryOf('x', { kind: 'tag', add: ['x'], remove: [] }),
      entryOf('y', decisionOf('disputed'), times),
    ];
    await expect(give(computer, ...forged)).rejects.toMatchObject({ code: 'review.badDate' });
  }
  expect(rowsOf(computer)).toEqual(before);
  await give(computer, entryOf('y', decisionOf('disputed'), { at: new Date(nowMs + dayMs).toISOString() }));
  await computer.reviews.act(workspaceId, { claimIds: [1] }, decisionOf('eligible'));
  expect(entriesOf(computer).at(-1)?.at).toBe(new Date(nowMs + dayMs + 1).toISOString());
  expect((await computer.reviews.get(workspaceId, 1)).outcome).toBe('eligible');
});

test('events that only Claimdesk writes, and texts that can’t be shown, invalidate the file', async () => {
  const computer = await openReviewed();
  const { decision } = computer;
  const detail = JSON.stringify({ since: decision, changed: ['status'] });
  const reopened = (more: Partial<ReviewEntry>) =>
    entryOf('found', { kind: 'reopened' }, { author: carol, claims: [[1, null, 'new', detail]], ...more });
  const paid = { kind: 'payment', payment: 'reimbursed', amount: null, day: null, account: '' };
  const paymentsOf = (count: number, amount: number): string =>
    JSON.stringify({ payments: Array.from({ length: count }, () => ({ amount, day: '2026-03-01' })) });
  const payments = paymentsOf(1, -70_000);
  for (const forged of [
    reopened({
      claims: [
        [1, null, 'new', detail],
        [2, null, 'new', detail],
      ],
    }),
    entryOf('x', decisionOf('disputed'), { author: 'Claimdesk' }),
    entryOf('x', { kind: 'note', text: 'x' }, { undoes: decision, author: me }),
    entryOf('x', decisionOf('disputed'), { author: 'carol@example.com\u202e' }),
    entryOf('x', paid, { claims: [[1, null, null, payments]] }),
    entryOf('x', paid, { claims: [[1, null, null, paymentsOf(1, maxPayment + 1)]] }),
  ])
    await expect(give(computer, forged)).rejects.toMatchObject({ code: 'review.notAFile' });
  expect(await give(computer, reopened({}))).toMatchObject({ events: 1, byKind: { reopened: 1 } });
});

test('the report lists what was added by person, kind, claims and payments', async () => {
  const computer = await openReviewed();
  const paid = (id: string, amount: number | null, claims: ReviewEntry['claims']) => {
    const day = amount === null ? null : '2026-02-03';
    return entryOf(
      id,
      { kind: 'payment', payment: 'reimbursed', amount, day, account: '' },
      { author: carol, claims },
    );
  };
  const payments = (...amounts: number[]) =>
    JSON.stringify({ payments: amounts.map((amount) => ({ amount, day: '2026-02-03' })) });
  const report = await give(
    computer,
    computer.known('of-carol', { claims: [alone(2), alone(4)] }),
    paid('one', 50_000, [alone(1), alone(2)]),
    paid('many', null, [
      [1, null, null, payments(10_000, 20_000)],
      [9, null, null, payments(5_000)],
    ]),
    entryOf('decided', decisionOf('eligible'), { author: carol }),
    entryOf('elsewhere', { kind: 'tag', add: ['x'], remove: [] }, { author: me, claims: [alone(3)] }),
  );
  expect(report).toEqual({
    ...{ events: 4, known: 1, claims: 5, unknownClaims: 1, removedClaims: 0 },
    byKind: { payment: 2, decision: 1, tag: 1 },
    people: [
      {
        ...{ author: carol, isYou: false, events: 3, byKind: { payment: 2, decision: 1 } },
        ...{ claims: 4, furtherClaims: 1, claimIds: [4, 1, 2, 9], notSigned: 3, keys: [] },
        paid: [{ payment: 'reimbursed', payments: 5, amount: 135_000 }],
      },
      {
        ...{ author: me, isYou: true, events: 1, byKind: { tag: 1 } },
        ...{ claims: 1, furtherClaims: 0, claimIds: [3], notSigned: 1, keys: [], paid: [] },
      },
    ],
    actsLeftOut: [],
    ownClaimsLeftOut: 0,
  });
});

/** A line of a forged file: a known event that was altered, or an act on another event or on claims. */
const pick = fc.nat(99);
const author = fc.constantFrom(me, carol, mallory);
const at = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom(
      '2026-02-20T12:00:00.000Z',
      '2026-03-01T12:00:00Z',
      '2026-03-02T11:59:59.999Z',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '2026-03-02T12:00:01.000Z',
      '9999-12-31T23:59:59.999Z',
      '1970-01-01T00:00:00.000Z',
    ),
  },
);
const claims = fc.uniqueArray(fc.constantFrom(...claimIds, 9), { minLength: 1, maxLength: 5 });
const line = fc.oneof(
  fc.record({
    kind: fc.constant('known' as const),
    change: fc.constantFrom('none', 'none', 'times', 'times', 'claims', 'at', 'author', 'fact', 'undoes'),
    ...{ pick, author, at, claims },
  }),
  fc.record({
    kind: fc.constantFrom('undo' as const, 'editNote' as const, 'deleteNote' as const),
    isOfFile: fc.boolean(),
    ...{ pick, author, at, claims },
  }),
  fc.record({
    kind: fc.constantFrom(
      ...(['decision', 'accept', 'flag', 'payment', 'note', 'reopened', 'byClaimdesk'] as const),
    ),
    ...{ pick, author, at, claims },
  }),
);
type Line = typeof line extends fc.Arbitrary<infer L> ? L : never;

function forge(lines: readonly Line[], known: readonly ReviewEntry[]): ReviewEntry[] {
  return lines.map((one, index) => {
    const of = known[one.pick % known.length] as ReviewEntry;
    if (one.kind === 'known') {
      const changed: Readonly<Record<string, Partial<ReviewEntry>>> = {
        at: { at: one.at },
        author: { author: one.author },
        claims: { claims: [...of.claims, ...one.claims.map(alone)] },
        fact: { kind: 'decision', fact: JSON.stringify(decisionOf('notEligible')) },
        times: { folds_at: '2026-02-01T12:00:00.000Z' },
        undoes: { undoes: known[0]?.id ?? null },
      };
      return { ...of, ...changed[one.change] };
    }
    const target = 'isOfFile' in one && one.isOfFile ? `forged-${one.pick % lines.length}` : of.id;
    const isOfClaimdesk = one.kind === 'reopened' || one.kind === 'byClaimdesk';
    const facts = {
      accept: { kind: 'accept' },
      byClaimdesk: decisionOf('notEligible'),
      decision: decisionOf('notEligible'),
      deleteNote: { kind: 'deleteNote', noteId: target },
      editNote: { kind: 'editNote', noteId: target, text: 'forged' },
      flag: { kind: 'flag', isFlagged: true },
      note: { kind: 'note', text: 'forged' },
      payment: { kind: 'payment', payment: 'reimbursed', amount: 10_000, day: '2026-03-01', account: '' },
      reopened: { kind: 'reopened' },
      undo: { kind: 'undo' },
    };
    const detail = one.kind === 'reopened' ? JSON.stringify({ since: of.id, changed: [] }) : null;
    return entryOf(`forged-${index}`, facts[one.kind], {
      at: one.at,
      author: isOfClaimdesk ? 'Claimdesk' : one.author,
      undoes: one.kind === 'undo' ? target : null,
      claims: one.claims.map((claimId) => [claimId, null, null, detail]),
    });
  });
}

/** Reads what was made here and its effect: its rows, which of it was undone, and the text of the note. */
async function readOwn({ file: { database }, reviews, note }: Awaited<ReturnType<typeof openReviewed>>) {
  const { events } = await reviews.listEvents({ workspaceId, offset: 0, limit: 99 });
  const { notes } = await reviews.get(workspaceId, 1);
  return {
    rows: database
      .prepare(
        `SELECT * FROM review_events e JOIN review_event_claims c ON c.event_seq=e.seq WHERE is_imported=0
         ORDER BY seq, claim_id`,
      )
      .all(),
    undone: events.flatMap(({ id, isImported, isUndone }) => (isImported ? [] : [[id, isUndone]])).sort(),
    note: notes.find(({ id }) => id === note)?.text,
  };
}

async function runForged(lines: readonly Line[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-forged-'));
  const computer = await openReviewed(folder);
  try {
    const [before, own] = [rowsOf(computer), await readOwn(computer)];
    const given = await give(computer, ...forge(lines, entriesOf(computer))).catch(
      ({ code }: { code: string }) => code,
    );
    if (typeof given === 'string') {
      expect(['review.entryDiffers', 'review.badDate', 'review.notAFile']).toContain(given);
      expect(rowsOf(computer)).toEqual(before);
      return;
    }
    expect(await readOwn(computer)).toEqual(own);
    const isAdded = given.people.some(({ events, furtherClaims }) => events + furtherClaims > 0);
    expect(isAdded).toBe(JSON.stringify(rowsOf(computer)) !== JSON.stringify(before));
    // Carol alone can undo her decision.
    const byOthers = entriesOf(computer).filter(
      ({ undoes, author: by }) => undoes === 'of-carol' && by !== carol,
    );
    expect(byOthers).toEqual([]);
    // The next act is the newest, at most a day and what was added to it from now.
    await computer.reviews.act(workspaceId, { claimIds: [1] }, decisionOf('disputed'));
    expect(Date.parse(entriesOf(computer).at(-1)?.at ?? '')).toBeLessThanOrEqual(nowMs + dayMs + 1_000);
    expect((await computer.reviews.get(workspaceId, 1)).outcome).toBe('disputed');
  } finally {
    computer.file.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

test('any forged file is refused entirely, or leaves what was made here unchanged and lists what it adds', async () => {
  await fc.assert(fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 4 }), runForged), {
    numRuns: fuzzRuns(25),
  });
});
