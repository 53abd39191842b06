import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filePartBytes } from '../../../src/contract/document-procedures.ts';
import type { DocumentKind } from '../../../src/rules/document-kinds.ts';
import { subjectOfMember } from '../../../src/rules/review/member-subject.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';
import { findPlain, listFiles } from '../../support/scan-profile.ts';
import { testBytes } from '../../support/seeds.ts';

type Session = Awaited<ReturnType<Bench['open']>>;
let bench: Bench;
let session: Session;
let profileDir: string;
let workspaceId: string;
beforeAll(async () => {
  bench = await openBench('--members', '12', '--claims', '80', '--seed', '49');
  profileDir = await bench.newProfile();
  session = await bench.open(profileDir);
  await bench.sync(session);
  workspaceId = (await session.findWorkspace()).id;
  await session.call('settings:set', { reviewsFrom: { [workspaceId]: '2000-01-01' } });
});
afterAll(async () => {
  await session.close();
  await bench.close();
});

const secret = 'Zqxreceipt for a Zqxpatient';
const bytesOf = (text: string): Buffer => Buffer.from(`${secret} ${text}`);
const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function attach(
  claimId: number,
  bytes: Buffer,
  name = 'receipt.txt',
  document: DocumentKind = 'receipt',
) {
  let uploadId: string | undefined;
  let at = 0;
  for (; bytes.length - at > filePartBytes; at += filePartBytes) {
    const part = bytes.toString('base64', at, at + filePartBytes);
    ({ uploadId } = await session.call('reviews:addFilePart', { workspaceId, uploadId, part }));
  }
  const file = bytes.toString('base64', at);
  return session.call('documents:attach', { workspaceId, claimId, document, name, uploadId, file });
}
const documentsOf = async (claimId: number) =>
  (await session.call('reviews:get', { workspaceId, claimId })).documents;
const read = async (claimId: number, sha256: string) => {
  const { file, type } = await session.call('documents:read', { workspaceId, claimId, sha256 });
  return { bytes: Buffer.from(file, 'base64'), type };
};
const sealedFiles = () => readdirSync(join(profileDir, 'documents'));
const claimIds = async (): Promise<number[]> =>
  (await bench.readAll(session, 'claims')).map(({ id }) => Number(id));
const reopen = async () => {
  await session.close();
  session = await bench.open(profileDir);
};

test('a document is sealed, shown, unchanged after a restart, and stored once however often it is attached', async () => {
  const [claimId = 0, otherId = 0] = await claimIds();
  const bytes = bytesOf('one');
  const { sha256, eventId } = await attach(claimId, bytes);
  await attach(claimId, bytes, 'again.txt');
  await attach(otherId, bytes);
  expect(sha256).toBe(sha256Of(bytes));
  expect(sealedFiles()).toHaveLength(1);
  expect(sealedFiles()[0]).not.toContain(sha256.slice(0, 16));
  expect(await documentsOf(claimId)).toMatchObject([
    { document: 'receipt', name: 'again.txt', type: 'text', bytes: bytes.length, sha256 },
  ]);
  expect(eventId).not.toBeNull();
  await reopen();
  expect(await read(claimId, sha256)).toEqual({ bytes, type: 'text' });
  expect(await documentsOf(otherId)).toHaveLength(1);
  for (const path of listFiles(profileDir))
    expect(findPlain(readFileSync(path), [secret, 'Zqxreceipt', sha256]), path).toEqual([]);
});

