import { z } from 'zod';
import { type DoctorFacts, type DoctorFinding, finding } from '../../contract/doctor.ts';
import type { DoctorStepId, FindingCode } from '../../contract/doctor-steps.ts';
import type { ErrorCode } from '../../contract/error-codes.ts';
import type { Workspace } from '../../contract/workspace.ts';
import type { TokenRequest } from '../auth/token-signer.ts';
import type { Space } from '../desk/spaces.ts';
import type { SecretStore } from '../keychain/secret-store.ts';
import type { StoredKey } from '../keys/key-files.ts';
import { findKind } from '../keys/key-types.ts';
import { toDeskError } from '../lib/errors.ts';
import { watchLoad } from '../lib/watch-load.ts';

/** "Exactly three claims" (docs/service.md, "SSH-JWT"): one more is as wrong as one less. */
const claimsSchema = z.strictObject({ email: z.string(), iat: z.number().int(), exp: z.number().int() });
const headerSchema = z.looseObject({ alg: z.string() });

/** The service has no tolerance (docs/service.md, "SSH-JWT"); Claimdesk signs 15 minutes, so an hour is odd. */
const maxLifetimeSeconds = 3_600;

/**
 * Checks a token that Claimdesk signed as the service would. `nowSeconds` is the service's time. Only the token's
 * algorithm and lifetime are returned.
 */
export function checkToken(
  token: string,
  expected: { email: string; keyType: string; nowSeconds: number },
): { code: FindingCode; facts: DoctorFacts } {
  const [head = '', body = '', signature = '', ...more] = token.split('.');
  const header = decode(head, headerSchema);
  const claims = decode(body, claimsSchema);
  if (header === null || claims === null || signature === '' || more.length > 0)
    return { code: 'token.wrongForm', facts: {} };
  const facts = {
    ...(/^[A-Za-z0-9]{1,10}$/.test(header.alg) ? { algorithm: header.alg } : {}),
    lifetimeSeconds: claims.exp - claims.iat,
  };
  if (header.alg !== findKind(expected.keyType)?.algorithm) return { code: 'token.wrongAlgorithm', facts };
  if (claims.email.toLowerCase() !== expected.email.toLowerCase())
    return { code: 'token.wrongAccount', facts };
  const areTimesSane =
    claims.iat <= expected.nowSeconds &&
    claims.exp > expected.nowSeconds &&
    facts.lifetimeSeconds > 0 &&
    facts.lifetimeSeconds <= maxLifetimeSeconds;
  return { code: areTimesSane ? 'token.sound' : 'token.wrongTimes', facts };
}

function decode<T>(part: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(Buffer.from(part, 'base64url').toString('utf8')));
  } catch {
    return null;
  }
}

/** Waits for a promise, but not beyond the time limit that all steps share. */
type Within = <T>(promise: Promise<T>) => Promise<T>;

/**
 * Makes one time limit for all steps together: a keychain may be prompting the user, and the doctor does not
 * wait for that.
 */
export function createTimeLimit(limitMs: number): Within {
  const endsAtMs = performance.now() + limitMs;
  return <T>(promise: Promise<T>) => {
    const load = watchLoad();
    return new Promise<T>((resolve, reject) => {
      const leftMs = Math.max(1, endsAtMs - performance.now());
      const timer = setTimeout(() => reject(new TookTooLong(load.isBusy())), leftMs);
      promise.then(resolve, reject).finally(() => clearTimeout(timer));
    }).finally(load.end);
  };
}

class TookTooLong extends Error {
  /** Whether this computer was too busy, so that nothing is known of what was waited for. */
  readonly isBusy: boolean;
  constructor(isBusy: boolean) {
    super();
    this.isBusy = isBusy;
  }
}

