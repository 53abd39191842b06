import type { Policy } from '../../../src/contract/policy.ts';
import type { Handlers, MainProcedureName } from '../../../src/contract/procedures.ts';
import {
  defaultSettings,
  type Settings,
  type SshKey,
  type Workspace,
} from '../../../src/contract/workspace.ts';
import { type Emit, FakeError, type FakeStart } from './fake-desk.ts';
import { examineFake } from './fake-doctor.ts';
import { createFakeKeys } from './fake-keys.ts';

const done = { isDone: true } as const;

/** Every rule that there is. */
const strictPolicy: Policy = {
  allowedServices: ['https://claims.example.com'],
  allowSsnExport: false,
  requireExportReason: true,
  maxLockMinutes: 5,
  requireUnlockPassphrase: true,
  allowUpdates: false,
  minAuditYears: 7,
};

function makeKey(id: string, name: string, provenAt: string | null): SshKey {
  return {
    id,
    name,
    type: 'ed25519',
    bits: 256,
    fingerprint: 'SHA256:kA7fP0cXw2n1qZ0yJm9gq3H8Tt5uVbLrC4dEe6sFiGo',
    publicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHqk2yD0l1cQ0yU3pX5i9v7b6n4m2w8e1r3t5y7u9i0o claimdesk',
    createdAt: '2026-02-01T09:00:00Z',
    lastSignedAt: provenAt,
    provenAt,
    workspaceIds: [],
    isSample: false,
  };
}

const sampleWorkspace: Workspace = {
  id: 'sample',
  name: 'Sample data',
  baseUrl: 'http://127.0.0.1:4011',
  email: 'sample@claimdesk.invalid',
  header: 'Authorization',
  scheme: 'SSH-JWT',
  color: 'orange',
  isSample: true,
  keyId: 'key-sample',
  createdAt: '2026-02-01T09:00:00Z',
};

const realWorkspace: Workspace = {
  ...sampleWorkspace,
  baseUrl: 'https://claims.example.com',
  email: 'admin@example.com',
  color: 'blue',
  isSample: false,
};

