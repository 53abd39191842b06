/**
 * Rotates the key of the one workspace in the profile given, as a desk does, against a running service and the
 * system's keychain: taken up where it stands, begun if it has not been, and gone on with to its end.
 */

import type { DeskState, EngineHandle } from '../../../src/main/desk/desk-state.ts';
import { createMainCalls } from '../../../src/main/desk/main-calls.ts';
import { openSpace, tidySpace } from '../../../src/main/desk/spaces.ts';
import { createEngine } from '../../../src/main/engine/engine.ts';
import { createUndiciTransport } from '../../../src/main/engine/service/undici-transport.ts';
import { systemClock as clock } from '../../../src/main/lib/clock.ts';
import { toErrorReport } from '../../../src/main/lib/errors.ts';
import { createLog } from '../../../src/main/lib/log.ts';
import {
  answerRotation,
  beginRotation,
  createRotations,
  resumeRotation,
} from '../../../src/main/rotation/rotation-runner.ts';
import { createSettingsFile } from '../../../src/main/workspaces/settings-file.ts';
import { deleteKeyAt, registerKeyAt } from '../../support/key-page.ts';
import { openProfileSecrets } from '../../support/profile-secrets.ts';

/** `accepted`, or the code of what went wrong. */
export type RotationRun = { before: string; after: string };
/** Every act of the rotation, ours and the person's, passes here. */
export type Perform = <T>(act: () => Promise<T>) => Promise<T>;

/** Lets a killer stand at each method of a port that changes something that a resumption would miss. */
function watch<T extends object>(perform: Perform, port: T, methods: readonly (keyof T)[]): T {
  return new Proxy(port, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (!methods.includes(name as keyof T) || typeof method !== 'function') return method;
      return (...args: unknown[]) => perform(() => method.apply(target, args) as Promise<unknown>);
    },
  });
}

const never = (): never => {
  throw new Error('No rotation does this.');
};

/** A desk as far as a rotation needs one: real keys, workspaces, journal and keychain, an engine in this process. */
function openDesk(profileDir: string, perform: Perform) {
  const passphrase = process.env.CLAIMDESK_VAULT_PASSPHRASE ?? '';
  const deskSecrets = openProfileSecrets(profileDir, { passphrase });
  const secrets = watch(perform, deskSecrets.store, ['set', 'delete']);
  const plain = openSpace({ profileDir, secrets, anchors: secrets, clock, isSample: false });
  const real = {
    ...plain,
    keyRing: watch(perform, plain.keyRing, ['generate', 'recordProven', 'remove']),
    book: watch(perform, plain.book, ['setKey']),
    journal: watch(perform, plain.journal, ['begin', 'record', 'correct', 'close']),
  };
  const log = createLog({ filePath: null, clock });
  const { transport, close: closeTransport } = createUndiciTransport(process.env);
  const state: DeskState = {
    ports: {
      ...{
        shell: 'cli',
        version: '0',
        profileDir,
        environment: process.env,
        clock,
        log,
        policy: {},
        isReadOnly: false,
      },
      startEngine: never,
      startSampleService: never,
      openUrl: never,
      writeClipboard: never,
      clearClipboard: never,
      chooseSavePath: never,
    },
    secrets: deskSecrets,
    settings: createSettingsFile({ profileDir, listWorkspaces: real.book.list }),
    real,
    sample: null,
    activeSampleId: null,
    isLocked: false,
    emit: () => undefined,
    getEngine: async () => engine,
    endEngine: async () => undefined,
    saveTargets: new Map(),
    heldKeyFiles: new Map(),
    recordFirst: never,
    audit: async () => undefined,
  };
  const main = createMainCalls(state);
  const engine: EngineHandle = {
    ...createEngine({
      profileDir,
      main,
      secrets,
      anchors: secrets,
      transport,
      clock,
      log,
      policy: {},
      isReadOnly: false,
    }),
    onEnded: () => undefined,
  };
  const close = async (): Promise<void> => {
    await engine.close();
    await closeTransport();
  };
  return { real, engine, rotations: createRotations(state), close };
}

/** Throws where the rotation stops for anything but the user. */
export async function rotateToTheEnd(
  { profileDir, baseUrl, email }: { profileDir: string; baseUrl: string; email: string },
  onAct: Perform,
): Promise<RotationRun> {
  let isWatching = false;
  const perform: Perform = (act) => (isWatching ? onAct(act) : act());
  const { real, engine, rotations, close } = openDesk(profileDir, perform);
  await tidySpace(real);
  if ((await real.book.list()).length === 0) {
    const { id } = await real.book.add({ baseUrl, email });
    const key = await real.keyRing.generate({ type: 'ed25519', name: 'Front desk', baseUrl });
    await registerKeyAt(baseUrl, key.publicKey);
    await real.book.setKey(id, key.id);
  }
  const { id: workspaceId } = await real.book.resolve();
  /** Returns the service's answer to the key that the workspace signs with now. */
  const tryKey = (): Promise<string> =>
    engine.probe({ workspaceId }).then(
      () => 'accepted',
      (error: unknown) => toErrorReport(error).code,
    );
  const before = await tryKey();
  isWatching = true;

  let rotation = await resumeRotation(rotations, real, workspaceId);
  // Killed before its beginning was noted: the old key is there, and nothing else.
  const [oldest] = await real.keyRing.list();
  if (rotation === null && oldest?.name === 'Front desk') {
    rotation = await beginRotation(rotations, real, workspaceId, undefined);
  }
  while (rotation !== null && !rotation.isOver) {
    if (rotation.problem !== null) throw new Error(`It stopped with ${rotation.problem.code}.`);
    const { newKey, oldKey } = rotation;
    switch (rotation.step) {
      case 'made':
        await perform(() => registerKeyAt(baseUrl, newKey?.publicKey ?? ''));
        rotation = await answerRotation(rotations, real, workspaceId, 'registered');
        break;
      case 'switched':
        rotation = await answerRotation(rotations, real, workspaceId, 'othersSwitched');
        break;
      case 'confirmed':
        await perform(() => deleteKeyAt(baseUrl, oldKey?.publicKey ?? ''));
        rotation = await answerRotation(rotations, real, workspaceId, 'oldDeleted');
        break;
      default:
        throw new Error(`A person has nothing to do at ${rotation.step}.`);
    }
  }
  isWatching = false;
  const after = await tryKey();
  await close();
  return { before, after };
}
