import { rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { EntrySigner } from '../../../src/main/engine/review/write-entries.ts';
import { writeEntries } from '../../../src/main/engine/review/write-entries.ts';
import { openFile } from '../../../src/main/engine/store/file/open-file.ts';
import { createUserDataOperations } from '../../../src/main/engine/store/threads/user-data-operations.ts';
import { repairUserData } from '../../../src/main/engine/store/user-data/repair-user-data.ts';
import { makeComputerKeys, makeEntrySigner, makeSshKey } from '../../support/entry-signer.ts';
import { openComputer, workspaceId } from '../../support/review-computer.ts';
import { decisionOf, entryOf, filePassphrase, sealEntries, sealLines } from '../../support/review-files.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');
const claimIds = [1, 2, 3, 4];

type Line = Record<string, unknown>;

function openPerson(name: string, signer?: EntrySigner, folder = makeTempFolder()) {
  const computer = openComputer(folder, name, { now: () => nowMs }, () => nowMs, signer);
  computer.opened.ingest(
    'claims',
    claimIds.map((id) => ({ id, status: 'Processed', amount_paid: 10 })),
  );
  const { reviews, userData } = computer;
  return {
    ...computer,
    act: async (claimId: number, wanted: Parameters<typeof reviews.act>[2]) =>
      (await reviews.act(workspaceId, { claimIds: [claimId] }, wanted)).eventId as string,
    /** The lines of this computer's file, signed by another signer where one is given. */
    lines: async (by = signer ?? makeEntrySigner(`${name}@example.com`)): Promise<Line[]> => {
      const lines: Line[] = [];
      for await (const line of writeEntries(userData, workspaceId, by, () => undefined))
        lines.push(line as Line);
      return lines;
    },
    read: async (lines: readonly object[]) =>
      reviews.readFile(workspaceId, await sealLines(lines), filePassphrase),
    history: async () => (await reviews.listEvents({ workspaceId, offset: 0, limit: 99 })).events,
  };
}
/** Opens a user with a computer, and the keys that sign for both. */
function openSigning(name: string, service?: string) {
  const keys = {
    computer: makeComputerKeys(),
    ssh: makeSshKey(),
    ...(service === undefined ? {} : { service }),
  };
  return { ...openPerson(name, makeEntrySigner(`${name}@example.com`, keys)), keys };
}
const text = (line: Line, name: string): string => line[name] as string;

test('a file shows which key each person signed with, the next one that it is the same, and passing it on keeps that', async () => {
  const [ana, ben, cleo] = [openSigning('ana'), openSigning('ben'), openSigning('cleo')];
  await ana.act(1, decisionOf('eligible'));
  const first = await ben.read(await ana.lines());
  const [key] = first.people[0]?.keys ?? [];
  expect(first.people).toMatchObject([
    { author: 'ana@example.com', events: 1, notSigned: 0, keys: [{ isKnown: false }] },
  ]);
  expect(key?.fingerprint).toMatch(/^SHA256:/);
  await ana.act(2, decisionOf('disputed'));
  const second = await ben.read(await ana.lines());
  expect(second).toMatchObject({ events: 1, known: 1, people: [{ keys: [{ ...key, isKnown: true }] }] });
  await ben.act(3, decisionOf('notEligible'));

  // Ben hands on what is Ana's under her own signature.
  const third = await cleo.read(await ben.lines());
  expect(third.people).toMatchObject([
    { author: 'ana@example.com', events: 2, notSigned: 0, keys: [{ ...key, isKnown: false }] },
    { author: 'ben@example.com', events: 1, notSigned: 0 },
  ]);
  expect(await cleo.history()).toMatchObject([
    { author: 'ben@example.com' },
    { author: 'ana@example.com', signedBy: key?.fingerprint },
    { author: 'ana@example.com', signedBy: key?.fingerprint },
  ]);
  expect((await ana.history()).map(({ signedBy }) => signedBy)).toEqual([null, null]);
});

test('an act on more claims than fit into a part is signed as one, and no part can be left out or changed', async () => {
  const [ana, ben] = [openSigning('ana'), openSigning('ben')];
  const many = Array.from({ length: 2_600 }, (_none, index) => index + 1);
  ana.opened.ingest(
    'claims',
    many.map((id) => ({ id, status: 'Processed', amount_paid: 10 })),
  );
  await ana.reviews.act(workspaceId, { claimIds: many }, { kind: 'flag', isFlagged: true });
  await ana.act(1, { kind: 'note', text: 'between' });
  const lines = await ana.lines();
  const parts = lines.filter((line) => 'part' in line);
  expect(parts.map((line) => text(line, 'part').split('\n').length)).toEqual([2_500, 100, 1]);
  const without = (part: Line | undefined): Line[] => lines.filter((line) => line !== part);
  const swapped = lines.map((line) => (line === parts[0] ? parts[1] : line === parts[1] ? parts[0] : line));
  const fewer = lines.map((line) =>
    line === parts[1] ? { part: text(line, 'part').split('\n').slice(1).join('\n') } : line,
  );
  for (const forged of [without(parts[0]), without(parts[2]), swapped as Line[], fewer])
    await expect(ben.read(forged)).rejects.toMatchObject({
      code: expect.stringMatching(/^review\.(badSignature|notAFile)$/),
    });
  expect(await ben.history()).toEqual([]);
  expect(await ben.read(lines)).toMatchObject({ events: 2, claims: 2_600, people: [{ notSigned: 0 }] });
  // The lines arrive unchanged, the parts of the large one included.
  expect((await ben.lines()).filter((line) => 'part' in line)).toEqual(parts);
});

