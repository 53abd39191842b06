import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  backUp,
  makeFreshProfile,
  manifestsIn,
  readWritten,
  restoreFrom,
} from '../../support/backed-up-profile.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';
import { openTeamSessions } from '../../support/team-sessions.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

type Session = Awaited<ReturnType<Bench['open']>>;
let bench: Bench;
let session: Session;
let workspaceId: string;

beforeAll(async () => {
  bench = await openBench('--members', '8', '--claims', '40', '--seed', '50');
  session = await bench.open(await bench.newProfile());
  await bench.sync(session);
  workspaceId = (await session.findWorkspace()).id;
});
afterAll(async () => {
  await session.close();
  await bench.close();
});

const memberIds = async (of: Session): Promise<number[]> =>
  (await bench.readAll(of, 'members')).map(({ id }) => id as number);

async function openRestored(folder: string): Promise<{ restored: Session; target: string }> {
  const target = makeFreshProfile();
  const restored = await bench.open(target);
  await restoreFrom(restored, folder);
  return { restored, target };
}

test('after a restore a sync leaves out who was removed, and after that is lifted it does not', async () => {
  const folder = makeTempFolder();
  const [memberId = 0] = await memberIds(session);
  const removal = { kind: 'member', memberId } as const;
  await session.call('data:remove', { workspaceId, removal, typed: String(memberId) });
  await backUp(session, folder);
  const { restored } = await openRestored(folder);
  const { publicKey } = await restored.call('keys:generate', { type: 'ed25519', workspaceId });
  await bench.sandbox.control('POST', '/keys', { name: 'restored', publicKey });
  expect((await bench.sync(restored)).error).toBeNull();
  expect(await memberIds(restored)).toEqual(await memberIds(session));
  expect(await restored.call('store:getState', { workspaceId })).toMatchObject({
    retention: { memberIds: [memberId] },
  });
  await restored.close();

  await session.call('data:liftRetention', { workspaceId });
  await session.call('backup:now', {});
  const lifted = (await openRestored(folder)).restored;
  const key = await lifted.call('keys:generate', { type: 'ed25519', workspaceId });
  await bench.sandbox.control('POST', '/keys', { name: 'lifted', publicKey: key.publicKey });
  await bench.sync(lifted);
  expect(await memberIds(lifted)).toContain(memberId);
  await lifted.close();
});

test('a removed document is in no later backup, and is not counted as missing', async () => {
  const folder = makeTempFolder();
  const claimId = (await bench.readAll(session, 'claims'))[0]?.id as number;
  const bytes = Buffer.from('A receipt that is removed');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const attached = { workspaceId, claimId, document: 'receipt', name: 'receipt.txt' } as const;
  await session.call('documents:attach', { ...attached, file: bytes.toString('base64') });
  await backUp(session, folder);
  await session.call('documents:remove', { workspaceId, claimId, sha256 });
  expect(await session.call('backup:now', {})).toMatchObject({ missing: 0 });
  const { restored, target } = await openRestored(folder);
  await restored.close();
  expect((await readWritten(target))?.documents).toEqual([{ sha256, counts: false, isWhole: false }]);
});

test('a document that its author removes on another computer is removed from this one’s backups', async () => {
  const folder = makeTempFolder();
  const team = await openTeamSessions(makeTempFolder(), ['--members', '6', '--claims', '24', '--seed', '50']);
  const { bench, here, there, workspaceId } = team;
  const claimId = team.all[0] as number;
  const bytes = Buffer.from('A receipt of two computers');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const attached = { workspaceId, claimId, document: 'receipt', name: 'receipt.txt' } as const;
  await here.call('documents:attach', { ...attached, file: bytes.toString('base64') });
  for (const one of [here, there]) await one.call('team:sync', { workspaceId });
  await backUp(here, folder);
  const made = manifestsIn(folder);
  expect(made).toHaveLength(1);
  await there.call('documents:remove', { workspaceId, claimId, sha256 });
  for (const one of [there, here]) await one.call('team:sync', { workspaceId });
  await vi.waitFor(() => expect(manifestsIn(folder)).not.toEqual(made), 30_000);
  await here.call('backup:check', { isFull: false });
  const target = makeFreshProfile();
  const restored = await bench.open(target);
  await restoreFrom(restored, folder);
  await restored.close();
  expect((await readWritten(target))?.documents).toMatchObject([{ sha256, isWhole: false }]);
  await team.close();
});
