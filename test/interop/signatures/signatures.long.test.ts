import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keyTypes } from '../../../src/contract/ssh-keys.ts';
import { readFileSignature, signFileDigest } from '../../../src/main/keys/file-signature.ts';
import { generatePrivateJwk } from '../../../src/main/keys/generate-key.ts';
import { writeOpenSshBackup } from '../../../src/main/keys/key-backup.ts';
import { readKeyFacts } from '../../../src/main/keys/key-facts.ts';
import { certify, checkCertificate } from '../../../src/main/team/computer-keys.ts';
import { certificateNamespace, readSshKey } from '../../../src/team-protocol/certificate.ts';
import { makeComputerKeys } from '../../support/entry-signer.ts';
import { givenTempProfile } from '../../support/temp-profile.ts';
import { runTool } from '../tokens/interop-programs.ts';

const getFolder = givenTempProfile();
const email = 'dana@northwind.example';
const content = 'id,status\n7,Processed\n';
const sha512 = (text: string): Buffer => createHash('sha512').update(text).digest();

test.each(keyTypes)(
  '%s: the stock ssh-keygen verifies what Claimdesk signs, and the reverse',
  async (type) => {
    const at = (name: string): string => join(getFolder(), name);
    const jwk = await generatePrivateJwk(type);
    const { publicKey, fingerprint } = readKeyFacts(jwk, 'Front desk');
    writeFileSync(at('claims.csv.sig'), signFileDigest(jwk, sha512(content)));
    writeFileSync(at('allowed_signers'), `${email} namespaces="file" ${publicKey}\n`);
    const signature = ['-n', 'file', '-s', at('claims.csv.sig')];
    const verify = ['-Y', 'verify', '-f', at('allowed_signers'), '-I', email, ...signature];
    const [family = ''] = type.split('-');
    expect(runTool('ssh-keygen', verify, content)).toBe(
      `Good "file" signature for ${email} with ${family.toUpperCase()} key ${fingerprint}\n`,
    );
    expect(runTool('ssh-keygen', ['-Y', 'check-novalidate', ...signature], content)).toContain(fingerprint);
    for (const args of [verify, ['-Y', 'check-novalidate', ...signature]])
      expect(spawnSync('ssh-keygen', args, { input: `${content} ` }).status).not.toBe(0);

    writeFileSync(at('key'), writeOpenSshBackup(jwk, 'Front-desk', 'a passphrase'), { mode: 0o600 });
    runTool('ssh-keygen', ['-q', '-p', '-P', 'a passphrase', '-N', '', '-f', at('key')]);
    writeFileSync(at('other.csv'), content);
    runTool('ssh-keygen', ['-q', '-Y', 'sign', '-f', at('key'), '-n', 'file', at('other.csv')]);
    const read = readFileSignature(readFileSync(at('other.csv.sig'), 'utf8'));
    expect(read?.fingerprint).toBe(fingerprint);
    const digests = { sha256: Buffer.alloc(32), sha512: sha512(content) };
    expect(read?.isOf(digests)).toBe(true);
  },
);

test.each(keyTypes)('%s: the stock ssh-keygen verifies the certificate of a computer', async (type) => {
  const at = (name: string): string => join(getFolder(), name);
  const jwk = await generatePrivateJwk(type);
  const { publicKey, fingerprint } = readKeyFacts(jwk, 'Front desk');
  const person = { service: 'https://claims.example.com', email, team: null };
  const certificate = certify(makeComputerKeys(), person, jwk);
  writeFileSync(at('certificate.sig'), certificate.signature);
  writeFileSync(at('allowed_signers'), `${email} namespaces="${certificateNamespace}" ${publicKey}\n`);
  const verify = (namespace: string) => [
    '-Y',
    'verify',
    '-f',
    at('allowed_signers'),
    '-I',
    email,
    '-n',
    namespace,
    '-s',
    at('certificate.sig'),
  ];
  expect(runTool('ssh-keygen', verify(certificateNamespace), certificate.body)).toContain(fingerprint);
  // It is no signature of a file, nor of another text.
  expect(spawnSync('ssh-keygen', verify('file'), { input: certificate.body }).status).not.toBe(0);
  expect(readFileSignature(certificate.signature)).toBeNull();
  expect(checkCertificate(certificate)).toBe(fingerprint);
  expect(publicKey.startsWith(`${readSshKey(certificate.signature)} `)).toBe(true);
  const other = certify(makeComputerKeys(), person, jwk);
  expect(checkCertificate({ ...certificate, body: other.body })).toBeNull();
  expect(checkCertificate({ ...certificate, signature: 'none' })).toBeNull();
  const signature = signFileDigest(jwk, sha512('{}'), certificateNamespace);
  expect(checkCertificate({ body: '{}', signature })).toBeNull();
});