/** The main process's procedures, in memory. */
export function createFakeMain(start: FakeStart, emit: Emit): Partial<Handlers<MainProcedureName>> {
  /** Set by a look at what an organization prescribes. */
  const isRuled = sessionStorage.getItem('fake-policy') === 'yes';
  const policy: Policy = isRuled ? strictPolicy : {};
  let hasPassphrase = isRuled;
  let settings: Settings = {
    ...defaultSettings,
    theme: start.theme,
    ...(isRuled ? { lockAfterMinutes: 5, auditYears: 7, installsUpdates: false } : {}),
  };
  let isLocked = sessionStorage.getItem('fake-locked') === 'yes' || start.scene === 'locked';
  let isSampleRunning = true;
  let checks = 0;
  const keys: SshKey[] = [];
  const workspaces: Workspace[] = [];
  let activeId: string | null = null;

  const openWorkspace = (workspace: Workspace) => {
    if (!workspaces.some((known) => known.id === workspace.id)) workspaces.push(workspace);
    activeId = workspace.id;
    emit('workspaces:changed', { activeId });
    return workspace;
  };
  const find = (id: string) => {
    const workspace = workspaces.find((candidate) => candidate.id === id);
    if (workspace === undefined) throw new FakeError('workspace.unknown');
    return workspace;
  };
  const replace = (workspace: Workspace) => {
    workspaces.splice(workspaces.indexOf(find(workspace.id)), 1, workspace);
    emit('workspaces:changed', { activeId });
    return workspace;
  };
  const findKey = (id: string) => {
    const key = keys.find((candidate) => candidate.id === id);
    if (key === undefined) throw new FakeError('key.unknown');
    return key;
  };

  if (['working', 'empty', 'damaged', 'updating'].includes(start.scene)) {
    keys.push(makeKey('key-sample', 'Sample key', '2026-02-01T09:00:00Z'));
    openWorkspace(sampleWorkspace);
  }
  if (start.scene === 'connecting') {
    keys.push(makeKey('key-1', 'Ohio Benefits Trust', null));
    openWorkspace({ ...realWorkspace, id: 'ohio', name: 'Ohio Benefits Trust', keyId: 'key-1' });
  }

  if (start.scene === 'several' || start.scene === 'stopped') {
    const old = {
      ...makeKey('key-1', 'Ohio 2024-11-02', '2026-02-01T09:00:00Z'),
      createdAt: '2024-11-02T09:00:00Z',
    };
    const imported = {
      ...makeKey('key-2', 'Imported from the old computer', null),
      type: 'rsa-4096',
      bits: 4096,
    };
    keys.push(old, imported, {
      ...makeKey('key-sample', 'Sample key', '2026-02-01T09:00:00Z'),
      isSample: true,
    });
    workspaces.push(
      sampleWorkspace,
      { ...realWorkspace, id: 'ohio', name: 'Ohio Benefits Trust', keyId: 'key-1' },
      {
        ...realWorkspace,
        id: 'texas',
        name: 'Texas Teachers Health Plan, second tenant',
        baseUrl: 'https://claims.example.org/tenants/texas-teachers',
        color: 'teal',
        keyId: null,
      },
    );
    activeId = 'ohio';
  }

  return {
    'app:getInfo': () => ({
      version: '0.1.0',
      shell: isRuled ? 'electron' : 'browser',
      canUpdate: isRuled,
      platform: 'linux',
      secrets: { kind: 'keychain', state: 'ready' },
      isReadOnly: false,
      isLocked,
      policy,
      notices: [],
    }),
    'settings:get': () => settings,
    'settings:set': (change) => {
      settings = { ...settings, ...(change as Partial<Settings>) };
      emit('settings:changed', {});
      return settings;
    },
    'workspaces:list': () => ({ workspaces, activeId }),
    'workspaces:add': ({ baseUrl, email, name, color }) => {
      if (!/^https?:\/\//.test(baseUrl)) throw new FakeError('workspace.badUrl');
      const workspace: Workspace = {
        ...sampleWorkspace,
        id: `w${workspaces.length + 1}`,
        name: name ?? new URL(baseUrl).host,
        baseUrl,
        email,
        color: color ?? 'blue',
        isSample: false,
        keyId: null,
      };
      workspaces.push(workspace);
      return workspace;
    },
    'workspaces:activate': ({ workspaceId }) => openWorkspace(find(workspaceId)),
    'workspaces:acceptClock': ({ workspaceId }) => find(workspaceId),
    'workspaces:update': ({ workspaceId, name, color, header, scheme }) => {
      const workspace = find(workspaceId);
      return replace({
        ...workspace,
        name: name ?? workspace.name,
        color: color ?? workspace.color,
        header: header ?? workspace.header,
        scheme: scheme ?? workspace.scheme,
      });
    },
    'workspaces:remove': ({ workspaceId, alsoRemovesKeys }) => {
      const { keyId } = find(workspaceId);
      workspaces.splice(workspaces.indexOf(find(workspaceId)), 1);
      activeId = workspaces[0]?.id ?? null;
      emit('workspaces:changed', { activeId });
      const isUsed = workspaces.some((workspace) => workspace.keyId === keyId);
      if (alsoRemovesKeys !== true || keyId === null || isUsed) return { ...done, removedKeyIds: [] };
      keys.splice(keys.indexOf(findKey(keyId)), 1);
      return { ...done, removedKeyIds: [keyId] };
    },
    'sample:open': () => {
      if (!keys.some((key) => key.id === 'key-sample')) {
        keys.push(makeKey('key-sample', 'Sample key', '2026-02-01T09:00:00Z'));
      }
      return openWorkspace(sampleWorkspace);
    },
    'sample:setServiceRunning': ({ isRunning }) => {
      isSampleRunning = isRunning;
      emit('sample:changed', { isRunning });
      return { isRunning };
    },
    'sample:getState': () => ({ isOpen: activeId === 'sample', isRunning: isSampleRunning }),
    'sample:registerKey': ({ keyId }) => {
      findKey(keyId);
      return done;
    },
    'sample:close': () => {
      workspaces.splice(workspaces.indexOf(find('sample')), 1);
      activeId = workspaces[0]?.id ?? null;
      emit('workspaces:changed', { activeId });
      return done;
    },
    'keys:list': () => ({
      keys: keys.map((key) => ({
        ...key,
        workspaceIds: workspaces.filter(({ keyId }) => keyId === key.id).map(({ id }) => id),
      })),
    }),
    'keys:generate': ({ name, workspaceId }) => {
      const key = makeKey(`key-${keys.length + 1}`, name ?? 'Claimdesk key', null);
      keys.push(key);
      if (workspaceId !== undefined) replace({ ...find(workspaceId), keyId: key.id });
      emit('keys:changed', {});
      return key;
    },
    'keys:use': ({ workspaceId, keyId }) => replace({ ...find(workspaceId), keyId: findKey(keyId).id }),
    'keys:copyPublic': () => ({ isCopied: false }),
    'keys:openRegistration': ({ workspaceId }) => ({
      url: `${find(workspaceId).baseUrl}/settings/ssh`,
      isOpened: false,
    }),
    'keys:check': ({ workspaceId, keyId }) => {
      checks += 1;
      if (checks === 1) throw new FakeError('service.unauthorized', 'req_7fd0c2a9');
      const key = findKey(keyId ?? find(workspaceId).keyId ?? '');
      keys.splice(keys.indexOf(key), 1, { ...key, provenAt: new Date().toISOString() });
      emit('keys:changed', {});
      return {
        keyId: key.id,
        isAccepted: true,
        provenAt: new Date().toISOString(),
        clockOffsetSeconds: 0.4,
        requestId: 'req_1',
      };
    },
    'doctor:run': ({ workspaceId }) => examineFake(find(workspaceId)),
    ...createFakeKeys({
      keys,
      makeKey,
      findWorkspace: find,
      replaceWorkspace: replace,
      listWorkspaces: () => workspaces,
      isStopped: start.scene === 'stopped',
      damaged: start.scene === 'several' ? ['key-9f31c2'] : [],
      settings: () => settings,
      emit,
    }),
    'lock:getState': () => ({ isLocked, needsPassphrase: true, hasRecoveryCode: true }),
    'lock:lock': () => {
      isLocked = true;
      sessionStorage.setItem('fake-locked', 'yes');
      emit('lock:changed', { isLocked });
      return done;
    },
    'lock:unlock': ({ passphrase }) => {
      if (passphrase !== 'open sesame') throw new FakeError('vault.wrongPassphrase');
      isLocked = false;
      sessionStorage.removeItem('fake-locked');
      return done;
    },
    'lock:noteActivity': () => done,
    'unlock:getState': () => ({ hasPassphrase, hasRecoveryCode: hasPassphrase, isPassphraseShort: false }),
    'unlock:setPassphrase': ({ current }) => {
      if (hasPassphrase && current !== 'open sesame') throw new FakeError('vault.wrongPassphrase');
      const recoveryCode = hasPassphrase ? null : '7K2M-Q4XT-9BVD-0RHN-W3ZE-5JGP-8SYA-C6F1';
      hasPassphrase = true;
      return { recoveryCode };
    },
    'unlock:removePassphrase': () => {
      hasPassphrase = false;
      return done;
    },
    'unlock:renewRecoveryCode': () => ({ recoveryCode: '7K2M-Q4XT-9BVD-0RHN-W3ZE-5JGP-8SYA-C6F1' }),
    'unlock:recover': () => {
      isLocked = false;
      sessionStorage.removeItem('fake-locked');
      return done;
    },
    'files:chooseSaveTarget': ({ suggestedName }) => ({
      targetId: 'target-1',
      displayPath: `Downloads/${suggestedName}`,
    }),
  };
}
