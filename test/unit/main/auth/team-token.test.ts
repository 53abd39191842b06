import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { createTeamTokenSigner } from '../../../../src/main/auth/team-token.ts';

const startMs = Date.UTC(2026, 2, 3, 4, 5, 6) + 789;
const startSeconds = Math.floor(startMs / 1_000);
const server = 'https://team.example.com';

function makeSigner() {
  const { privateKey: signing } = generateKeyPairSync('ed25519');
  const state = { nowMs: startMs, opened: 0 };
  const signer = createTeamTokenSigner({ now: () => state.nowMs });
  const openKey = async () => {
    state.opened += 1;
    return { computer: 'this-computer', signing };
  };
  const getToken = (
    wanted: Partial<{ workspaceId: string; server: string; offsetSeconds: number }> = {},
  ): Promise<string> => signer.getToken({ workspaceId: 'w', server, offsetSeconds: 0, openKey, ...wanted });
  const verify = (token: string, audience: string, offsetSeconds = 0) =>
    jwtVerify(token, createPublicKey(signing), {
      algorithms: ['EdDSA'],
      audience,
      subject: 'this-computer',
      currentDate: new Date(state.nowMs + offsetSeconds * 1_000),
      maxTokenAge: 300,
    });
  return { signer, state, getToken, verify, openKey };
}

test('a token is by this computer, for one server, and valid for four minutes in its time', async () => {
  const { getToken, verify } = makeSigner();
  const token = await getToken();
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'EdDSA', typ: 'JWT' });
  const iat = startSeconds - 5;
  expect(decodeJwt(token)).toEqual({ sub: 'this-computer', aud: server, iat, exp: iat + 240 });
  await verify(token, server);
  await expect(verify(token, 'https://other.example.com')).rejects.toMatchObject({ claim: 'aud' });
  const day = 86_400;
  await verify(await getToken({ offsetSeconds: -day }), server, -day);
  await expect(verify(await getToken({ offsetSeconds: day }), server)).rejects.toMatchObject({
    claim: 'iat',
  });
  for (const offsetSeconds of [day + 1, -day - 1])
    await expect(getToken({ offsetSeconds })).rejects.toMatchObject({ code: 'team.clockDiffers' });
});

test('it is used again until a minute before its end', async () => {
  const { state, getToken } = makeSigner();
  const token = await getToken();
  state.nowMs += 174_000;
  expect(await getToken()).toBe(token);
  state.nowMs += 2_000;
  expect(await getToken()).not.toBe(token);
  expect(state.opened).toBe(2);
});

test('another workspace, server, or time of the server has another', async () => {
  const { state, getToken } = makeSigner();
  await getToken();
  for (const other of [{ workspaceId: 'x' }, { server: 'https://b.example.com' }, { offsetSeconds: 60 }])
    await getToken(other);
  expect(state.opened).toBe(4);
});

test('what is forgotten is signed again, including what was being signed', async () => {
  const { signer, state, getToken, openKey } = makeSigner();
  await getToken();
  signer.forget();
  await getToken();
  expect(state.opened).toBe(2);
  const wanted = { workspaceId: 'x', server, offsetSeconds: 0 };
  await signer.getToken({
    ...wanted,
    openKey: () => {
      signer.forget();
      return openKey();
    },
  });
  await signer.getToken({ ...wanted, openKey });
  expect(state.opened).toBe(4);
});
