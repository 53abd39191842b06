import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { testBytes } from '../../support/seeds.ts';
import { checkReply } from './check-reply.ts';
import { givenSandbox } from './given-sandbox.ts';
import type { TestKey } from './keys.ts';
import {
  ALG_OF,
  claimsFor,
  ecLine,
  KEY_KINDS,
  line,
  makeKey,
  nowSeconds,
  register,
  rsaLine,
  signToken,
} from './keys.ts';
import { startSandbox } from './start-sandbox.ts';

const sandbox = givenSandbox('--members', '20', '--claims', '40');
const keys = Object.fromEntries(KEY_KINDS.map((kind) => [kind, makeKey(kind)])) as Record<string, TestKey>;
const ed = keys.ed25519 as TestKey;

beforeAll(async () => {
  for (const key of Object.values(keys)) expect((await register(sandbox, key)).status).toBe(303);
});

async function call(authorization: string | undefined, path = '/claims?per_page=1') {
  const reply = await fetch(`${sandbox.baseUrl}/api/v2${path}`, {
    headers: authorization === undefined ? {} : { authorization },
  });
  const text = await reply.text();
  const body = text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>);
  if (body !== undefined) await checkReply(sandbox.baseUrl, path, reply.status, body);
  return { status: reply.status, message: String(body?.message ?? ''), reply };
}

const claims = () => claimsFor(sandbox.account.email);
const withToken = (token: string) => call(`SSH-JWT ${token}`);
const withPayload = (payload: object) => withToken(signToken(ed, payload));

describe('interface, SSH-JWT rules 1 and 4: key types and algorithms', () => {
  it.each(KEY_KINDS)('%s: a token signed with the algorithm of the key is accepted', async (kind) => {
    expect((await withToken(signToken(keys[kind] as TestKey, claims()))).status).toBe(200);
  });

  it.each(KEY_KINDS)('%s: a token that states another type of key does not match', async (kind) => {
    const other = kind === 'rsa' ? 'ES256' : 'RS256';
    const { status } = await withToken(signToken(keys[kind] as TestKey, claims(), { alg: other }));
    expect(status).toBe(401);
  });
});

describe('interface, SSH-JWT rule 2: several keys, tried in turn', () => {
  it('a second key of the same type matches while the first one stays, and rotation ends with the old one deleted', async () => {
    const own = await startSandbox('--members', '2', '--claims', '0');
    try {
      const [first, second] = [makeKey('ed25519'), makeKey('ed25519')];
      await register(own, first);
      await register(own, second);
      const status = async (key: TestKey) =>
        (
          await fetch(`${own.baseUrl}/api/v2/claims`, {
            headers: { authorization: `SSH-JWT ${signToken(key, claimsFor(own.account.email))}` },
          })
        ).status;
      expect([await status(first), await status(second)]).toEqual([200, 200]);
      const { data } = await own.control<{ data: { id: string }[] }>('GET', '/keys');
      await fetch(`${own.baseUrl}/settings/ssh/delete`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ id: data[0]?.id ?? '' }),
      });
      expect([await status(first), await status(second)]).toEqual([401, 200]);
    } finally {
      await own.stop();
    }
  });
});

describe('interface, SSH-JWT rule 3: exactly three claims', () => {
  it('email is compared case-insensitively', async () => {
    expect((await withPayload({ ...claims(), email: sandbox.account.email.toUpperCase() })).status).toBe(200);
  });

  it.each(['email', 'iat', 'exp'])(
    '%s missing: 400 that names it (docs/service.md, "SSH-JWT")',
    async (name) => {
      const { status, message } = await withPayload(
        Object.fromEntries(Object.entries(claims()).filter(([key]) => key !== name)),
      );
      expect(status).toBe(400);
      expect(message).toContain(name);
    },
  );

  it.each([
    ['iat', 'soon'],
    ['iat', 1.5],
    ['exp', '1900000000'],
    ['exp', true],
    ['email', 7],
    ['email', ''],
  ])('%s as %j: 400 that names it', async (name, value) => {
    const { status, message } = await withPayload({ ...claims(), [name]: value });
    expect(status).toBe(400);
    expect(message).toContain(name);
  });

  it('a fourth claim: 400 that names it', async () => {
    const { status, message } = await withPayload({ ...claims(), sub: 'x' });
    expect(status).toBe(400);
    expect(message).toContain('sub');
  });
});

