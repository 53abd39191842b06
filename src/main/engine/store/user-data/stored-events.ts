import type { Database } from '../file/database.ts';

// Events are stored in `stored_events`. The view `review_events` reads them in the form of a journal or a file of
// reviews. `0035-version-0.3.ts` defines the view and describes how everything is stored; this module writes and finds
// events.

/** A row of the view `review_events`; `fact` and `receipt` are JSON text. */
export interface ReviewEventRow {
  id: string;
  workspace_id: string;
  at: string;
  author: string;
  kind: string;
  fact: string;
  filter: string | null;
  undoes: string | null;
  receipt: string | null;
  is_imported: number;
  /** The key by which it is ordered, where that is not `at` (`event-times.ts`). */
  folds_at: string | null;
  /** Fields that a newer version of Claimdesk wrote, as JSON text of an object. */
  more: string | null;
  /** The packed `EventProof` of an imported event that its author's computer signed. */
  proof: Uint8Array | null;
  /**
   * The last entry of the team that the author of an event of this computer had read, packed. Null or absent: the event was
   * made before the team, or is imported.
   */
  seen?: Uint8Array | null;
}

/** SQL for an ID in its stored form. */
const packedId = (id: string): string => `CASE
  WHEN length(${id})=36 AND ${id} GLOB '${[8, 4, 4, 4, 12].map((count) => '[0-9a-f]'.repeat(count)).join('-')}'
  THEN unhex(replace(${id}, '-', '')) ELSE ${id} END`;

/** SQL condition that finds the event with an ID; `column`: `id` of `stored_events`, or `packed_id` of the view. */
export const hasId = (column: string, id: string): string =>
  `substr(${column}, 1, 4)=substr(${packedId(id)}, 1, 4) AND ${column}=${packedId(id)}`;

/** The most frequent kind is stored as null. */
const frequentKind = 'decision';
/** SQL for the kind of a row of `stored_events`. */
export const storedKind = (row: string): string => `ifnull(${row}.kind, '${frequentKind}')`;

/** SQL for the number of a workspace, by its ID; it finds events by `workspace`. */
export const workspaceOf = (workspaceId: string): string =>
  `(SELECT n FROM review_texts WHERE text=${workspaceId})`;

/** Packs a moment that Claimdesk wrote in milliseconds; other text is unchanged. */
function packMoment(text: string | null): bigint | string | null {
  const ms = text?.length === 24 ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) || new Date(ms).toISOString() !== text ? text : BigInt(ms);
}
const packTimes = ({ at, folds_at }: Pick<ReviewEventRow, 'at' | 'folds_at'>) => ({
  at: packMoment(at),
  folds_at,
  folds_ms: packMoment(folds_at === null ? null : folds_at.slice(0, 24)),
});
const packedText = (text: string): string =>
  `ifnull((SELECT n FROM review_texts WHERE text=${text}), ${text})`;

/**
 * A proof is stored without the ID of its certificate; both are null where there is no proof. Where its time is that of
 * its event, it begins with one of the first two marks instead of its version and the time; `unseenMark` also means
 * that nothing was seen.
 */
const [unseenMark, seenMark, version] = [3, 4, 2];
const [signatureAt, certificateAt, certificateEnd, seenEnd] = [7, 71, 93, 101];
const nothingSeen = Buffer.alloc(seenEnd - certificateEnd);
const timeIn = (proof: Buffer): bigint => BigInt(proof.readUIntBE(1, signatureAt - 1));
const splitProof = (
  proof: Uint8Array | null,
  at: bigint | string | null,
): { certificate: string | null; proof: Buffer | null } => {
  const bytes = proof === null ? null : Buffer.from(proof);
  const certificate = bytes?.toString('latin1', certificateAt, certificateEnd) ?? '';
  if (bytes?.[0] !== version || !/^[\w-]{22}$/.test(certificate)) return { certificate: null, proof: bytes };
  const isTimeOfEvent = timeIn(bytes) === at;
  const hasSeen = !bytes.subarray(certificateEnd, seenEnd).equals(nothingSeen);
  const stored = [
    isTimeOfEvent ? Buffer.of(hasSeen ? seenMark : unseenMark) : bytes.subarray(0, signatureAt),
    bytes.subarray(signatureAt, certificateAt),
    bytes.subarray(isTimeOfEvent && !hasSeen ? seenEnd : certificateEnd),
  ];
  return { certificate, proof: Buffer.concat(stored) };
};

function joinProof(proof: Buffer, certificate: string, at: number | string): Buffer | undefined {
  const isShort = proof[0] === unseenMark || proof[0] === seenMark;
  // In a damaged file, the time can be anything. Then only this row is left out.
  if (isShort && !(Number(at) >= 0 && Number(at) < 2 ** 48)) return undefined;
  const beginning = Buffer.of(version, 0, 0, 0, 0, 0, 0);
  if (isShort) beginning.writeUIntBE(Number(at), 1, signatureAt - 1);
  const from = isShort ? 1 : signatureAt;
  const signatureEnd = from + certificateAt - signatureAt;
  return Buffer.concat([
    isShort ? beginning : proof.subarray(0, signatureAt),
    proof.subarray(from, signatureEnd),
    Buffer.from(certificate, 'latin1'),
    ...(proof[0] === unseenMark ? [nothingSeen] : []),
    proof.subarray(signatureEnd),
  ]);
}

