import { errorTable } from '../../../src/contract/error-codes.ts';
import type { Handlers } from '../../../src/contract/procedures.ts';
import type { RotationState, RotationStep } from '../../../src/contract/rotation.ts';
import type { Settings, SshKey, Workspace } from '../../../src/contract/workspace.ts';
import { type Emit, FakeError } from './fake-desk.ts';

/** What the fake's keys share with the rest of its main process. */
export interface FakeKeyPorts {
  readonly keys: SshKey[];
  readonly makeKey: (id: string, name: string, provenAt: string | null) => SshKey;
  readonly findWorkspace: (id: string) => Workspace;
  readonly replaceWorkspace: (workspace: Workspace) => Workspace;
  readonly listWorkspaces: () => readonly Workspace[];
  /** A rotation of the first workspace is under way, and the service cannot be reached. */
  readonly isStopped: boolean;
  /** Ids of keys whose files cannot be read. */
  readonly damaged: string[];
  readonly settings: () => Settings;
  readonly emit: Emit;
}

type Names =
  | 'keys:import'
  | 'keys:backUp'
  | 'keys:savePublic'
  | 'keys:describe'
  | 'keys:rename'
  | 'keys:listDamaged'
  | 'keys:retire'
  | 'rotation:begin'
  | 'rotation:get'
  | 'rotation:answer'
  | 'rotation:resume';

type Waiting = Pick<RotationState, 'nextTask' | 'needsPerson' | 'isOver'>;
const person = (nextTask: RotationState['nextTask']): Waiting => ({
  nextTask,
  needsPerson: true,
  isOver: false,
});
const over: Waiting = { nextTask: 'none', needsPerson: false, isOver: true };
/** The steps at which the fake ever stands: its own part never fails. */
const waiting: Partial<Record<RotationStep, Waiting>> = {
  made: person('register'),
  switched: person('askOthers'),
  confirmed: person('deleteOld'),
  retired: over,
  kept: over,
  canceled: over,
};
const stepAfter: Record<string, Partial<Record<RotationStep, RotationStep>>> = {
  registered: { made: 'switched' },
  othersSwitched: { switched: 'confirmed' },
  oldDeleted: { confirmed: 'retired' },
  keepOld: { switched: 'kept', confirmed: 'kept' },
  cancel: { made: 'canceled' },
};

