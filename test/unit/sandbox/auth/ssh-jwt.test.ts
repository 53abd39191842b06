import { expect, it } from 'vitest';
import { Account } from '../../../../src/sandbox/auth/account.ts';
import { checkSshJwt } from '../../../../src/sandbox/auth/ssh-jwt.ts';
import { claimsFor, makeKey, signToken } from '../../../integration/sandbox/keys.ts';

it('a token is valid from its iat until its exp, to the millisecond', async () => {
  const account = new Account('a@b');
  const key = makeKey('ed25519');
  await account.addKey('', key.publicLine, 1);
  const claims = claimsFor('a@b');
  const checkAt = (nowMs: number) => checkSshJwt(`SSH-JWT ${signToken(key, claims)}`, account, nowMs);
  await expect(checkAt(claims.iat * 1000 - 1)).rejects.toThrow('The token is not yet valid');
  expect(await checkAt(claims.iat * 1000)).toBe(account.keys[0]);
  expect(await checkAt(claims.exp * 1000 - 1)).toBe(account.keys[0]);
  await expect(checkAt(claims.exp * 1000)).rejects.toThrow('The token has expired');
});