describe('interface, SSH-JWT rule 5: the exact clock of the server', () => {
  it('exp in the past: 401, expired', async () => {
    const now = nowSeconds();
    const { status, message } = await withPayload({ ...claims(), iat: now - 900, exp: now - 1 });
    expect(status).toBe(401);
    expect(message).toContain('expired');
  });

  it('iat in the future: rejected', async () => {
    const { status, message } = await withPayload({ ...claims(), iat: nowSeconds() + 60 });
    expect(status).toBe(401);
    expect(message).toContain('not yet valid');
  });

  it('iat of this very second is valid', async () => {
    expect((await withPayload({ ...claims(), iat: nowSeconds() })).status).toBe(200);
  });

  it.each([400, -400])(
    'a server clock %i s off shows in Date and determines the check',
    async (skewSeconds) => {
      await sandbox.control('POST', '/clock', { skewSeconds });
      try {
        const { status, reply } = await withPayload(
          skewSeconds > 0 ? { ...claims(), exp: nowSeconds() + 300 } : claims(),
        );
        expect(status).toBe(401);
        const serverNow = Date.parse(reply.headers.get('date') ?? '');
        expect(Math.abs(serverNow - Date.now() - skewSeconds * 1000)).toBeLessThan(3000);
        const iat = nowSeconds() + skewSeconds;
        expect((await withPayload({ ...claims(), iat, exp: iat + 900 })).status).toBe(200);
      } finally {
        await sandbox.control('POST', '/clock', { skewSeconds: 0 });
      }
    },
  );
});

describe('interface, SSH-JWT rule 6: tokens are not consumed', () => {
  it('one token serves many requests, and each moves last_accessed of the matching key only', async () => {
    const lastAccessed = async () =>
      (
        await sandbox.control<{ data: { name: string; lastAccessed: string | null }[] }>('GET', '/keys')
      ).data.find((key) => key.name === 'p384')?.lastAccessed;
    const token = signToken(keys.p384 as TestKey, claims());
    expect((await withToken(token)).status).toBe(200);
    const first = await lastAccessed();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await withToken(token)).status).toBe(200);
    const second = await lastAccessed();
    expect(Date.parse(second ?? '')).toBeGreaterThan(Date.parse(first ?? ''));
    await withToken(signToken(ed, claims()));
    expect(await lastAccessed()).toBe(second);
  });
});

describe('docs/service.md, "SSH-JWT": how the token travels', () => {
  it.each(['SSH-JWT', 'ssh-jwt', 'Ssh-Jwt'])('the scheme %s is understood', async (scheme) => {
    expect((await call(`${scheme} ${signToken(ed, claims())}`)).status).toBe(200);
  });

  it.each(['Bearer', 'JWT', 'Basic'])('the scheme %s is not: 401', async (scheme) => {
    expect((await call(`${scheme} ${signToken(ed, claims())}`)).status).toBe(401);
  });

  it.each([undefined, '', 'SSH-JWT', 'SSH-JWT '])('no token (%j): 401', async (value) => {
    expect((await call(value)).status).toBe(401);
  });
});

