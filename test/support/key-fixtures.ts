import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes key files with ssh-keygen, openssl and puttygen, in a folder of the test. None of the functions uses
 * Claimdesk's own writers, and no key is in the repository. Each throws where its program is missing or fails.
 */
export const fixturePassphrase = 'fixture passphrase';

function run(file: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    input,
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

export type SshKeygenInput = {
  type: 'ed25519' | 'rsa' | 'ecdsa' | 'dsa';
  bits?: number;
  cipher?: string;
  passphrase?: string;
  rounds?: number;
  comment?: string;
};

/** Makes a key in OpenSSH's own format and returns its path; the public key is in the file with `.pub` added. */
export function makeOpenSshKey(folder: string, name: string, input: SshKeygenInput): string {
  const path = join(folder, name);
  const { type, bits, cipher, passphrase = '', rounds, comment = 'made by ssh-keygen' } = input;
  run('ssh-keygen', [
    ...['-q', '-t', type, '-N', passphrase, '-C', comment, '-f', path],
    ...(bits === undefined ? [] : ['-b', String(bits)]),
    ...(cipher === undefined ? [] : ['-Z', cipher]),
    ...(rounds === undefined ? [] : ['-a', String(rounds)]),
  ]);
  return path;
}

/**
 * Copies an unencrypted OpenSSH key and its `.pub` with ssh-keygen: under a passphrase, or with another comment. This
 * takes no time, while making an RSA key takes seconds.
 */
export function copyOpenSshKey(
  source: string,
  path: string,
  { cipher, passphrase = '', rounds, comment }: Omit<SshKeygenInput, 'type' | 'bits'> = {},
): string {
  copyFileSync(source, path);
  copyFileSync(`${source}.pub`, `${path}.pub`);
  if (comment !== undefined) run('ssh-keygen', ['-q', '-c', '-C', comment, '-P', '', '-f', path]);
  if (passphrase === '') return path;
  run('ssh-keygen', [
    ...['-q', '-p', '-P', '', '-N', passphrase, '-f', path],
    ...(cipher === undefined ? [] : ['-Z', cipher]),
    ...(rounds === undefined ? [] : ['-a', String(rounds)]),
  ]);
  return path;
}

/** Converts an OpenSSH key with ssh-keygen to PKCS#1 or SEC1 (`PEM`) or PKCS#8. */
export function convertBySshKeygen(path: string, format: 'PEM' | 'PKCS8', passphrase = ''): void {
  run('ssh-keygen', ['-q', '-p', '-P', '', '-N', passphrase, '-m', format, '-f', path]);
}

/** Runs openssl. Arguments can pass the passphrase as `pass:${fixturePassphrase}`. */
export function runOpenSsl(...args: string[]): string {
  return run('openssl', args);
}

export const opensslPass = `pass:${fixturePassphrase}`;

/** Converts an unencrypted key to a PuTTY file of version 2 or 3. */
export function makePuttyKey(
  folder: string,
  name: string,
  source: string,
  { version, passphrase = '', extra = [] }: { version: 2 | 3; passphrase?: string; extra?: string[] },
): string {
  const path = join(folder, name);
  const passphrasePath = join(folder, `${name}.passphrase`);
  writeFileSync(passphrasePath, passphrase);
  run('puttygen', [
    ...[source, '-O', 'private', '-o', path, '--new-passphrase', passphrasePath],
    ...['--ppk-param', [`version=${version}`, ...extra].join(',')],
  ]);
  return path;
}

/** The fingerprint of a public key file, as printed by ssh-keygen. */
export function readFingerprintLine(path: string): string {
  return run('ssh-keygen', ['-lf', path]);
}

/**
 * The public line of a private key file, as ssh-keygen reads it with this passphrase. Throws if the passphrase is
 * wrong.
 */
export function readPublicLine(path: string, passphrase = ''): string {
  return run('ssh-keygen', ['-y', '-P', passphrase, '-f', path]).trim();
}

export function readText(path: string): string {
  return readFileSync(path, 'utf8');
}
