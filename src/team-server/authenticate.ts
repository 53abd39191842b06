import { errors, jwtVerify } from 'jose';
import { maxTokenSeconds } from '../team-protocol/api.ts';
import { computerIdOf, digestSchema } from '../team-protocol/entry.ts';
import { readSigningKey } from '../team-protocol/sign-entry.ts';
import { ApiError } from './api-error.ts';

/** How far a computer's clock may be off. */
const toleranceSeconds = 60;
const maxTokenLength = 2_000;
/** The most tokens that are cached, so that each signature is verified once. */
const maxRemembered = 5_000;

/** The claimed sender of a request, before verification. */
export function readToken(authorization: string | undefined): { token: string; computer: string } {
  const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(authorization ?? '')?.[1];
  if (token === undefined || token.length > maxTokenLength) throw new ApiError('token.missing');
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return { token, computer: digestSchema.parse((claims as { sub?: unknown }).sub) };
  } catch {
    throw new ApiError('token.invalid');
  }
}

/** Verifies tokens of computers for this server. */
export function createAuthenticator(audience: () => string, now: () => number) {
  const remembered = new Map<string, { computer: string; expMs: number }>();
  return {
    /** @throws ApiError `token.invalid`, `token.expired` */
    async verify(token: string, computer: string, signingKey: string): Promise<void> {
      // The cache below goes by computer alone, so the key must be that computer's.
      if (computerIdOf(Buffer.from(signingKey, 'base64url')) !== computer)
        throw new ApiError('token.invalid');
      const before = remembered.get(token);
      if (before !== undefined && before.computer === computer && before.expMs > now()) return;
      const exp = await verifyToken(token, computer, signingKey, audience(), now());
      if (remembered.size >= maxRemembered) remembered.clear();
      remembered.set(token, { computer, expMs: exp * 1_000 });
    },
  };
}

async function verifyToken(
  token: string,
  computer: string,
  signingKey: string,
  audience: string,
  nowMs: number,
): Promise<number> {
  try {
    const { payload } = await jwtVerify(token, readSigningKey(Buffer.from(signingKey, 'base64url')), {
      algorithms: ['EdDSA'],
      audience,
      subject: computer,
      requiredClaims: ['iat', 'exp'],
      clockTolerance: toleranceSeconds,
      currentDate: new Date(nowMs),
      maxTokenAge: maxTokenSeconds,
    });
    const { iat = 0, exp = Number.POSITIVE_INFINITY } = payload;
    if (exp - iat > maxTokenSeconds) throw new ApiError('token.invalid');
    return exp;
  } catch (thrown) {
    if (thrown instanceof ApiError) throw thrown;
    const isOfTime =
      thrown instanceof errors.JWTExpired ||
      (thrown instanceof errors.JWTClaimValidationFailed && ['iat', 'exp', 'nbf'].includes(thrown.claim));
    throw new ApiError(isOfTime ? 'token.expired' : 'token.invalid');
  }
}