const codeOfKeychainError: Readonly<Partial<Record<ErrorCode, FindingCode>>> = {
  'keychain.missing': 'keychain.missing',
  'keychain.locked': 'keychain.locked',
  'keychain.dismissed': 'keychain.dismissed',
  'keychain.entryMissing': 'keychain.entryMissing',
  'keychain.recoverable': 'keychain.recoverable',
  'vault.passphraseNeeded': 'keychain.passphraseNeeded',
  'vault.wrongPassphrase': 'keychain.wrongPassphrase',
  'vault.weakPassphrase': 'keychain.wrongPassphrase',
  'unlock.tooManyTries': 'keychain.wrongPassphrase',
  'vault.damaged': 'keychain.vaultDamaged',
};

const readyOfKind = {
  keychain: 'keychain.ready',
  vault: 'keychain.vaultReady',
  ephemeral: 'keychain.inMemory',
} as const satisfies Record<SecretStore['kind'], FindingCode>;

/** The findings that only main can make: secret store and key. `key` is null where the key cannot sign. */
type KeySpace = Pick<Space, 'secrets' | 'keyRing'>;

/** Opens the workspace's key as a request would, and reports the step that fails. Never rejects. */
export async function examineKey(space: KeySpace, { keyId }: Pick<Workspace, 'keyId'>, within: Within) {
  const keychain = await timed('keychain', () => probeSecrets(space.secrets, within));
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
    else if (opened.startsWith('keychain.') || opened === 'step.notInTime') onOpening = opened;
    const code = opened === null ? 'key.ready' : onOpening === null ? opened : 'step.notTried';
    return { code, ...about };
  });
  // The keychain could be opened but returned no key: the finding belongs to the keychain's step.
  const ofKeychain = onOpening === null ? keychain : { ...keychain, code: onOpening };
  return { findings: [ofKeychain, ofKey], key: key.stored };
}

/** Signs a token as a request would and checks its parts. Never rejects. */
export async function examineToken(
  { signer }: Pick<Space, 'signer'>,
  key: StoredKey | null,
  tokenRequest: Omit<TokenRequest, 'keyId' | 'isFresh'> & { nowMs: () => number },
  within: Within,
): Promise<DoctorFinding> {
  return timed('token', async () => {
    if (key === null) return { code: 'step.notTried' };
    const { nowMs, ...request } = tokenRequest;
    const { email, offsetSeconds } = request;
    try {
      const { token } = await within(signer.getToken({ keyId: key.id, ...request }));
      const nowSeconds = nowMs() / 1000 + offsetSeconds;
      return checkToken(token, { email, keyType: key.type, nowSeconds });
    } catch (thrown) {
      if (thrown instanceof TookTooLong && thrown.isBusy) return { code: 'step.notInTime' };
      const { code } = toDeskError(thrown);
      // The step of the clock reports this.
      if (code === 'service.clockSkew') return { code: 'step.notTried' };
      return { code: 'token.unsigned', facts: { errorCode: code } };
    }
  });
}

/**
 * Reads an entry that does not exist: `null` means that the store is open. The error of a call is more exact than a
 * state, and trying the unlock passphrase a second time would take another second.
 */
async function probeSecrets(secrets: SecretStore, within: Within): Promise<{ code: FindingCode }> {
  try {
    await within(secrets.get('doctor'));
    return { code: readyOfKind[secrets.kind] };
  } catch (thrown) {
    return { code: toKeyCode(thrown) };
  }
}

function toKeyCode(thrown: unknown): FindingCode {
  if (thrown instanceof TookTooLong) return thrown.isBusy ? 'step.notInTime' : 'keychain.noAnswer';
  const { code } = toDeskError(thrown);
  if (code === 'key.unknown') return 'key.gone';
  if (code === 'key.damaged') return 'key.damaged';
  return codeOfKeychainError[code] ?? 'keychain.unreadable';
}

type Found = { code: FindingCode } & Partial<Pick<DoctorFinding, 'facts' | 'shown'>>;

async function timed(id: DoctorStepId, run: () => Promise<Found>): Promise<DoctorFinding> {
  const began = performance.now();
  const result = await run();
  return finding(id, result.code, { ...result, tookMs: performance.now() - began });
}