test('a waiting claim is due once its document arrives, and waits again if that is undone', async () => {
  const claimId = (await claimIds())[2] as number;
  const wait = {
    kind: 'decision' as const,
    state: 'waiting' as const,
    onWhom: 'Member',
    reason: 'Itemized receipt',
  };
  await session.call('reviews:act', {
    workspaceId,
    target: { claimIds: [claimId] },
    act: { ...wait, reminder: '2090-01-01' },
  });
  const stateOf = async () => (await session.call('reviews:get', { workspaceId, claimId })).state;
  await attach(claimId, bytesOf('other'), 'photo.txt', 'other');
  expect(await stateOf()).toBe('waiting');
  const { eventId } = await attach(claimId, bytesOf('two'));
  expect(await stateOf()).toBe('back');
  await session.call('reviews:undo', { workspaceId, eventId: eventId as string });
  expect(await stateOf()).toBe('waiting');
  expect(await documentsOf(claimId)).toHaveLength(1);
});

test('a document marked as sufficient supplies what the record lacks, until that is undone', async () => {
  const claims = (await bench.readAll(session, 'claims')) as { id: number; status: string }[];
  const id = claims.findLast(({ status }) => status === 'Processed')?.id as number;
  await bench.sandbox.control('POST', '/edits', {
    edits: [{ op: 'change', list: 'claims', id, set: { patient_name: null } }],
  });
  await bench.sync(session);
  const isIn = async () =>
    (await session.call('worklists:why', { workspaceId, claimId: id })).worklists.some(
      ({ id: list }) => list === 'notSubstantiated',
    );
  expect(await isIn()).toBe(true);
  const attached = await attach(id, bytesOf('sufficient'));
  expect(await isIn()).toBe(true);
  const act = { kind: 'substantiate' as const, sha256: attached.sha256 };
  const mark = async () =>
    (await session.call('reviews:act', { workspaceId, target: { claimIds: [id] }, act })).eventId as string;
  const undo = (eventId: string) => session.call('reviews:undo', { workspaceId, eventId });
  const marked = await mark();
  expect(await isIn()).toBe(false);
  await undo(marked);
  expect(await isIn()).toBe(true);
  await mark();
  // Attached again, it is the same document.
  const again = await attach(id, bytesOf('sufficient'), 'again.txt');
  expect(await isIn()).toBe(false);
  expect((await documentsOf(id))[0]?.sufficient).toMatchObject({ id: expect.any(String) });
  await undo(again.eventId as string);
  await undo(attached.eventId as string);
  expect(await documentsOf(id)).toEqual([]);
  expect(await isIn()).toBe(true);
});

test('a name is shown in one line without a path, and is never a path', async () => {
  const claimId = (await claimIds())[3] as number;
  const before = sealedFiles().length;
  const names = ['../../etc/passwd', `${'x'.repeat(300)}.pdf`, 'a\u202Efdp.exe\u0000\n', '..', ''];
  for (const [index, name] of names.entries()) await attach(claimId, bytesOf(`name ${index}`), name);
  expect((await documentsOf(claimId)).map(({ name }) => name)).toEqual([
    'etc passwd',
    `${'x'.repeat(115)}….pdf`,
    'a fdp.exe',
    'Document',
    'Document',
  ]);
  expect(sealedFiles()).toHaveLength(before + names.length);
  expect(sealedFiles().every((name) => /^[0-9a-f]{64}$/.test(name))).toBe(true);
});

test('the type of a document is found by its bytes', async () => {
  const claimId = (await claimIds())[4] as number;
  const typeOf = async (bytes: Buffer) => {
    const { sha256 } = await attach(claimId, bytes, 'receipt.pdf');
    return (await read(claimId, sha256)).type;
  };
  expect(await typeOf(Buffer.from('%PDF-1.7\n'))).toBe('pdf');
  expect(await typeOf(Buffer.from('89504e470d0a1a0a00', 'hex'))).toBe('png');
  expect(await typeOf(Buffer.from('ffd8ffe000', 'hex'))).toBe('jpeg');
  expect(await typeOf(Buffer.from('<script>alert(1)</script>'))).toBe('text');
  expect(await typeOf(Buffer.from('PK\u0003\u0004 a zip'))).toBe('other');
  expect(await typeOf(Buffer.alloc(0))).toBe('other');
});