const putEventSql = `INSERT OR IGNORE INTO stored_events (seq, id, workspace, at, author, kind, fact, filter, undoes, receipt,
    is_imported, folds_at, folds_ms, more, certificate, proof, seen, number)
  SELECT :seq, ${packedId(':id')}, ${workspaceOf(':workspace_id')}, :at, ${packedText(':author')},
    nullif(:kind, '${frequentKind}'), ${packedText(':fact')}, :filter, :undoes, ${packedText(':receipt')}, :is_imported,
    :folds_at, :folds_ms, :more, ${packedText(':certificate')}, :proof, :seen, :number
  WHERE NOT EXISTS (SELECT 1 FROM stored_events WHERE ${hasId('id', ':id')})`;
const putProofSql = `UPDATE stored_events SET certificate=${packedText(':certificate')}, proof=:proof
  WHERE ${hasId('id', ':id')} AND proof IS NULL`;
const readProofSql = `SELECT proof FROM review_events WHERE ${hasId('packed_id', ':id')}`;
const moveEventSql = `UPDATE stored_events SET at=:at, folds_at=:folds_at, folds_ms=:folds_ms,
    certificate=${packedText(':certificate')}, proof=:proof
  WHERE ${hasId('id', ':id')}`;

/** The longest text that is stored by number, and how many texts are cached. */
const [maxLength, maxRemembered] = [500, 2_000];

/** A row with its number (null: the next one), and its number in a team's log. */
export type PutEvent = ReviewEventRow & { readonly seq: number | null; readonly number: number | null };

/**
 * Creates the writer of event rows. Caching texts only saves lookups: a text that got no number, because its
 * transaction was rolled back, is stored in full.
 */
export function createEventWriter(database: Database) {
  const numberText = database.prepare('INSERT OR IGNORE INTO review_texts (text) VALUES (?)');
  const putEvent = database.prepare(putEventSql);
  const putProof = database.prepare(putProofSql);
  const readProof = database.prepare(readProofSql).pluck();
  const moveEvent = database.prepare(moveEventSql);
  /** How often texts were written: they get numbers from the second time on. */
  const frequencies = new Map<string, 'once' | 'often'>();
  const numberRepeated = (text: string | null): void => {
    if (text === null || text.length > maxLength || frequencies.get(text) === 'often') return;
    const isRepeated = frequencies.has(text);
    if (isRepeated) numberText.run(text);
    if (frequencies.size >= maxRemembered) frequencies.clear();
    frequencies.set(text, isRepeated ? 'often' : 'once');
  };
  return {
    /** Writes an event if its ID is new; returns the number of its row. */
    put(row: PutEvent): number {
      const times = packTimes(row);
      const split = splitProof(row.proof, times.at);
      numberText.run(row.workspace_id);
      for (const text of [row.author, row.fact, row.receipt, split.certificate]) numberRepeated(text);
      const seen = row.seen == null ? null : Buffer.from(row.seen);
      return putEvent.run({ ...row, ...times, ...split, seen }).lastInsertRowid as number;
    },
    /** Writes the proof of an event that arrived without one. */
    putProof(id: string, proof: Uint8Array | null): void {
      putProof.run({ id, ...splitProof(proof, null) });
    },
    move({ id, ...moved }: Pick<ReviewEventRow, 'id' | 'at' | 'folds_at'>): void {
      const times = packTimes(moved);
      const proof = readProof.get({ id }) as Buffer | null | undefined;
      moveEvent.run({ id, ...times, ...splitProof(proof ?? null, times.at) });
    },
  };
}

const textColumns = ['workspace', 'author', 'fact', 'receipt', 'certificate'] as const;

/** SQL that removes the texts that no longer belong to an event. `schema`: `copy.` for an attached file. */
export function removeUnusedTexts(schema = ''): string {
  const used = textColumns.map(
    (name) => `SELECT ${name} FROM ${schema}stored_events WHERE typeof(${name})='integer'`,
  );
  return `DELETE FROM ${schema}review_texts WHERE n NOT IN (${used.join(' UNION ALL ')})`;
}

const toId = (id: Buffer | string): string =>
  typeof id === 'string' ? id : id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
const toMoment = (at: number | string): string => (typeof at === 'string' ? at : new Date(at).toISOString());

type StoredEvent = Omit<PutEvent, 'id' | 'at' | 'author' | 'fact' | 'kind' | 'proof'> &
  Readonly<Record<'author' | 'fact' | 'receipt' | 'certificate', string | number | null>> & {
    readonly id: Buffer | string;
    readonly at: number | string;
    readonly workspace: number;
    readonly kind: string | null;
    readonly proof: Buffer | null;
  };

/**
 * Reads rows of `stored_events` of a damaged file, without those whose texts are lost; if any texts are lost, the view
 * would read no rows. `texts`: the rows of `review_texts`, which its index contains again.
 */
export function readStoredEvents(
  rows: readonly Record<string, unknown>[],
  texts: ReadonlyMap<number, string>,
): { rows: Record<string, unknown>[]; isComplete: boolean } {
  const textOf = (value: string | number | null): string | null | undefined =>
    typeof value === 'number' ? texts.get(value) : value;
  const read = rows.flatMap((event) => {
    const { certificate, workspace, ...row } = event as unknown as StoredEvent;
    const certificateText = textOf(certificate);
    const whole = {
      ...row,
      id: toId(row.id),
      at: toMoment(row.at),
      workspace_id: textOf(workspace),
      kind: row.kind ?? frequentKind,
      author: textOf(row.author),
      fact: textOf(row.fact),
      receipt: textOf(row.receipt),
      proof:
        certificateText == null || row.proof === null
          ? row.proof
          : joinProof(row.proof, certificateText, row.at),
    };
    return certificateText === undefined || Object.values(whole).includes(undefined) ? [] : [whole];
  });
  return { rows: read, isComplete: read.length === rows.length };
}
