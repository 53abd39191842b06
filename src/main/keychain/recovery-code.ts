import { randomBytes } from 'node:crypto';
import { type PrintedKind, readPrinted, writePrinted } from '../../team-protocol/printed-secret.ts';
import { DeskError } from '../lib/errors.ts';

const kind: PrintedKind = { name: 'claimdesk recovery code', secretBytes: 17 };

/** Makes a recovery code: 136 random bits and a checksum of 24 bits, as eight groups of four characters. */
export const makeRecoveryCode = (): string => writePrinted(kind, randomBytes(kind.secretBytes));

/**
 * Parses a typed code and returns its secret.
 * @throws DeskError `unlock.badCode` for a typing error, by the checksum: it is not counted as a failed attempt
 */
export function parseRecoveryCode(typed: string): Buffer {
  const secret = readPrinted(kind, typed);
  if (secret === null) throw new DeskError('unlock.badCode');
  return secret;
}
