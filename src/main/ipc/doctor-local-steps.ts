import type { DoctorFinding, DoctorStepId } from '../../contract/doctor.ts';
import type { FindingCode } from '../../contract/doctor-findings.ts';
import type { ErrorCode } from '../../contract/error-codes.ts';
import type { Workspace } from '../../contract/workspace.ts';
import type { SecretStore } from '../keychain/secret-store.ts';
import type { StoredKey } from '../keys/key-files.ts';
import { toDeskError } from '../lib/errors.ts';
import { checkToken } from './doctor-token.ts';
import type { Space } from './spaces.ts';

/** A keychain may be asking a person; the doctor does not wait for the answer. */
const keychainLimitMs = 3_000;

const codeOfKeychainError: Readonly<Partial<Record<ErrorCode, FindingCode>>> = {
  'keychain.missing': 'keychain.missing',
  'keychain.locked': 'keychain.locked',
  'keychain.dismissed': 'keychain.dismissed',
  'keychain.entryGone': 'keychain.entryGone',
  'vault.passphraseNeeded': 'keychain.passphraseNeeded',
  'vault.wrongPassphrase': 'keychain.wrongPassphrase',
  'vault.weakPassphrase': 'keychain.wrongPassphrase',
  'vault.damaged': 'keychain.vaultDamaged',
};

const readyOfKind = {
  keychain: 'keychain.ready',
  vault: 'keychain.vaultReady',
  ephemeral: 'keychain.inMemory',
} as const satisfies Record<SecretStore['kind'], FindingCode>;

/** What main alone can look at: where the secrets lie, and the key. `key` is null where it cannot sign. */
export interface LocalExamination {
  readonly findings: readonly DoctorFinding[];
  readonly key: StoredKey | null;
}

type KeySpace = Pick<Space, 'secrets' | 'keyRing'>;

/** Opens the workspace's key as a request would, and says where that fails. Never rejects. */
export async function examineKey(
  space: KeySpace,
  { keyId }: Pick<Workspace, 'keyId'>,
): Promise<LocalExamination> {
  const keychain = await timed('keychain', () => probeSecrets(space.secrets));
  const key: { stored: StoredKey | null } = { stored: null };
  let onOpening: FindingCode | null = null;
  const ofKey = await timed('key', async () => {
    if (keyId === null) return { code: 'key.none' };
    const stored = await space.keyRing.get(keyId).catch(toKeyCode);
    if (typeof stored === 'string') return { code: stored };
    const facts = {
      keyType: stored.type,
      ...(stored.provenAt === null ? {} : { acceptedOn: stored.provenAt.slice(0, 10) }),
    };
    const about = { facts, shown: { fingerprint: stored.fingerprint } };
    if (keychain.code !== readyOfKind[space.secrets.kind]) return { code: 'step.notTried', ...about };
    const opened = await within(space.keyRing.readPrivateJwk(keyId)).then(() => null, toKeyCode);
    if (opened === null) key.stored = stored;
    else if (opened.startsWith('keychain.')) onOpening = opened;
    const code = opened === null ? 'key.ready' : onOpening === null ? opened : 'step.notTried';
    return { code, ...about };
  });
  // The keychain was open and yet gave nothing: that belongs to its step.
  const ofKeychain = onOpening === null ? keychain : { ...keychain, code: onOpening };
  return { findings: [ofKeychain, ofKey], key: key.stored };
}

/** Signs as a request would and takes the result apart. Never rejects. */
export async function examineToken(
  { signer }: Pick<Space, 'signer'>,
  key: StoredKey | null,
  wanted: { email: string; offsetSeconds: number; nowMs: () => number },
): Promise<DoctorFinding> {
  return timed('token', async () => {
    if (key === null) return { code: 'step.notTried' };
    const { email, offsetSeconds } = wanted;
    try {
      const { token } = await within(signer.getToken({ keyId: key.id, email, offsetSeconds }));
      const nowSeconds = wanted.nowMs() / 1000 + offsetSeconds;
      return checkToken(token, { email, keyType: key.type, nowSeconds });
    } catch (thrown) {
      return { code: 'token.unsigned', facts: { errorCode: toDeskError(thrown).code } };
    }
  });
}

async function probeSecrets(secrets: SecretStore): Promise<{ code: FindingCode }> {
  try {
    const state = await within(secrets.getState());
    if (state === 'ready') return { code: readyOfKind[secrets.kind] };
    // A state has three words; the error of a call says more.
    await within(secrets.get('doctor'));
    return { code: state === 'locked' ? 'keychain.locked' : 'keychain.missing' };
  } catch (thrown) {
    return { code: toKeyCode(thrown) };
  }
}

class TookTooLong extends Error {}

function toKeyCode(thrown: unknown): FindingCode {
  if (thrown instanceof TookTooLong) return 'keychain.noAnswer';
  const { code } = toDeskError(thrown);
  if (code === 'key.unknown') return 'key.gone';
  if (code === 'key.damaged') return 'key.damaged';
  return codeOfKeychainError[code] ?? 'keychain.unreadable';
}

function within<T>(promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TookTooLong()), keychainLimitMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

type Found = { code: FindingCode } & Partial<Pick<DoctorFinding, 'facts' | 'shown'>>;

async function timed(id: DoctorStepId, run: () => Promise<Found>): Promise<DoctorFinding> {
  const began = performance.now();
  const { code, facts = {}, shown = {} } = await run();
  return { id, code, durationMs: Math.round(performance.now() - began), facts, shown };
}
