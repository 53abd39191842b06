import { cpSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import {
  backUp,
  backupsIn,
  makeFreshProfile,
  manifestsIn,
  readRestored,
  restoreFrom,
} from '../../support/backed-up-profile.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

type Session = Awaited<ReturnType<Bench['open']>>;
let bench: Bench;
let synced: string;
let memberId: number;
/** A claim of the member alone, and one of somebody else. */
let claimId: number;
let otherId: number;
let workspaceId: string;
const dayMs = 86_400_000;

beforeAll(async () => {
  bench = await openBench('--members', '8', '--claims', '40', '--seed', '49');
  synced = await bench.newProfile();
  const session = await bench.open(synced);
  await bench.sync(session);
  workspaceId = (await session.findWorkspace()).id;
  const claims = (await bench.readAll(session, 'claims')) as {
    id: number;
    members: { id: number }[] | null;
  }[];
  const claim = claims.find(({ members }) => members?.length === 1);
  claimId = claim?.id as number;
  memberId = claim?.members?.[0]?.id as number;
  otherId = claims.find(({ members }) => members?.every(({ id }) => id !== memberId))?.id as number;
  const note = (id: number, text: string) =>
    session.call('reviews:act', { workspaceId, target: { claimIds: [id] }, act: { kind: 'note', text } });
  await note(claimId, 'About the member');
  await note(otherId, 'About somebody else');
  for (const [id, text] of [
    [claimId, 'Receipt of the member'],
    [otherId, 'Receipt of somebody else'],
  ] as const)
    await session.call('documents:attach', {
      ...{ workspaceId, claimId: id, document: 'receipt', name: 'receipt.txt' },
      file: Buffer.from(text).toString('base64'),
    });
  await session.close();
});
afterAll(() => bench.close());

/** Two backups of two days in a folder. */
async function backUpTwice(session: Session): Promise<string> {
  const folder = makeTempFolder();
  const nowMs = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs - dayMs });
  onTestFinished(() => void vi.useRealTimers());
  await backUp(session, folder);
  vi.useRealTimers();
  await session.call('backup:now', {});
  expect(manifestsIn(folder)).toHaveLength(2);
  return folder;
}

async function restored(folder: string, daysAgo: number) {
  const path = makeFreshProfile();
  const session = await bench.open(path);
  await restoreFrom(session, folder, new Date(Date.now() - daysAgo * dayMs + 60_000).toISOString());
  await session.close();
  const written = await readRestored(path);
  const rows = (written?.rows.stored_claims ?? []) as unknown as { claim_id: number }[];
  return {
    claimIds: [...new Set(rows.map(({ claim_id }) => claim_id))].sort((a, b) => a - b),
    documents: written?.documents.filter(({ isWhole }) => isWhole).length,
  };
}
const both = () => ({ claimIds: [claimId, otherId].sort((a, b) => a - b), documents: 2 });
const other = () => ({ claimIds: [otherId], documents: 1 });

async function openCopy(): Promise<Session> {
  const path = join(makeTempFolder(), 'profile');
  cpSync(synced, path, { recursive: true });
  const session = await bench.open(path);
  onTestFinished(() => session.close());
  return session;
}
/** Backups are rewritten one after the other, and after the answer: a check has its turn after them. */
const settled = (session: Session) => session.call('backup:check', { isFull: false });
async function removeMember(session: Session): Promise<void> {
  const removal = { kind: 'member', memberId } as const;
  await session.call('data:remove', { workspaceId, removal, typed: String(memberId) });
  await settled(session);
}

test('a removed member is removed from every backup that can be reached, and from others once they can', async () => {
  const session = await openCopy();
  const away = await backUpTwice(session);
  const folder = await backUpTwice(session);
  expect(await restored(folder, 1)).toEqual(both());
  renameSync(away, `${away}-away`);
  await removeMember(session);
  for (const daysAgo of [0, 1]) expect(await restored(folder, daysAgo)).toEqual(other());
  expect((await session.call('backup:getState', {})).owing).toEqual([
    { folder: away, code: 'backup.folderMissing' },
  ]);
  expect(await session.call('backup:check', { isFull: true })).toMatchObject({ damaged: [] });
  renameSync(`${away}-away`, away);
  await (await session.getEngine()).backUpIfDue();
  expect((await session.call('backup:getState', {})).owing).toEqual([]);
  for (const daysAgo of [0, 1]) expect(await restored(away, daysAgo)).toEqual(other());
});

test('if an old copy of a folder returns, a restore leaves out what was removed since', async () => {
  const session = await openCopy();
  const folder = await backUpTwice(session);
  const copy = join(makeTempFolder(), 'copy');
  cpSync(folder, copy, { recursive: true });
  await removeMember(session);
  // Rewritten backups have other names, and state what was removed.
  cpSync(copy, folder, { recursive: true });
  expect(manifestsIn(folder)).toHaveLength(4);
  for (const daysAgo of [0, 1]) expect(await restored(folder, daysAgo)).toEqual(other());
});

test('a removed document is removed from every backup’s parts, unless others have it', async () => {
  const session = await openCopy();
  const folder = await backUpTwice(session);
  const parts = () => readdirSync(join(backupsIn(folder), 'parts'));
  const before = parts();
  const { documents } = await session.call('reviews:get', { workspaceId, claimId });
  const sha256 = documents[0]?.sha256 as string;
  await session.call('documents:remove', { workspaceId, claimId, sha256 });
  await settled(session);
  expect(await restored(folder, 1)).toEqual({ ...both(), documents: 1 });
  const after = new Set(parts());
  expect(before.filter((name) => !after.has(name))).toHaveLength(1);
});

test('a removed workspace leaves nothing in any backup', async () => {
  const session = await openCopy();
  const folder = await backUpTwice(session);
  await session.call('workspaces:remove', { workspaceId });
  await settled(session);
  for (const daysAgo of [0, 1])
    expect(await restored(folder, daysAgo)).toEqual({ claimIds: [], documents: 0 });
});
