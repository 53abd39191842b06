import { compactVerify } from 'jose';
import { z } from 'zod';
import { ApiError } from '../http/api-error.ts';
import type { Account, RegisteredKey } from './account.ts';
import { ALGORITHMS } from './public-keys.ts';

const MAX_TOKEN_LENGTH = 8192;

/**
 * The answer for an unknown email and for a wrong key: the same, so that no one can probe for accounts
 * (docs/service.md, "SSH-JWT").
 */
const NO_MATCH = 'No registered key of this account fits the signature';

const headerSchema = z.looseObject({ alg: z.unknown() });
const payloadSchema = z.record(z.string(), z.unknown());

/**
 * Checks the `Authorization` header of a data API call and returns the key that signed it. The rules and their
 * statuses: docs/service.md, "SSH-JWT".
 *
 * @param nowMs the server's exact clock; there is no tolerance
 * @throws ApiError 400 or 401
 */
export async function checkSshJwt(
  header: string | undefined,
  account: Account,
  nowMs: number,
): Promise<RegisteredKey> {
  const token = tokenOf(header);
  const [headerPart = '', payloadPart = '', signature] = token.split('.');
  const alg = decodePart(headerPart, headerSchema).alg;
  const claims = readClaims(decodePart(payloadPart, payloadSchema));
  if (signature === undefined) throw notDecodable();
  if (!ALGORITHMS.some((algorithm) => algorithm === alg)) {
    throw new ApiError(
      400,
      `The algorithm ${printable(alg)} is not accepted; use one of ${ALGORITHMS.join(', ')}`,
    );
  }
  // A copy, so that deleting a key during the loop does not skip another one.
  const key = account.isEmail(claims.email)
    ? await findKey(token, String(alg), [...account.keys])
    : undefined;
  if (key === undefined) throw new ApiError(401, NO_MATCH);
  if (nowMs >= claims.exp * 1000) throw new ApiError(401, 'The token has expired');
  if (nowMs < claims.iat * 1000) throw new ApiError(401, 'The token is not yet valid');
  key.lastAccessedMs = nowMs;
  return key;
}

function tokenOf(header: string | undefined): string {
  const match = /^([^\s]+)\s+(\S.*)$/.exec(header?.trim() ?? '');
  if (match === null || match[1]?.toLowerCase() !== 'ssh-jwt')
    throw new ApiError(401, 'Authorization: SSH-JWT <token> is required');
  const token = match[2] ?? '';
  if (token.length > MAX_TOKEN_LENGTH || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) throw notDecodable();
  return token;
}

const notDecodable = (): ApiError => new ApiError(400, 'The token could not be decoded');

function decodePart<T>(part: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(
      JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(part, 'base64url'))),
    );
  } catch {
    throw notDecodable();
  }
}

type Claims = { readonly email: string; readonly iat: number; readonly exp: number };

/** Requires exactly the three documented claims; the error has the name of a missing, invalid or additional one. */
function readClaims(payload: Readonly<Record<string, unknown>>): Claims {
  const { email, iat, exp, ...extra } = payload;
  for (const [name, value] of Object.entries({ email, iat, exp })) {
    if (value === undefined || value === null) throw new ApiError(400, `The claim ${name} is missing`);
  }
  if (typeof email !== 'string' || email === '') throw new ApiError(400, 'The claim email must be a string');
  const extraName = Object.keys(extra)[0];
  if (extraName !== undefined) throw new ApiError(400, `The claim ${printable(extraName)} is not expected`);
  return { email, iat: wholeSeconds('iat', iat), exp: wholeSeconds('exp', exp) };
}

function wholeSeconds(name: string, value: unknown): number {
  if (!Number.isSafeInteger(value)) throw new ApiError(400, `The claim ${name} must be whole seconds`);
  return value as number;
}

/** Tries each key in turn; a key whose type does not match the `alg` is skipped. */
async function findKey(
  token: string,
  alg: string,
  keys: readonly RegisteredKey[],
): Promise<RegisteredKey | undefined> {
  for (const key of keys) {
    if (key.algorithm !== alg) continue;
    try {
      await compactVerify(token, key.key, { algorithms: [alg] });
      return key;
    } catch {
      // Not signed by this key; the next one may match.
    }
  }
  return undefined;
}

function printable(value: unknown): string {
  const text = typeof value === 'string' ? value : String(JSON.stringify(value));
  return text.slice(0, 40).replaceAll(/[^\x20-\x7e]/g, '?');
}
