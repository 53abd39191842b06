import type { KeyObject } from 'node:crypto';
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import {
  bits,
  boolean,
  explicit,
  implicit,
  integer,
  objectId,
  octets,
  sequence,
  setOf,
  time,
  utf8,
} from './der.ts';

export type TlsMode = 'good' | 'wrong-host' | 'expired' | 'unknown-authority';

export type TlsIdentity = { readonly key: string; readonly cert: string };

type Authority = {
  readonly name: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly pem: string;
};

const DAY_MS = 86_400_000;
const ECDSA_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'));
const OID = {
  commonName: '2.5.4.3',
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  altName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
} as const;

/**
 * A certificate authority for the lifetime of the sandbox, and server certificates signed by it: valid ones, and ones
 * with exactly one fault. Everything is made at run time; nothing here protects anything.
 */
export class CertificateMaker {
  private readonly authority = makeAuthority('Claimdesk Sandbox Authority');

  /** The authority that a client should trust. For `unknown-authority` another one signed. */
  get caPem(): string {
    return this.authority.pem;
  }

  /** A key and the certificate for a server on loopback. */
  issue(mode: TlsMode): TlsIdentity {
    const issuer =
      mode === 'unknown-authority' ? makeAuthority('Nobody Knows This Authority') : this.authority;
    const { privateKey, publicKey } = newKeys();
    const now = Date.now();
    const names =
      mode === 'wrong-host' ? [dnsName('other-host.example')] : [dnsName('localhost'), ipName('127.0.0.1')];
    const cert = makeCertificate({
      issuer,
      subject: 'sandbox',
      publicKey,
      fromMs: now - 30 * DAY_MS,
      untilMs: mode === 'expired' ? now - DAY_MS : now + 30 * DAY_MS,
      extensions: [
        extension(OID.basicConstraints, sequence(), true),
        extension(OID.keyUsage, bits(Buffer.from([0x80]), 7), true),
        extension(OID.extendedKeyUsage, sequence(objectId(OID.serverAuth))),
        extension(OID.altName, sequence(...names)),
      ],
    });
    return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, cert };
  }
}

function newKeys() {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
}

function makeAuthority(name: string): Authority {
  const { privateKey, publicKey } = newKeys();
  const bare = { name, privateKey, publicKey, pem: '' };
  const pem = makeCertificate({
    issuer: bare,
    subject: name,
    publicKey,
    fromMs: Date.now() - 60 * DAY_MS,
    untilMs: Date.now() + 365 * DAY_MS,
    extensions: [
      extension(OID.basicConstraints, sequence(boolean(true)), true),
      extension(OID.keyUsage, bits(Buffer.from([0x06]), 1), true),
    ],
  });
  return { ...bare, pem };
}

type CertificateParts = {
  readonly issuer: Authority;
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly extensions: readonly Buffer[];
};

/** RFC 5280, section 4.1. */
function makeCertificate(parts: CertificateParts): string {
  const version3 = explicit(0, integer(Buffer.from([2])));
  const serial = integer(Buffer.concat([Buffer.from([0x11]), randomBytes(15)]));
  const extensions = [
    ...parts.extensions,
    extension(OID.subjectKeyId, octets(keyId(parts.publicKey))),
    extension(OID.authorityKeyId, sequence(implicit(0, keyId(parts.issuer.publicKey)))),
  ];
  const toSign = sequence(
    version3,
    serial,
    ECDSA_SHA256,
    distinguishedName(parts.issuer.name),
    sequence(time(parts.fromMs), time(parts.untilMs)),
    distinguishedName(parts.subject),
    spki(parts.publicKey),
    explicit(3, sequence(...extensions)),
  );
  const signature = sign('sha256', toSign, { key: parts.issuer.privateKey, dsaEncoding: 'der' });
  const base64 = sequence(toSign, ECDSA_SHA256, bits(signature)).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/(.{64})/g, '$1\n').trimEnd()}\n-----END CERTIFICATE-----\n`;
}

function distinguishedName(commonName: string): Buffer {
  return sequence(setOf(sequence(objectId(OID.commonName), utf8(commonName))));
}

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  return sequence(objectId(id), ...(isCritical ? [boolean(true)] : []), octets(value));
}

const dnsName = (name: string): Buffer => implicit(2, Buffer.from(name));
const ipName = (address: string): Buffer => implicit(7, Buffer.from(address.split('.').map(Number)));

function spki(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}

function keyId(key: KeyObject): Buffer {
  return createHash('sha1').update(spki(key)).digest();
}