test('a document of 25 MB is attached, a larger one is not and leaves nothing', async () => {
  const claimId = (await claimIds())[5] as number;
  const bytes = testBytes(25_000_000);
  const timed = async <T>(act: () => Promise<T>) => {
    const from = performance.now();
    return { done: await act(), ms: performance.now() - from };
  };
  const { done, ms: attachMs } = await timed(() => attach(claimId, bytes, 'scan.bin'));
  const reads = [];
  for (let run = 0; run < 3; run += 1) reads.push(await timed(() => read(claimId, done.sha256)));
  expect(reads.every(({ done: { bytes: opened } }) => opened.equals(bytes))).toBe(true);
  // A thread that went through its bytes one by one took five times as long to read it as to attach it.
  expect(Math.min(...reads.map(({ ms }) => ms))).toBeLessThan(3 * attachMs);
  const before = sealedFiles();
  await expect(attach(claimId, Buffer.concat([bytes, bytes.subarray(0, 1)]))).rejects.toMatchObject({
    code: 'document.tooLarge',
  });
  expect(sealedFiles()).toEqual(before);
});

test('a document for a claim or member that is not here is refused before a byte is written', async () => {
  const folder = join(profileDir, 'documents');
  const before = statSync(folder).mtimeMs;
  for (const claimId of [1, subjectOfMember(1)])
    await expect(attach(claimId, bytesOf('of no record'))).rejects.toMatchObject({ code: 'record.unknown' });
  expect(statSync(folder).mtimeMs).toBe(before);
});

test('the text of a document finds its claim, and is in no file', async () => {
  const claims = (await bench.readAll(session, 'claims')) as unknown as {
    id: number;
    patient_name: string | null;
    amount_billed: number | null;
    vendor_system_id: string | null;
    date_of_service: { start: string } | null;
  }[];
  const claim = claims.find((one) => one.patient_name && one.amount_billed && one.date_of_service?.start);
  const [year, month, day] = (claim?.date_of_service?.start ?? '').split('-');
  const match = async (text: string) =>
    (await session.call('documents:match', { workspaceId, text: `${secret}\n${text}` })).matches[0];
  const facts = `${claim?.patient_name}\n${month}/${day}/${year}\n$${claim?.amount_billed?.toFixed(2)}`;
  const byFacts = await match(facts);
  expect(byFacts).toMatchObject({ claimId: claim?.id, isByNumber: false });
  expect(byFacts?.says).toMatch(/^Patient, day, \$[\d,.]+ agree/);
  expect(await match(`Claim ${claim?.vendor_system_id}`)).toMatchObject({
    claimId: claim?.id,
    isByNumber: true,
  });
  expect(await match('nothing')).toBeUndefined();
  const readNoted = async () =>
    (await session.call('audit:list', { offset: 0, limit: 20 })).entries.flatMap(({ action, details }) =>
      action === 'identifier.searched' && details.by === 'document' ? [details.hits] : [],
    );
  // They are written after the answers.
  await expect.poll(async () => (await readNoted()).length).toBe(3);
  expect((await readNoted()).toSorted()[0]).toBe(0);
  for (const path of listFiles(profileDir))
    expect(findPlain(readFileSync(path), [secret, 'Zqxreceipt']), path).toEqual([]);
});

test('a file that would unpack to a much larger size is kept unchanged', async () => {
  const claimId = (await claimIds())[9] as number;
  const before = new Set(sealedFiles());
  // 200 MB of zeros once it is unpacked.
  const bomb = gzipSync(Buffer.alloc(200_000_000), { level: 9 });
  const rssBefore = process.memoryUsage.rss();
  const { sha256 } = await attach(claimId, bomb, 'receipt.pdf');
  const opened = await read(claimId, sha256);
  expect(opened.type).toBe('other');
  expect(opened.bytes.equals(bomb)).toBe(true);
  expect(process.memoryUsage.rss() - rssBefore).toBeLessThan(100_000_000);
  const name = sealedFiles().find((one) => !before.has(one)) as string;
  expect(statSync(join(profileDir, 'documents', name)).size - bomb.length).toBeLessThan(64);
});

