import { createHash, hash } from 'node:crypto';
import { z } from 'zod';
import { digestSchema, type EntryHeader, entryIdSchema } from './entry.ts';
import { readOpenHead, writeOpenHead } from './open-head.ts';

// A checkpoint is an entry of kind `checkpoint`. Its parts have the events of the log up to a number that still count,
// complete and as their authors signed them, so that a joining computer begins with these. Only what it leaves out has
// to be trusted: a second computer confirms that, and the joining computer compares it once it has read the log.

/** After this many entries another checkpoint is due. */
export const checkpointEvery = 50_000;

/** The largest length of a checkpoint's head in bytes. */
const maxCheckpointBytes = 2_000;
const numberSchema = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

const checkpointActSchema = z.discriminatedUnion('act', [
  z.strictObject({
    act: z.literal('make'),
    /** The log up to this number, and the chain's hash there. */
    number: numberSchema,
    hash: digestSchema,
    /** The digests of the changes of the members up to there (`digestMemberships`), and of the events that count (`digestEvents`). */
    members: digestSchema,
    events: digestSchema,
  }),
  /** The author's computer has the log, and has compared. */
  z.strictObject({ act: z.literal('judge'), checkpoint: entryIdSchema, isRight: z.boolean() }),
]);
export type CheckpointAct = z.infer<typeof checkpointActSchema>;
export type MadeCheckpoint = Extract<CheckpointAct, { act: 'make' }>;

export const writeCheckpoint = (act: CheckpointAct): { head: Buffer; commitment: string } =>
  writeOpenHead(JSON.stringify(act));

/** Reads the head of a checkpoint; null where it is not the one of this header. */
export function readCheckpoint(header: EntryHeader, head: Uint8Array): CheckpointAct | null {
  if (header.kind !== 'checkpoint') return null;
  const parsed = checkpointActSchema.safeParse(readOpenHead(header, head, maxCheckpointBytes));
  return parsed.success ? parsed.data : null;
}

/** `signature`: as base64url. In the order of their numbers. */
export const digestMemberships = (
  memberships: readonly { readonly number: number; readonly signature: string }[],
): string =>
  hash(
    'sha256',
    JSON.stringify(memberships.map(({ number, signature }) => [number, signature])),
    'base64url',
  );

/**
 * Hashes events in any order, by their numbers and the chain's hashes after them, which cover what their authors signed: 32
 * bytes each, in the order of the numbers given.
 */
export function digestEvents(numbers: readonly number[], hashes: Buffer): string {
  // They are hashed one by one, because the joined text of a million events would be in memory twice.
  const digest = createHash('sha256');
  const sorted = Uint32Array.from(numbers.keys()).sort(
    (event, other) => (numbers[event] ?? 0) - (numbers[other] ?? 0),
  );
  for (const [index, event] of sorted.entries()) {
    const after = hashes.toString('base64url', event * hashBytes, (event + 1) * hashBytes);
    digest.update(`${index === 0 ? '' : '\n'}${numbers[event]} ${after}`);
  }
  return digest.digest('base64url');
}

const hashBytes = 32;

/** An entry about checkpoints, with who sent it: their computer and email. */
interface SentCheckpoint {
  readonly id: string;
  readonly entry: number;
  readonly computer: string;
  readonly email: string;
  readonly act: CheckpointAct;
}

/**
 * Returns the newest checkpoint that another member confirmed and no one denied. Pure. A removal ends those
 * before it, because their parts may have what it removed. `removal`: the number of the newest one;
 * `isAlone`: the team is one member, whose second computer is enough.
 */
export function chooseCheckpoint(
  sent: readonly SentCheckpoint[],
  { removal, isAlone }: { readonly removal: number; readonly isAlone: boolean },
): (SentCheckpoint & { readonly act: MadeCheckpoint }) | null {
  const isAgreed = ({ id, computer, email }: SentCheckpoint): boolean => {
    const judged = sent.flatMap((message) =>
      message.act.act === 'judge' && message.act.checkpoint === id && message.computer !== computer
        ? [{ email: message.email, isRight: message.act.isRight }]
        : [],
    );
    return (
      judged.every(({ isRight }) => isRight) && judged.some((verdict) => isAlone || verdict.email !== email)
    );
  };
  const made = sent.flatMap(({ act, ...rest }) => (act.act === 'make' ? [{ ...rest, act }] : []));
  return made.findLast((checkpoint) => checkpoint.entry > removal && isAgreed(checkpoint)) ?? null;
}
