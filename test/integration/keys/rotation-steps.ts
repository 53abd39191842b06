/**
 * Rotates the key of a workspace in the profile given, with a service that is a file, and kills itself before
 * or after the n-th act. Run again without a number, it goes on and prints where everything ended.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getProfileId } from '../../../src/main/keychain/profile-identity.ts';
import { createEphemeralStore } from '../../../src/main/keychain/secret-store.ts';
import { createKeyRing } from '../../../src/main/keys/key-ring.ts';
import { createRotationJournal } from '../../../src/main/keys/rotation-journal.ts';
import { runRotation } from '../../../src/main/keys/run-rotation.ts';
import { systemClock as clock } from '../../../src/main/lib/clock.ts';
import { createWorkspaceBook } from '../../../src/main/workspaces/workspace-book.ts';

const [profileDir = '', killAt = '0', when = 'before'] = process.argv.slice(2);
const servicePath = join(profileDir, 'service.json');
let acts = 0;

/** Every act of the rotation, ours and the person's, passes here. */
async function perform<T>(act: () => Promise<T>): Promise<T> {
  acts += 1;
  const isLast = acts === Number(killAt);
  if (isLast && when === 'before') process.kill(process.pid, 'SIGKILL');
  const result = await act();
  if (isLast) process.kill(process.pid, 'SIGKILL');
  return result;
}

/** Lets a killer stand at each method of a port that changes something; reading leaves nothing to resume. */
function watch<T extends object>(port: T): T {
  return new Proxy(port, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function' || /^(list|find)/.test(String(name))) return method;
      return (...args: unknown[]) => perform(() => method.apply(target, args) as Promise<unknown>);
    },
  });
}

const account = `wrapping-key/${await getProfileId(profileDir)}`;
const secrets = createEphemeralStore([[account, Buffer.alloc(32, 7)]]);
const plainRing = createKeyRing({ profileDir, secrets, clock });
const book = createWorkspaceBook({ profileDir, clock });
const plainJournal = createRotationJournal({ profileDir, clock });
const service = {
  read: () => JSON.parse(readFileSync(servicePath, 'utf8')) as string[],
  write: (keyIds: string[]) => writeFileSync(servicePath, JSON.stringify(keyIds)),
};

if ((await book.list()).length === 0) {
  const { id } = await book.add({ baseUrl: 'https://claims.example.com', email: 'ada@example.test' });
  const key = await plainRing.generate({ type: 'ed25519' });
  await book.setKey(id, key.id);
  service.write([key.id]);
  await plainJournal.begin({ workspaceId: id, oldKeyId: key.id, newKeyType: 'ed25519' });
}

const journal = watch(plainJournal);
const keyRing = watch(plainRing);
const ports = {
  journal,
  keyRing,
  getWorkspaceKeyId: async (id: string) => (await book.get(id)).keyId,
  setWorkspaceKey: (id: string, keyId: string) => perform(async () => void (await book.setKey(id, keyId))),
  isUsedElsewhere: async () => false,
  isAccepted: (_: string, keyId: string) => perform(async () => service.read().includes(keyId)),
};

const workspace = await book.resolve();
for (;;) {
  const rotation = await plainJournal.find(workspace.id);
  if (rotation === null) break;
  const reached = await runRotation(ports, rotation.id);
  switch (reached?.step) {
    case 'made':
      await perform(async () => service.write([...new Set([...service.read(), rotation.newKeyId])]));
      await journal.record(rotation.id, 'registered');
      break;
    case 'switched':
      await journal.record(rotation.id, 'othersSwitched');
      break;
    case 'confirmed':
      await perform(async () => service.write(service.read().filter((id) => id !== rotation.oldKeyId)));
      await journal.record(rotation.id, 'oldDeleted');
      break;
    default:
      break;
  }
}
process.stdout.write(JSON.stringify({ acts }));