test('a copy is saved or printed only with a reason, which the audit log records', async () => {
  const claimId = (await claimIds())[6] as number;
  const bytes = bytesOf('copy');
  const { sha256 } = await attach(claimId, bytes);
  const path = join(profileDir, '..', 'copy.txt');
  const save = async (reason: string) =>
    session.call('documents:save', {
      ...{ workspaceId, claimId, sha256, reason },
      targetId: await session.addSaveTarget(path, 'document'),
    });
  await expect(save('')).rejects.toMatchObject({ code: 'export.reasonMissing' });
  await save('Carrier follow-up');
  expect(readFileSync(path).equals(bytes)).toBe(true);
  const print = (reason: string) =>
    session.call('documents:auditPrinted', { workspaceId, claimId, sha256, reason });
  await expect(print('')).rejects.toMatchObject({ code: 'export.reasonMissing' });
  await print('Audit');
  const { entries } = await session.call('audit:list', { offset: 0, limit: 2 });
  expect(entries).toMatchObject([
    { action: 'document.printed', details: { claimId, sha256, reason: 'Audit' } },
    { action: 'document.saved', details: { claimId, sha256, reason: 'Carrier follow-up' } },
  ]);
});

test('a document that was changed, or belongs to another claim, is not opened', async () => {
  const [claimId = 0, otherId = 0] = (await claimIds()).slice(7);
  const before = new Set(sealedFiles());
  const bytes = bytesOf('changed');
  const { sha256 } = await attach(claimId, bytes);
  await expect(read(otherId, sha256)).rejects.toMatchObject({ code: 'document.notHere' });
  const name = sealedFiles().find((one) => !before.has(one)) as string;
  const path = join(profileDir, 'documents', name);
  const copyPath = join(profileDir, 'backups', 'documents', name);
  const sealed = readFileSync(path);
  sealed[sealed.length - 20] = (sealed[sealed.length - 20] as number) ^ 1;
  for (const one of [path, copyPath]) writeFileSync(one, sealed);
  await expect(read(claimId, sha256)).rejects.toMatchObject({ code: 'document.damaged' });
  for (const one of [path, copyPath]) truncateSync(one, 3);
  await expect(read(claimId, sha256)).rejects.toMatchObject({ code: 'document.damaged' });
  // Attached again, it is here again.
  await attach(claimId, bytes);
  expect((await read(claimId, sha256)).bytes.equals(bytes)).toBe(true);
});

test('removing a member removes the documents of only their claims', async () => {
  const claims = (await bench.readAll(session, 'claims')) as unknown as {
    id: number;
    members: { id: number }[] | null;
  }[];
  const memberId = claims[0]?.members?.[0]?.id as number;
  const isOf = (claim: (typeof claims)[number]) => claim.members?.some(({ id }) => id === memberId) === true;
  const claimId = claims.find(isOf)?.id as number;
  const otherId = claims.find((claim) => !isOf(claim))?.id as number;
  const before = new Set(sealedFiles());
  await attach(claimId, bytesOf('of the member’s claim'));
  await attach(subjectOfMember(memberId), bytesOf('of the member'));
  const removed = sealedFiles().filter((name) => !before.has(name));
  expect(removed).toHaveLength(2);
  const { sha256 } = await attach(otherId, bytesOf('of another one'));
  const lost = 'f'.repeat(64);
  writeFileSync(join(profileDir, 'documents', lost), 'of an event that was lost');
  await session.call('data:remove', {
    workspaceId,
    removal: { kind: 'member', memberId },
    typed: String(memberId),
  });
  expect(sealedFiles().filter((name) => removed.includes(name) || name === lost)).toEqual([lost]);
  rmSync(join(profileDir, 'documents', lost));
  expect((await read(otherId, sha256)).bytes.toString()).toContain('of another one');
  expect(statSync(join(profileDir, 'documents')).mode & 0o777).toBe(0o700);
});

