import { toKeyOrigin } from '../keys/key-origins.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { kindOf } from '../keys/key-types.ts';
import type { PrivateJwk } from '../keys/private-jwk.ts';
import type { Clock } from '../lib/clock.ts';
import { DeskError } from '../lib/errors.ts';
import { isOffsetAllowed, isSameOffset, isTokenUsable, planTokenTimes } from './token-times.ts';

/** A signed token; times are seconds since the Unix epoch by the service's clock. */
type SignedToken = { token: string; issuedAt: number; expiresAt: number };

export type TokenRequest = {
  keyId: string;
  email: string;
  /** The address of the service that the token is for: a key signs only for the services it is bound to. */
  baseUrl: string;
  /** The service's clock minus this computer's, by its `Date` header; 0 while unknown. */
  offsetSeconds: number;
  /** An offset beyond ten minutes that the user has accepted; null: none. */
  acceptedOffsetSeconds?: number | null | undefined;
  /** Signs a new token even if a usable one is held: used after the service refused a token. */
  isFresh?: boolean | undefined;
};

export interface TokenSigner {
  /** @throws DeskError `service.clockSkew` (`details.offsetSeconds`), `key.otherService`, `key.unknown`, `key.damaged`, `keychain.*`, `vault.*` */
  getToken(request: TokenRequest): Promise<SignedToken>;
  /** Drops the tokens in memory: those of one key that is removed or replaced, or all of them when Claimdesk locks. */
  forget(keyId?: string): void;
}

type SignerPorts = {
  keyRing: Pick<KeyRing, 'readPrivateJwk' | 'recordSigned'>;
  /** The services that a key may sign for. */
  originsOf: (keyId: string) => Promise<readonly string[]>;
  clock: Clock;
};

/**
 * Makes the signer of SSH-JWTs (docs/service.md, "SSH-JWT"): exactly `email`, `iat`, `exp`, 15 minutes,
 * the algorithm of the key's type, reused until 60 s before its end. Requests at the same time share one
 * signing, so that a sync with many connections asks the keychain once.
 */
export function createTokenSigner({ keyRing, originsOf, clock }: SignerPorts): TokenSigner {
  const held = new Map<string, SignedToken & { offsetSeconds: number }>();
  const inFlight = new Map<string, { offsetSeconds: number; signed: Promise<SignedToken> }>();
  let generation = 0;

  const sign = async (
    { keyId, email, baseUrl, offsetSeconds }: TokenRequest,
    origins: readonly string[],
  ): Promise<SignedToken> => {
    const jwk = await keyRing.readPrivateJwk(keyId, baseUrl);
    // The time is read after the keychain has answered: if it prompts the user, that may take minutes.
    const nowMs = clock.now();
    const times = planTokenTimes(nowMs, offsetSeconds);
    const token = await signToken(jwk, { email, ...times });
    // A time of use that cannot be stored (read-only profile, full disk) must not prevent requests.
    await keyRing.recordSigned(keyId, nowMs, origins).catch(() => undefined);
    return { token, ...times };
  };

  return {
    getToken: async (request) => {
      const { keyId, email, baseUrl, offsetSeconds, isFresh = false } = request;
      if (!isOffsetAllowed(offsetSeconds, request.acceptedOffsetSeconds ?? null))
        throw new DeskError('service.clockSkew', { details: { offsetSeconds } });
      // Read before the first `await`: if `forget` is called while this token is being signed, the token is not kept.
      const startedIn = generation;
      const origin = toKeyOrigin(baseUrl);
      const origins = await originsOf(keyId);
      if (!origins.includes(origin)) throw new DeskError('key.otherService', { details: { keyId } });
      const slot = `${keyId}\n${origin}\n${email}`;
      const existing = held.get(slot);
      if (!isFresh && existing !== undefined && isTokenUsable(existing, clock.now(), offsetSeconds))
        return toAnswer(existing);
      const running = inFlight.get(slot);
      if (running !== undefined && isSameOffset(running.offsetSeconds, offsetSeconds)) return running.signed;

      const signed = sign(request, origins).then((token) => {
        if (startedIn === generation) held.set(slot, { ...token, offsetSeconds });
        return token;
      });
      const entry = { offsetSeconds, signed };
      inFlight.set(slot, entry);
      return signed.finally(() => {
        if (inFlight.get(slot) === entry) inFlight.delete(slot);
      });
    },
    forget: (keyId) => {
      generation += 1;
      inFlight.clear();
      for (const slot of held.keys()) {
        if (keyId === undefined || slot.startsWith(`${keyId}\n`)) held.delete(slot);
      }
    },
  };
}

function toAnswer({ token, issuedAt, expiresAt }: SignedToken): SignedToken {
  return { token, issuedAt, expiresAt };
}

async function signToken(
  jwk: PrivateJwk,
  claims: { email: string; issuedAt: number; expiresAt: number },
): Promise<string> {
  // Loaded with the first token, because a start needs no token.
  const { importJWK, SignJWT } = await import('jose');
  const { algorithm } = kindOf(jwk);
  const key = await importJWK(jwk, algorithm);
  return new SignJWT({ email: claims.email, iat: claims.issuedAt, exp: claims.expiresAt })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .sign(key);
}
