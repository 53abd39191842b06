import { z } from 'zod';
import type { DoctorFacts } from '../../contract/doctor.ts';
import type { FindingCode } from '../../contract/doctor-findings.ts';
import { findKind } from '../keys/key-types.ts';

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
  if (header === null || claims === null || signature === '' || more.length > 0) {
    return { code: 'token.wrongForm', facts: {} };
  }
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
