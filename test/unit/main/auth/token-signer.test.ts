import { createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { createTokenSigner, type TokenRequest } from '../../../../src/main/auth/token-signer.ts';
import { normalizeJwk, toPublicPem } from '../../../../src/main/keys/private-jwk.ts';
import { DeskError } from '../../../../src/main/lib/errors.ts';

const startMs = Date.UTC(2026, 2, 3, 4, 5, 6) + 789;
const startSeconds = Math.floor(startMs / 1000);

function makeSigner(pair = generateKeyPairSync('ed25519')) {
  const jwk = normalizeJwk(pair.privateKey.export({ format: 'jwk' }));
  const state = { nowMs: startMs, reads: 0, signedAt: [] as number[], isStampRefused: false };
  const signer = createTokenSigner({
    clock: { now: () => state.nowMs },
    originsOf: async () => ['https://claims.example.com'],
    keyRing: {
      readPrivateJwk: async (id) => {
        if (id === 'missing') throw new DeskError('key.unknown');
        state.reads += 1;
        await new Promise((resolve) => setImmediate(resolve));
        return jwk;
      },
      recordSigned: async (_, atMs) => {
        if (state.isStampRefused) throw new DeskError('disk.full');
        state.signedAt.push(atMs);
      },
    },
  });
  const getToken = (request: Partial<TokenRequest> = {}) =>
    signer.getToken({
      keyId: 'k',
      email: 'Ada@Example.test',
      baseUrl: 'https://claims.example.com/api',
      offsetSeconds: 0,
      ...request,
    });
  return { signer, state, getToken, publicKey: createPublicKey(toPublicPem(jwk)) };
}

describe('a token', () => {
  test.each([
    ['EdDSA', () => generateKeyPairSync('ed25519')],
    ['RS256', () => generateKeyPairSync('rsa', { modulusLength: 3072 })],
    ['ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['ES384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['ES512', () => generateKeyPairSync('ec', { namedCurve: 'P-521' })],
  ] as const)('is signed with %s by its type of key', async (algorithm, makePair) => {
    const { getToken, publicKey } = makeSigner(makePair());
    const { token } = await getToken();
    expect(decodeProtectedHeader(token)).toEqual({ alg: algorithm, typ: 'JWT' });
    await jwtVerify(token, publicKey, { algorithms: [algorithm], currentDate: new Date(startMs) });
  });

  test.each([
    [600, null, 'signed'],
    [-600, null, 'signed'],
    [601, null, 'service.clockSkew'],
    [5 * 365 * 86_400, null, 'service.clockSkew'],
    [-86_400, 86_400, 'service.clockSkew'],
    [86_500, 86_400, 'signed'],
    [87_001, 86_400, 'service.clockSkew'],
    [0, 86_400, 'signed'],
  ])('with the clock %i s off, accepted %s: %s', async (offsetSeconds, acceptedOffsetSeconds, outcome) => {
    const { getToken } = makeSigner();
    const signed = getToken({ offsetSeconds, acceptedOffsetSeconds }).then(
      () => 'signed',
      (thrown: DeskError) => thrown.code,
    );
    expect(await signed).toBe(outcome);
  });

  test('has exactly the three claims, 15 minutes, from a few seconds ago', async () => {
    const { getToken } = makeSigner();
    const { token, issuedAt, expiresAt } = await getToken();
    expect(decodeJwt(token)).toEqual({ email: 'Ada@Example.test', iat: issuedAt, exp: expiresAt });
    expect(issuedAt).toBe(startSeconds - 5);
    expect(expiresAt - issuedAt).toBe(900);
  });

  test.each([400, -400, 0.4, -0.9])(
    'is timed by the clock of the service, %s s off',
    async (offsetSeconds) => {
      const { getToken } = makeSigner();
      const { issuedAt } = await getToken({ offsetSeconds });
      const serviceSeconds = startMs / 1000 + offsetSeconds;
      expect(Number.isInteger(issuedAt)).toBe(true);
      expect(serviceSeconds - issuedAt).toBeGreaterThanOrEqual(5);
      expect(serviceSeconds - issuedAt).toBeLessThan(6);
    },
  );
});

describe('a token is reused', () => {
  test('until a minute before its end', async () => {
    const { getToken, state } = makeSigner();
    const first = await getToken();
    state.nowMs = (first.expiresAt - 60) * 1000 - 1;
    expect(await getToken()).toEqual(first);
    state.nowMs += 1;
    const second = await getToken();
    expect(second.token).not.toBe(first.token);
    expect(state.reads).toBe(2);
  });

  test('by the clock of the service, not ours', async () => {
    const { getToken, state } = makeSigner();
    const first = await getToken({ offsetSeconds: 400 });
    state.nowMs = (first.expiresAt - 60 - 400) * 1000 - 1;
    expect(await getToken({ offsetSeconds: 400 })).toEqual(first);
    state.nowMs += 1;
    expect(await getToken({ offsetSeconds: 400 })).not.toEqual(first);
  });

  test.each([3, -3, 0.5])('while the offset moves by %s s', async (offsetSeconds) => {
    const { getToken } = makeSigner();
    const first = await getToken();
    expect(await getToken({ offsetSeconds })).toEqual(first);
  });

  test.each([4, -4, 400, -400])('but not if the offset turns out to be %s s', async (offsetSeconds) => {
    const { getToken } = makeSigner();
    const first = await getToken();
    const second = await getToken({ offsetSeconds });
    expect(second.token).not.toBe(first.token);
    expect(second.issuedAt).toBe(startSeconds - 5 + offsetSeconds);
  });

  test('but not after our clock was set back, because it would be in the future', async () => {
    const { getToken, state } = makeSigner();
    const first = await getToken();
    state.nowMs -= 3600_000;
    const second = await getToken();
    expect(second.issuedAt).toBe(first.issuedAt - 3600);
  });

  test('per key and email', async () => {
    const { getToken, state } = makeSigner();
    await Promise.all([getToken(), getToken({ keyId: 'other' }), getToken({ email: 'b@example.test' })]);
    expect(state.reads).toBe(3);
  });

  test('not if a fresh one is requested, which is then the one reused', async () => {
    const { getToken, state } = makeSigner();
    await getToken();
    state.nowMs += 2000;
    const fresh = await getToken({ isFresh: true });
    expect(fresh.issuedAt).toBe(startSeconds - 3);
    expect(await getToken()).toEqual(fresh);
    expect(state.reads).toBe(2);
  });
});

describe('requests at the same time', () => {
  test('share one signing', async () => {
    const { getToken, state } = makeSigner();
    const tokens = await Promise.all(Array.from({ length: 20 }, () => getToken()));
    expect(new Set(tokens.map(({ token }) => token)).size).toBe(1);
    expect(state.reads).toBe(1);
    expect(state.signedAt).toEqual([startMs]);
  });

  test('for a fresh one share one signing too', async () => {
    const { getToken, state } = makeSigner();
    await getToken();
    await Promise.all(Array.from({ length: 20 }, () => getToken({ isFresh: true })));
    expect(state.reads).toBe(2);
  });

  test('with another clock do not share', async () => {
    const { getToken } = makeSigner();
    const [one, two] = await Promise.all([getToken(), getToken({ offsetSeconds: 400 })]);
    expect(two.issuedAt - one.issuedAt).toBe(400);
  });
});

describe('what goes wrong', () => {
  test('keeps its code, and is tried again', async () => {
    const { getToken } = makeSigner();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(getToken({ keyId: 'missing' })).rejects.toMatchObject({ code: 'key.unknown' });
    }
  });

  test('with the stamp does not prevent a token', async () => {
    const { getToken, state } = makeSigner();
    state.isStampRefused = true;
    expect((await getToken()).token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  });
});

describe('forgetting', () => {
  test('drops the tokens of one key, or all', async () => {
    const { signer, getToken, state } = makeSigner();
    await getToken();
    await getToken({ keyId: 'other' });
    signer.forget('k');
    await getToken();
    await getToken({ keyId: 'other' });
    expect(state.reads).toBe(3);
    signer.forget();
    await getToken();
    await getToken({ keyId: 'other' });
    expect(state.reads).toBe(5);
  });

  test('reaches a token that is being signed', async () => {
    const { signer, getToken, state } = makeSigner();
    const running = getToken();
    signer.forget();
    await running;
    await getToken();
    expect(state.reads).toBe(2);
  });
});

test('jose accepts the JWK of every type', async () => {
  const { importJWK } = await import('jose');
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-521' });
  const jwk = normalizeJwk(pair.privateKey.export({ format: 'jwk' }) as JsonWebKey & Record<string, unknown>);
  await expect(importJWK(jwk, 'ES512')).resolves.toBeDefined();
});
