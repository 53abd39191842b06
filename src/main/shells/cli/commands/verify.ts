import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { signatureExtension } from '../../../../contract/export.ts';
import { type FileDigests, readFileSignature } from '../../../keys/file-signature.ts';
import { DeskError } from '../../../lib/errors.ts';
import type { Printer } from '../output.ts';
import type { Command } from '../parse-command.ts';
import { inSession } from '../run-in-session.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage.ts';

/** The signature beside a file: of this content, of other content, not a file signature, or none. */
type SignatureState = 'good' | 'ofOtherContent' | 'unreadable' | 'none';

interface Found {
  readonly file: string;
  readonly sha256: string;
  readonly signature: SignatureState;
  /** The key that the signature names; `name` is null where this profile does not have that key. */
  readonly key: { readonly fingerprint: string; readonly name: string | null } | null;
  /** When this profile exported the file, by its audit log; null: the log has no such export. */
  readonly exportedAt: string | null;
  /** Null: not checked, because no entry is about the file. */
  readonly isLogIntact: boolean | null;
}

/**
 * `claimdesk verify FILE`: prints in one sentence whether an export is unchanged. Exit 0 where the signature beside it
 * is valid and by a key of this profile, or where this profile's audit log has its digest; 3 where neither can be
 * determined.
 * @throws DeskError `export.notAsSigned` where the signature is of other content, and the audit log does not have the
 *   file
 */
export async function runVerify(command: Command, output: Printer): Promise<number> {
  const path = resolve(command.words[1] as string);
  const digests = await readDigests(path);
  const text = await readFile(path + signatureExtension, 'utf8').catch(() => null);
  return inSession(command, false, async (session) => {
    const sha256 = digests.sha256.toString('hex');
    const verification: Found = {
      file: basename(path),
      sha256,
      ...(await checkSignature(session, text, digests)),
      ...(await findExport(session, sha256)),
    };
    const isSigned = verification.signature === 'good' && verification.key?.name !== null;
    const isVerified = isSigned || verification.isLogIntact === true;
    await output.json({ ...verification, isVerified });
    if (!isVerified && verification.signature === 'ofOtherContent') throw new DeskError('export.notAsSigned');
    output.info(`${describeSignature(verification)}, and ${describeLog(verification)}.`);
    return isVerified ? 0 : 3;
  });
}

/** @throws UsageError where the file does not exist */
async function readDigests(path: string): Promise<FileDigests> {
  const [sha256, sha512] = [createHash('sha256'), createHash('sha512')];
  try {
    for await (const chunk of createReadStream(path)) {
      sha256.update(chunk as Buffer);
      sha512.update(chunk as Buffer);
    }
  } catch {
    throw new UsageError('there is no file of this name that can be read');
  }
  return { sha256: sha256.digest(), sha512: sha512.digest() };
}

async function checkSignature(
  session: Session,
  text: string | null,
  digests: FileDigests,
): Promise<Pick<Found, 'signature' | 'key'>> {
  if (text === null) return { signature: 'none', key: null };
  const read = readFileSignature(text);
  if (read === null) return { signature: 'unreadable', key: null };
  const { fingerprint } = read;
  const { keys } = await session.call('keys:list', {});
  const name = keys.find((key) => key.fingerprint === fingerprint)?.name ?? null;
  return { signature: read.isOf(digests) ? 'good' : 'ofOtherContent', key: { fingerprint, name } };
}

const entriesPerPage = 1_000;

/** The newest entry about an export with this digest. */
async function findExport(
  session: Session,
  sha256: string,
): Promise<Pick<Found, 'exportedAt' | 'isLogIntact'>> {
  for (let offset = 0; ; offset += entriesPerPage) {
    const filter = { kinds: ['exported' as const] };
    const { entries, total } = await session.call('audit:list', { offset, limit: entriesPerPage, filter });
    const entry = entries.find(
      ({ action, details }) => action === 'export.written' && details.sha256 === sha256,
    );
    if (entry !== undefined) {
      const { isIntact } = await session.call('audit:verify', {});
      return { exportedAt: entry.at, isLogIntact: isIntact };
    }
    if (offset + entriesPerPage >= total) return { exportedAt: null, isLogIntact: null };
  }
}

function describeSignature({ file, signature, key }: Found): string {
  if (signature === 'none') return `${file} has no signature beside it`;
  const signatureFile = file + signatureExtension;
  if (key === null) return `${signatureFile} can’t be read as a signature of a file`;
  if (signature === 'ofOtherContent') return `${signatureFile} isn’t a signature of ${file} as it is now`;
  const whose =
    key.name === null
      ? `${key.fingerprint}, a key that this profile doesn’t have`
      : `this profile’s key ${key.name} (${key.fingerprint})`;
  return `${file} is unchanged since it was signed by ${whose}`;
}

function describeLog({ exportedAt, isLogIntact }: Found): string {
  if (exportedAt === null) return 'the audit log of this profile has no export with this content';
  const when = `${exportedAt.slice(0, 16).replace('T', ' ')} UTC`;
  return isLogIntact === true
    ? `the audit log of this profile has its export of ${when}`
    : `the audit log of this profile has its export of ${when} but isn’t intact itself (claimdesk audit verify)`;
}
