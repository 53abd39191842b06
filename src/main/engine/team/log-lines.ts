import { z } from 'zod';
import {
  type Certificate,
  certifiedComputer,
  readCertificateBody,
  readSshKey,
} from '../../../team-protocol/certificate.ts';
import type { EntryHeader } from '../../../team-protocol/entry.ts';
import type { MembershipAct } from '../../../team-protocol/membership.ts';

// The lines of an exported log of a team, each a JSON object with one property: `log`, the certificates of its
// computers, then every entry in the order of its number, each followed by its parts. docs/team-server.md describes how
// to check them without Claimdesk.

/**
 * Why content is missing from a line. `removed`: it is about a claim that was removed from this computer. `hasSsn`: it
 * contains an SSN. `notSent`: the part has not arrived yet. `unreadable`: it is not what its author signed.
 * `removedForTeam`: an admin removed it, by a removal that lists the entry.
 */
const leftOutSchema = z.strictObject({
  leftOut: z.enum(['removed', 'removedForTeam', 'hasSsn', 'notSent', 'unreadable']),
});
export type LeftOutCause = z.infer<typeof leftOutSchema>['leftOut'];

const numberSchema = z.int().min(0);

/** The first line: the newest entry, which is the last one of the file. */
const startSchema = z.strictObject({
  version: z.literal(1),
  team: z.string(),
  number: numberSchema,
  hash: z.string(),
  exportedAt: z.string(),
});

/** A certificate of a membership, with its content, for `ssh-keygen -Y verify`. */
const certificateSchema = z.strictObject({
  /** The entry that contained it. */
  number: numberSchema,
  email: z.string(),
  computer: z.string(),
  sshKey: z.string().nullable(),
  body: z.string(),
  signature: z.string(),
});

/** An entry. `salt` and `signature` are base64; `header` and `head` are the exact texts. */
const entrySchema = z.strictObject({
  number: numberSchema,
  hash: z.string(),
  header: z.string(),
  signature: z.base64(),
  content: z.union([z.strictObject({ salt: z.base64(), head: z.string() }), leftOutSchema]),
});
export type EntryLine = z.infer<typeof entrySchema>;

const partSchema = z.strictObject({
  number: numberSchema,
  part: numberSchema,
  /** `salt`: that of a removal's parts; its head is not encrypted and has another salt. */
  content: z.union([z.strictObject({ text: z.string(), salt: z.base64().optional() }), leftOutSchema]),
});
export type PartLine = z.infer<typeof partSchema>;

export const logLineSchema = z.union([
  z.strictObject({ log: startSchema }),
  z.strictObject({ certificate: certificateSchema }),
  z.strictObject({ entry: entrySchema }),
  z.strictObject({ part: partSchema }),
]);
export type LogLine = z.infer<typeof logLineSchema>;

/** The line of a membership's certificate; null if it has none. */
export function toCertificateLine(number: number, act: MembershipAct): LogLine | null {
  if (!('certificate' in act)) return null;
  const { body, signature }: Certificate = act.certificate;
  const read = readCertificateBody(body);
  const computer = read === null ? '' : certifiedComputer(read);
  const said = { email: read?.email ?? '', computer, sshKey: readSshKey(signature) };
  return { certificate: { number, ...said, body, signature } };
}

/** Whether parts of an entry follow its line: without its salt they could not be checked. */
export const hasParts = ({ content }: EntryLine, { parts }: Pick<EntryHeader, 'parts'>): boolean =>
  'salt' in content && parts.length > 0;