describe('docs/service.md, "SSH-JWT": failures', () => {
  it.each([
    'nonsense',
    'a.b.c',
    'a.b',
    '...',
    `${Buffer.from('[]').toString('base64url')}.${Buffer.from('{}').toString('base64url')}.x`,
    `${Buffer.from('{"alg":"EdDSA"}').toString('base64url')}.${Buffer.from([0xff, 0xfe]).toString('base64url')}.x`,
    testBytes(3000).toString('base64url'),
  ])('not a JWT at all (%.20s): 400, could not be decoded', async (token) => {
    const { status, message } = await withToken(token);
    expect(status).toBe(400);
    expect(message).toContain('could not be decoded');
  });

  it.each(['none', 'HS256', 'PS256', 'ES256K', 'eddsa', 'RS512'])(
    'alg %s is not one of the five: 400 that names it',
    async (alg) => {
      const { status, message } = await withToken(signToken(ed, claims(), { alg }));
      expect(status).toBe(400);
      expect(message).toContain(alg);
    },
  );

  it('an alg that is not a text: 400', async () => {
    expect((await withToken(signToken(ed, claims(), { alg: 7 }))).status).toBe(400);
    expect((await withToken(signToken(ed, claims(), {}))).status).toBe(400);
  });

  it('an unregistered key and an unknown email get one and the same answer, 401', async () => {
    const wrongKey = await withToken(signToken(makeKey('ed25519'), claims()));
    const unknownEmail = await withPayload({ ...claims(), email: 'nobody@sandbox.example' });
    expect([wrongKey.status, unknownEmail.status]).toEqual([401, 401]);
    expect(unknownEmail.message).toBe(wrongKey.message);
    const names = (reply: Response) => [...reply.headers.keys()].sort();
    expect(names(unknownEmail.reply)).toEqual(names(wrongKey.reply));
  });

  it('an expired token of a wrong key does not reveal that the email is known', async () => {
    const now = nowSeconds();
    const bent = { ...claims(), iat: now - 900, exp: now - 5 };
    const known = await withToken(signToken(makeKey('ed25519'), bent));
    const unknown = await withToken(
      signToken(makeKey('ed25519'), { ...bent, email: 'nobody@sandbox.example' }),
    );
    expect(known.message).toBe(unknown.message);
  });

  it('a changed payload under an old signature: 401', async () => {
    const [head, , signature] = signToken(ed, claims()).split('.');
    const payload = Buffer.from(JSON.stringify({ ...claims(), exp: nowSeconds() + 99_999 })).toString(
      'base64url',
    );
    expect((await withToken(`${head}.${payload}.${signature}`)).status).toBe(401);
  });

  it('an address outside the CIDR allowlist: 403, and inside it: 200', async () => {
    const token = signToken(ed, claims());
    await sandbox.control('PUT', '/account', { cidrAllowlist: ['10.0.0.0/8', '2001:db8::/32'] });
    const outside = await withToken(token);
    await sandbox.control('PUT', '/account', { cidrAllowlist: ['127.0.0.0/8'] });
    const inside = await withToken(token);
    await sandbox.control('PUT', '/account', { cidrAllowlist: null });
    expect([outside.status, inside.status]).toEqual([403, 200]);
    expect(outside.reply.headers.get('x-request-id')).toBeTruthy();
  });
});

describe('docs/service.md, "SSH-JWT": keys refused at registration', () => {
  const dsa = () => `ssh-dss ${Buffer.from('AAAA').toString('base64')} x`;
  const secp256k1 = () =>
    ecLine(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey, 'secp256k1');
  const relabelled = () =>
    ecLine(generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).publicKey, 'nistp384');
  const offCurve = () =>
    line(
      'ecdsa-sha2-nistp256',
      Buffer.from('nistp256'),
      Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]),
    );
  const smallRsa = () => rsaLine(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey);
  const privatePem = () => String(makeKey('p256').privateKey.export({ type: 'pkcs8', format: 'pem' }));

  it.each([
    ['DSA', dsa],
    ['ECDSA on secp256k1', secp256k1],
    ['a P-256 point called P-384', relabelled],
    ['a point off its curve', offCurve],
    ['RSA of 1024 bits', smallRsa],
    ['a private key', privatePem],
    ['two keys', () => `${makeKey('ed25519').publicLine}\n${makeKey('ed25519').publicLine}`],
    ['text', () => 'hello'],
    ['nothing', () => ''],
    ['a short ed25519 key', () => line('ssh-ed25519', Buffer.alloc(31, 1))],
    ['a security key', () => line('sk-ssh-ed25519@openssh.com', Buffer.alloc(32, 1), Buffer.from('ssh:'))],
  ])('%s', async (_name, make) => {
    const before = (await sandbox.control<{ data: unknown[] }>('GET', '/keys')).data.length;
    const reply = await register(sandbox, { ...ed, publicLine: make() });
    expect(reply.status).toBe(422);
    expect(await reply.text()).toContain('role="alert"');
    expect((await sandbox.control<{ data: unknown[] }>('GET', '/keys')).data).toHaveLength(before);
  });

  it('the algorithms of all accepted kinds are the five of the table', () => {
    expect(Object.values(ALG_OF).sort()).toEqual(['ES256', 'ES384', 'ES512', 'EdDSA', 'RS256'].sort());
  });
});