test('Remove erases the file once no claim has it, and never one that another claim has', async () => {
  const [claimId, otherId] = (await claimIds()).slice(11, 13) as [number, number];
  const before = new Set(sealedFiles());
  const added = (folder = profileDir) =>
    readdirSync(join(folder, 'documents')).filter((name) => !before.has(name));
  const bytes = bytesOf('to be erased');
  const { sha256 } = await attach(claimId, bytes);
  await attach(claimId, bytes, 'again.txt');
  await attach(otherId, bytes);
  expect(added()).toHaveLength(1);
  expect(added(join(profileDir, 'backups'))).toEqual(added());
  const remove = (id: number) => session.call('documents:remove', { workspaceId, claimId: id, sha256 });
  await remove(claimId);
  expect(await documentsOf(claimId)).toEqual([]);
  expect((await read(otherId, sha256)).bytes).toEqual(bytes);
  await expect(remove(claimId)).rejects.toMatchObject({ code: 'document.notHere' });
  await remove(otherId);
  expect(added()).toEqual([]);
  expect(added(join(profileDir, 'backups'))).toEqual([]);
  // An act that is undone without Remove keeps its file.
  const { eventId } = await attach(claimId, bytes);
  await session.call('reviews:undo', { workspaceId, eventId: eventId as string });
  expect(added()).toHaveLength(1);
  await reopen();
  expect(added()).toHaveLength(1);
  await attach(otherId, bytes);
  await remove(otherId);
  expect(added()).toEqual([]);
  // Its undo is not undone: nothing would be there.
  const { events } = await session.call('reviews:listEvents', {
    ...{ workspaceId, claimId: otherId, offset: 0, limit: 1 },
  });
  expect(events[0]?.fact.kind).toBe('undo');
  await expect(
    session.call('reviews:undo', { workspaceId, eventId: events[0]?.id as string }),
  ).rejects.toMatchObject({ code: 'review.unknown' });
  expect(await documentsOf(otherId)).toEqual([]);
});

test('a damaged or missing file is replaced by its second copy', async () => {
  const claimId = (await claimIds())[13] as number;
  const before = new Set(sealedFiles());
  const bytes = bytesOf('has a second copy');
  const { sha256 } = await attach(claimId, bytes);
  const path = join(profileDir, 'documents', sealedFiles().find((name) => !before.has(name)) as string);
  const sealed = readFileSync(path);
  truncateSync(path, 40);
  expect((await read(claimId, sha256)).bytes).toEqual(bytes);
  expect(readFileSync(path)).toEqual(sealed);
  rmSync(path);
  expect((await read(claimId, sha256)).bytes).toEqual(bytes);
  expect(readFileSync(path)).toEqual(sealed);
});