test('a changed word, another name, another key, or no certificate causes the whole file to be refused', async () => {
  const [ana, ben, mallory] = [openSigning('ana'), openSigning('ben'), openSigning('mallory')];
  await ana.act(1, decisionOf('eligible'));
  await ana.act(2, { kind: 'note', text: 'as Ana wrote it' });
  await mallory.act(3, decisionOf('notEligible'));
  const [lines, other] = [await ana.lines(), await mallory.lines()];
  const change = (name: string, from: RegExp, to: string): Line[] => {
    const changed = lines.map((line) =>
      name in line ? { ...line, [name]: text(line, name).replace(from, to) } : line,
    );
    expect(changed).not.toEqual(lines);
    return changed;
  };
  const [certificate, entry] = other as [Line, Line];
  const underAna = makeEntrySigner('ana@example.com', { ...mallory.keys, computer: ana.keys.computer });
  const { body, signature } = certificate.certificate as { body: string; signature: string };
  for (const forged of [
    change('head', /eligible/, 'disputed'),
    change('header', /"at":"2026/, '"at":"2025'),
    change('part', /^\[1,/, '[3,'),
    change('salt', /^./, text(lines[1] as Line, 'salt').startsWith('A') ? 'B' : 'A'),
    // Mallory's act under Ana's name, though Mallory's key and certificate are whole.
    [certificate, { ...entry, head: text(entry, 'head').replaceAll('mallory@', 'ana@') }],
    // Ana's entries under Mallory's certificate, and a certificate whose text was changed.
    [certificate, ...lines.slice(1)],
    [{ certificate: { body: body.replace('mallory@', 'ana@'), signature } }, ...lines.slice(1)],
    // Mallory's SSH key certifies Ana's computer under Ana's name, but the certificate of the entry is another.
    [{ certificate: await underAna.certifyComputer({ workspaceId }) }, entry],
    lines.slice(1),
  ])
    await expect(ben.read(forged)).rejects.toMatchObject({ code: 'review.badSignature' });
  expect(await ben.history()).toEqual([]);

  const elsewhere = openSigning('dora', 'https://other.example.com');
  await elsewhere.act(1, decisionOf('eligible'));
  await expect(ben.read(await elsewhere.lines())).rejects.toMatchObject({ code: 'review.otherService' });
});

test('only the author can undo and extend what is signed, even after a change of the SSH key', async () => {
  const [ana, ben] = [openSigning('ana'), openSigning('ben')];
  const decision = await ana.act(1, decisionOf('eligible'));
  const note = await ana.act(2, { kind: 'note', text: 'as Ana wrote it' });
  await ben.read(await ana.lines());
  const author = 'ana@example.com';
  const left = [{ author, kind: 'undo', events: 1 }];
  const undo = entryOf('forged', { kind: 'undo' }, { undoes: decision, author });
  const readFile = async (file: Buffer) => ben.reviews.readFile(workspaceId, file, filePassphrase);

  // Under her name: without a signature, and by a key that is not hers.
  expect(await readFile(await sealEntries([undo]))).toMatchObject({ events: 0, actsLeftOut: left });
  const mallory = openPerson('mallory', makeEntrySigner(author));
  mallory.operations.importReviews({ workspaceId, nowMs, entries: [{ ...undo, author: 'ana@example.com' }] });
  mallory.file.database.exec('UPDATE stored_events SET is_imported=0');
  expect(await ben.read(await mallory.lines())).toMatchObject({ events: 0, actsLeftOut: left });
  // A file adds claims to what she signed, without her signature.
  const known = ana.operations
    .readReviewEntries({ workspaceId, after: null, limit: 99 })
    .entries.find(({ id }) => id === decision);
  if (known === undefined) throw new Error('not written');
  const longer = { ...known, claims: [...known.claims, [4, null, null, null] as const] };
  expect(await readFile(await sealEntries([longer]))).toMatchObject({ events: 0, actsLeftOut: [{ author }] });
  expect((await ben.reviews.get(workspaceId, 4)).outcome).toBeNull();

  // Ana changed her SSH key, then works at another computer with that key.
  const renewed = makeEntrySigner(author, { computer: ana.keys.computer });
  await ana.reviews.undo(workspaceId, decision);
  expect(await ben.read(await ana.lines(renewed))).toMatchObject({ events: 1, actsLeftOut: [] });
  const moved = openPerson('ana', makeEntrySigner(author, { ssh: ana.keys.ssh }));
  moved.operations.importReviews({
    ...{ workspaceId, nowMs },
    entries: [
      entryOf(
        'of-the-other',
        { kind: 'deleteNote', noteId: note },
        { at: '2026-03-01T12:30:00.000Z', author, claims: [[2, null, null, null]] },
      ),
    ],
  });
  moved.file.database.exec('UPDATE stored_events SET is_imported=0');
  expect(await ben.read(await moved.lines())).toMatchObject({ events: 1, actsLeftOut: [] });
  expect((await ben.reviews.get(workspaceId, 2)).notes).toEqual([]);
});

test('an event that came without a signature gets it later, and loses it when claims of it are removed', async () => {
  const [ana, ben, cleo] = [openSigning('ana'), openSigning('ben'), openSigning('cleo')];
  await ana.reviews.act(workspaceId, { claimIds: [1, 2] }, decisionOf('eligible'));
  const { entries } = ana.operations.readReviewEntries({ workspaceId, after: null, limit: 99 });
  const plain = await ben.reviews.readFile(workspaceId, await sealEntries(entries), filePassphrase);
  expect(plain.people).toMatchObject([{ notSigned: 1, keys: [] }]);
  expect(await ben.history()).toMatchObject([{ isImported: true, signedBy: null }]);
  expect(await ben.read(await ana.lines())).toMatchObject({ events: 0, known: 1 });
  expect(await ben.history()).toMatchObject([{ signedBy: expect.stringMatching(/^SHA256:/) }]);

  ben.operations.forgetWritten({ workspaceId, claimIds: [2] });
  const report = await cleo.read(await ben.lines());
  expect(report).toMatchObject({ events: 1, claims: 1, people: [{ notSigned: 1, keys: [] }] });
});

test('reopenings for one change by two computers are signed by each, and count once', async () => {
  const [ana, ben, cleo] = [openSigning('ana'), openSigning('ben'), openSigning('cleo')];
  const decision = await ana.act(1, decisionOf('eligible'));
  for (const other of [ben, cleo]) await other.read(await ana.lines());
  const detail = JSON.stringify({ since: decision, changed: ['status'] });
  for (const [name, { operations, file }] of Object.entries({ ana, ben })) {
    const claims = [[1, null, 'new', detail] as const];
    const id = `found-by-${name}`;
    const entry = entryOf(id, { kind: 'reopened' }, { author: `${name}@example.com`, claims });
    operations.importReviews({ workspaceId, nowMs, entries: [entry] });
    file.database
      .prepare('UPDATE stored_events SET is_imported=0 WHERE seq=(SELECT seq FROM review_events WHERE id=?)')
      .run(id);
  }
  for (const from of [ana, ben]) await cleo.read(await from.lines());
  const found = (await cleo.history()).filter(({ fact }) => fact.kind === 'reopened');
  const isSigned = { signedBy: expect.stringMatching(/^SHA256:/) };
  expect(found).toMatchObject([isSigned, isSigned]);
  const [fold] = cleo.operations.foldReviews({ workspaceId, claimIds: [1] });
  expect(fold).toMatchObject({ state: 'todo', changedFields: ['status'], decisions: [{ isReopened: true }] });
});

test('a damaged file gets its signatures back from the journal', async () => {
  const [ana, ben] = [openSigning('ana'), openSigning('ben')];
  await ana.act(1, decisionOf('eligible'));
  await ben.reviews.readFile(
    workspaceId,
    await sealEntries(ana.operations.readReviewEntries({ workspaceId, after: null, limit: 99 }).entries),
    filePassphrase,
  );
  await ben.read(await ana.lines());
  const before = await ben.lines();
  const { path, key } = ben;
  ben.file.close();
  for (const side of ['-wal', '-shm']) rmSync(`${path}${side}`, { force: true });
  writeFileSync(path, Buffer.alloc(4096, 7));
  expect(repairUserData({ filePath: path, key, mayLose: false })).toMatchObject({
    outcome: 'repaired',
    lost: [],
  });
  const { database, close } = openFile(path, key, 'userData');
  const operations = createUserDataOperations(database, path, key, () => undefined);
  const call = async (name: string, input: unknown) =>
    (operations as unknown as Record<string, (input: unknown) => unknown>)[name]?.(input);
  const after: object[] = [];
  const userData = { call } as unknown as typeof ben.userData;
  for await (const line of writeEntries(
    userData,
    workspaceId,
    makeEntrySigner('ben@example.com'),
    () => undefined,
  ))
    after.push(line);
  expect(after).toEqual(before);
  close();
});
