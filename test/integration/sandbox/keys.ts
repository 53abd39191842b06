import type { KeyObject } from 'node:crypto';
import { generateKeyPairSync, sign } from 'node:crypto';
import type { Sandbox } from './start-sandbox.ts';

export const KEY_KINDS = ['ed25519', 'rsa', 'p256', 'p384', 'p521'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

export const ALG_OF: Readonly<Record<KeyKind, string>> = {
  ed25519: 'EdDSA',
  rsa: 'RS256',
  p256: 'ES256',
  p384: 'ES384',
  p521: 'ES512',
};

const CURVES = {
  p256: ['prime256v1', 'nistp256', 'sha256'],
  p384: ['secp384r1', 'nistp384', 'sha384'],
  p521: ['secp521r1', 'nistp521', 'sha512'],
} as const;

/** A key pair for tests: shares no code with the sandbox's reading of keys. */
export type TestKey = { readonly kind: KeyKind; readonly privateKey: KeyObject; readonly publicLine: string };

export function makeKey(kind: KeyKind): TestKey {
  if (kind === 'ed25519') {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const x = fromJwk(publicKey, 'x');
    return { kind, privateKey, publicLine: line('ssh-ed25519', x) };
  }
  if (kind === 'rsa') {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    return { kind, privateKey, publicLine: rsaLine(publicKey) };
  }
  const [namedCurve, sshName] = CURVES[kind];
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve });
  return { kind, privateKey, publicLine: ecLine(publicKey, sshName) };
}

export function rsaLine(publicKey: KeyObject): string {
  return line('ssh-rsa', positive(fromJwk(publicKey, 'e')), positive(fromJwk(publicKey, 'n')));
}

export function ecLine(publicKey: KeyObject, sshName: string): string {
  const point = Buffer.concat([Buffer.from([4]), fromJwk(publicKey, 'x'), fromJwk(publicKey, 'y')]);
  return line(`ecdsa-sha2-${sshName}`, Buffer.from(sshName), point);
}

export function line(name: string, ...parts: Buffer[]): string {
  const framed = [Buffer.from(name), ...parts].flatMap((part) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(part.length);
    return [length, part];
  });
  return `${name} ${Buffer.concat(framed).toString('base64')} test@example`;
}

function fromJwk(key: KeyObject, field: 'n' | 'e' | 'x' | 'y'): Buffer {
  return Buffer.from(String(key.export({ format: 'jwk' })[field]), 'base64url');
}

/** An mpint that starts with a set bit needs a zero byte in front. */
function positive(bytes: Buffer): Buffer {
  return ((bytes[0] ?? 0) & 0x80) === 0 ? bytes : Buffer.concat([Buffer.from([0]), bytes]);
}

export type TokenParts = { readonly header?: object; readonly payload?: object; readonly key?: TestKey };

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A signed token; every part can be bent. */
export function signToken(key: TestKey, payload: object, header: object = { alg: ALG_OF[key.kind] }): string {
  const head = `${part(header)}.${part(payload)}`;
  return `${head}.${signature(key, head).toString('base64url')}`;
}

function signature(key: TestKey, text: string): Buffer {
  const data = Buffer.from(text);
  if (key.kind === 'ed25519') return sign(null, data, key.privateKey);
  if (key.kind === 'rsa') return sign('sha256', data, key.privateKey);
  return sign(CURVES[key.kind][2], data, { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
}

export const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** The three claims, valid for 15 minutes from now. */
export function claimsFor(email: string): { email: string; iat: number; exp: number } {
  const iat = nowSeconds();
  return { email, iat, exp: iat + 900 };
}

/** Registers a key by the form, as a user does. */
export async function register(
  sandbox: Pick<Sandbox, 'baseUrl'>,
  key: TestKey,
  name: string = key.kind,
): Promise<Response> {
  return fetch(`${sandbox.baseUrl}/settings/ssh`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ name, public_key: key.publicLine }),
  });
}