test('a check finds missing or damaged files, repairs them from the copy, and keeps files without an act', async () => {
  const before = new Set(sealedFiles());
  const check = async (isFull: boolean) =>
    (await session.call('store:check', { workspaceId, isFull })).documents;
  const first = await check(true);
  expect(first).toMatchObject({ isSound: true, damaged: 0, notHere: 0, mended: 0, problems: [] });
  // The check of the day, a while after the start, is done with.
  await reopen();
  const ids = (await claimIds()).slice(14, 17) as [number, number, number];
  for (const claimId of ids) await attach(claimId, bytesOf(`checked ${claimId}`));
  const names = sealedFiles().filter((name) => !before.has(name)) as [string, string, string];
  const { eventId } = await attach(ids[0], bytesOf('undone, not removed'));
  await session.call('reviews:undo', { workspaceId, eventId: eventId as string });
  const folders = [join(profileDir, 'documents'), join(profileDir, 'backups', 'documents')] as const;
  // One has a file of the same length with another content, one lost its file, and one both.
  const flipped = readFileSync(join(folders[0], names[0])).map((byte, at) => (at === 20 ? byte ^ 1 : byte));
  for (const folder of folders) writeFileSync(join(folder, names[0]), flipped);
  rmSync(join(folders[0], names[1]));
  for (const folder of folders) rmSync(join(folder, names[2]));
  writeFileSync(join(folders[0], 'e'.repeat(64)), 'of an event that was lost');
  const counts = { documents: (first?.documents ?? 0) + 3, unused: 1, undone: (first?.undone ?? 0) + 1 };
  // Without reading all of them, the damaged one is not found.
  expect(await check(false)).toMatchObject({ ...counts, isSound: false, damaged: 0, notHere: 1, mended: 1 });
  const full = await check(true);
  expect(full).toMatchObject({ ...counts, isSound: false, damaged: 1, notHere: 1, mended: 0 });
  expect(full?.problems.map(({ code }) => code).sort()).toEqual(['document.damaged', 'document.notHere']);
  for (const { claimId } of full?.problems ?? []) expect(ids).toContain(claimId);
  for (const claimId of ids) await attach(claimId, bytesOf(`checked ${claimId}`));
  expect(await check(true)).toMatchObject({ isSound: true, damaged: 0, notHere: 0 });
  expect((await session.call('store:getState', { workspaceId })).documents).toMatchObject({ isSound: true });
});

test('a process that only reads changes no file, and does not report that it did', async () => {
  const claimId = (await claimIds())[17] as number;
  await attach(claimId, bytesOf('erased by the writer'));
  const before = new Set(sealedFiles());
  const bytes = bytesOf('read by another process');
  const { sha256 } = await attach(claimId, bytes);
  const name = sealedFiles().find((one) => !before.has(one)) as string;
  const path = join(profileDir, 'documents', name);
  truncateSync(path, 10);
  // The writer is about to erase one, and attaches another.
  const marks = [`${name}.erase`, `${'d'.repeat(64)}.new`, 'd'.repeat(64)];
  for (const mark of marks) writeFileSync(join(profileDir, 'documents', mark), '');
  const reader = await bench.open(profileDir, { writes: false });
  const { file } = await reader.call('documents:read', { workspaceId, claimId, sha256 });
  expect(Buffer.from(file, 'base64')).toEqual(bytes);
  const { documents } = await reader.call('store:check', { workspaceId, isFull: false });
  await expect(reader.call('documents:remove', { workspaceId, claimId, sha256 })).rejects.toMatchObject({
    code: 'profile.busy',
  });
  await reader.close();
  const { entries } = await session.call('audit:list', { offset: 0, limit: 1 });
  expect(entries[0]?.action).toBe('document.opened');
  expect(documents).toMatchObject({ mended: 0 });
  expect(statSync(path).size).toBe(10);
  expect(sealedFiles()).toEqual(expect.arrayContaining(marks));
  for (const mark of marks) rmSync(join(profileDir, 'documents', mark));
  expect((await session.call('store:check', { workspaceId, isFull: false })).documents).toMatchObject({
    mended: 1,
  });
});

test('parts of a document and of another file can arrive at the same time', async () => {
  const claimId = (await claimIds())[10] as number;
  const part = bytesOf('first part').toString('base64');
  const { uploadId } = await session.call('reviews:addFilePart', { workspaceId, part });
  await session.call('reviews:addFilePart', { workspaceId, part });
  const last = bytesOf('last part');
  const sent = { workspaceId, claimId, document: 'other', name: 'both.txt', uploadId } as const;
  const { sha256 } = await session.call('documents:attach', { ...sent, file: last.toString('base64') });
  expect(sha256).toBe(sha256Of(Buffer.concat([bytesOf('first part'), last])));
});
