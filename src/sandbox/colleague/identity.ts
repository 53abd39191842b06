import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { SignJWT } from 'jose';
import {
  type Certificate,
  certificateNamespace,
  writeCertificateBody,
} from '../../team-protocol/certificate.ts';
import { deriveKeys, publicBytesOf } from '../../team-protocol/derive-keys.ts';
import { computerIdOf, protocolVersion } from '../../team-protocol/entry.ts';

const field = (bytes: Uint8Array | string): Buffer => {
  const content = Buffer.from(bytes as string);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, content]);
};

/** A text's signature by a new Ed25519 SSH key, in OpenSSH's form (PROTOCOL.sshsig). */
function signByNewSshKey(text: string): string {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const type = field('ssh-ed25519');
  const blob = Buffer.concat([type, field(Buffer.from(publicBytesOf(publicKey), 'base64url'))]);
  const [magic, namespace, reserved, name] = [
    Buffer.from('SSHSIG'),
    ...[certificateNamespace, '', 'sha512'].map(field),
  ] as [Buffer, Buffer, Buffer, Buffer];
  const digest = createHash('sha512').update(text, 'utf8').digest();
  const signature = sign(null, Buffer.concat([magic, namespace, reserved, name, field(digest)]), privateKey);
  const version = Buffer.from([0, 0, 0, 1]);
  const content = Buffer.concat([
    ...[magic, version, field(blob), namespace, reserved, name],
    field(Buffer.concat([type, field(signature)])),
  ]);
  const lines = content.toString('base64').match(/.{1,70}/g) ?? [];
  return ['-----BEGIN SSH SIGNATURE-----', ...lines, '-----END SSH SIGNATURE-----', ''].join('\n');
}

/** A member of one team, with a computer. */
export interface Identity {
  readonly email: string;
  readonly computer: string;
  readonly certificate: Certificate;
  readonly signing: KeyObject;
  readonly sealing: KeyObject;
  makeToken(server: string): Promise<string>;
}

export function makeIdentity(email: string, team: string, service: string, now = Date.now): Identity {
  const { signing, sealing } = deriveKeys(randomBytes(32));
  const signingKey = publicBytesOf(signing);
  const computer = computerIdOf(Buffer.from(signingKey, 'base64url'));
  const body = writeCertificateBody({
    protocol: protocolVersion,
    team,
    service,
    email,
    signingKey,
    sealingKey: publicBytesOf(sealing),
  });
  return {
    email,
    computer,
    signing,
    sealing,
    certificate: { body, signature: signByNewSshKey(body) },
    makeToken: (server) => {
      const issuedAt = Math.floor(now() / 1_000);
      return new SignJWT({ sub: computer, aud: server, iat: issuedAt, exp: issuedAt + 240 })
        .setProtectedHeader({ alg: 'EdDSA' })
        .sign(signing);
    },
  };
}