/** Import, backup, rotation and the rest of a key's life, in memory. */
export function createFakeKeys(ports: FakeKeyPorts): Handlers<Names> {
  const { keys, emit } = ports;
  const rotations = new Map<string, RotationState>();
  const find = (id: string): SshKey => {
    const key = keys.find((candidate) => candidate.id === id);
    if (key === undefined) throw new FakeError('key.unknown');
    return key;
  };
  const drop = (id: string): void => {
    keys.splice(keys.indexOf(find(id)), 1);
    emit('keys:changed', {});
  };
  const at = (rotation: RotationState, step: RotationStep): RotationState => ({
    ...rotation,
    ...(waiting[step] ?? over),
    step,
    oldKey: keys.find(({ id }) => id === rotation.oldKeyId) ?? null,
    newKey: keys.find(({ id }) => id === rotation.newKeyId) ?? null,
    changedAt: new Date().toISOString(),
  });

  const makeStopped = (workspaceId: string): RotationState => {
    const [old, made] = keys;
    const at = '2026-03-01T09:00:00Z';
    return {
      id: 'rotation-stopped',
      workspaceId,
      step: 'registered',
      nextTask: 'prove',
      needsPerson: false,
      isOver: false,
      setback: null,
      problem: { code: 'service.unreachable', ...errorTable['service.unreachable'] },
      newKeyType: 'ed25519',
      oldKeyId: old?.id ?? '',
      newKeyId: made?.id ?? '',
      oldKey: old ?? null,
      newKey: made ?? null,
      startedAt: at,
      changedAt: at,
    };
  };

  return {
    'keys:import': ({ source, passphrase, name, workspaceId }) => {
      if (source.kind === 'file' || source.kind === 'clipboard') throw new FakeError('app.unavailable');
      const text = source.kind === 'text' ? source.text : '';
      if (source.kind === 'text' && /^(ssh|ecdsa)-/.test(text.trim())) throw new FakeError('key.publicGiven');
      if (source.kind === 'text' && !text.includes('PRIVATE KEY')) throw new FakeError('key.notAKey');
      const isLocked = text.includes('ENCRYPTED') || source.kind === 'held';
      if (isLocked && passphrase !== 'open sesame') {
        const code = passphrase === undefined ? 'key.passphraseNeeded' : 'key.wrongPassphrase';
        throw new FakeError(code, undefined, { sourceId: 'held-1' });
      }
      const [twin] = keys;
      if (text.includes('TWICE') && twin !== undefined) {
        throw new FakeError('key.duplicate', undefined, { keyId: twin.id, name: twin.name });
      }
      const key = ports.makeKey(`key-${keys.length + 1}`, name ?? 'Imported key', null);
      keys.push(key);
      if (workspaceId !== undefined) {
        const workspace = ports.findWorkspace(workspaceId);
        if (workspace.keyId === null) ports.replaceWorkspace({ ...workspace, keyId: key.id });
      }
      emit('keys:changed', {});
      return key;
    },
    'keys:backUp': ({ keyId, passphrase }) => {
      if (passphrase.length < 8) throw new FakeError('key.weakPassphrase');
      return { displayPath: 'Downloads/backup', keyId, fingerprint: find(keyId).fingerprint };
    },
    'keys:savePublic': ({ keyId }) => ({ displayPath: `Downloads/${find(keyId).id}.pub` }),
    'keys:describe': ({ keyId }) => {
      const { fingerprint, createdAt } = find(keyId);
      const { keyReminderDays } = ports.settings();
      const ageDays = Math.floor((Date.now() - Date.parse(createdAt)) / 86_400_000);
      return {
        keyId,
        sha256: fingerprint,
        md5: 'MD5:16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48',
        randomart: [
          '+--[ED25519 256]--+',
          ...Array(9).fill('|     .o+=*BO.   |'),
          '+----[SHA256]-----+',
        ].join('\n'),
        randomartText: `Fingerprint ${fingerprint}`,
        ageDays,
        reminderDays: keyReminderDays === 0 ? null : keyReminderDays,
        isReminderDue: keyReminderDays > 0 && ageDays >= keyReminderDays,
      };
    },
    'keys:rename': ({ keyId, name }) => {
      const key = { ...find(keyId), name };
      keys.splice(keys.indexOf(find(keyId)), 1, key);
      emit('keys:changed', {});
      return key;
    },
    'keys:listDamaged': () => ({ keys: ports.damaged.map((id) => ({ id, workspaceIds: [] })) }),
    'keys:retire': ({ keyId, typedName }) => {
      if (ports.damaged.includes(keyId)) {
        ports.damaged.splice(ports.damaged.indexOf(keyId), 1);
        emit('keys:changed', {});
        return { isDone: true };
      }
      const users = ports.listWorkspaces().filter((workspace) => workspace.keyId === keyId);
      if (users.length > 0 && typedName !== find(keyId).name) throw new FakeError('key.nameNeeded');
      for (const workspace of users) ports.replaceWorkspace({ ...workspace, keyId: null });
      drop(keyId);
      return { isDone: true };
    },
    'rotation:begin': ({ workspaceId, type = 'ed25519' }) => {
      if (rotations.has(workspaceId)) throw new FakeError('key.rotationRunning');
      const old = find(ports.findWorkspace(workspaceId).keyId ?? '');
      const made = ports.makeKey(`key-${Date.now()}`, old.name, null);
      keys.push(made);
      const now = new Date().toISOString();
      const rotation: RotationState = {
        ...(waiting.made ?? over),
        id: `rotation-${workspaceId}`,
        workspaceId,
        step: 'made',
        setback: null,
        problem: null,
        newKeyType: type,
        oldKeyId: old.id,
        newKeyId: made.id,
        oldKey: old,
        newKey: made,
        startedAt: now,
        changedAt: now,
      };
      rotations.set(workspaceId, rotation);
      emit('rotation:changed', { workspaceId });
      return rotation;
    },
    'rotation:get': ({ workspaceId }) =>
      rotations.get(workspaceId) ?? (ports.isStopped ? makeStopped(workspaceId) : null),
    'rotation:answer': ({ workspaceId, answer }) => {
      const rotation = rotations.get(workspaceId);
      const step = rotation === undefined ? undefined : stepAfter[answer]?.[rotation.step];
      if (rotation === undefined || step === undefined) throw new FakeError('key.rotationOutOfStep');
      const workspace = ports.findWorkspace(workspaceId);
      if (step === 'switched') ports.replaceWorkspace({ ...workspace, keyId: rotation.newKeyId });
      if (step === 'canceled') drop(rotation.newKeyId);
      if (step === 'retired') drop(rotation.oldKeyId);
      const state = at(rotation, step);
      if (state.isOver) rotations.delete(workspaceId);
      else rotations.set(workspaceId, state);
      emit('rotation:changed', { workspaceId });
      return state;
    },
    'rotation:resume': ({ workspaceId }) => rotations.get(workspaceId) ?? null,
  };
}
