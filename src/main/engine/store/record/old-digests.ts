import type { Connection } from '../file/connection.ts';
import type { JsonObject } from './json.ts';
import type { ListKind } from './list-kind.ts';
import { digestRecord } from './record-digest.ts';
import { createRecordReader } from './record-reader.ts';

const listKinds: readonly ListKind[] = ['members', 'claims'];
/** Records per step; a step blocks the writer for some tens of milliseconds. */
const perStep = 200;
/** The first version of the file in which digests are made from records instead of rows. */
const firstVersion = 5;
const nameOf = (kind: ListKind): string => `oldDigests.${kind}`;

/**
 * The id above which digests of a list may still be those of an older Claimdesk, which cannot be compared with the
 * record; null where there are none.
 */
export function readOldDigests(connection: Connection, kind: ListKind): number | null {
  // A damaged file may be copied without being migrated first.
  const version = connection.pragma('user_version', { simple: true }) as number;
  if (version < firstVersion) return Number.NEGATIVE_INFINITY;
  const value = connection.prepare('SELECT value FROM sync_state WHERE name=?').pluck().get(nameOf(kind));
  return value === undefined ? null : Number(value);
}

/** True for the names under which the progress of renewal is stored; a copy of the records has none. */
export const isOldDigestsName = (name: unknown): boolean => listKinds.some((kind) => nameOf(kind) === name);

/** Replaces the digests that an older Claimdesk made from rows by digests of the records. */
export function createDigestRenewal(connection: Connection) {
  let reader = createRecordReader(connection);
  const nextIds = {
    members: connection.prepare('SELECT id FROM members WHERE id>? ORDER BY id LIMIT ?').pluck(),
    claims: connection.prepare('SELECT id FROM claims WHERE id>? ORDER BY id LIMIT ?').pluck(),
  };
  const write = {
    members: connection.prepare('UPDATE members SET digest=? WHERE id=?'),
    claims: connection.prepare('UPDATE claims SET digest=? WHERE id=?'),
  };
  const findNoted = connection.prepare('SELECT coalesce(max(seq), 0) FROM changed_claims').pluck();
  const forgetNoted = connection.prepare('DELETE FROM changed_claims WHERE seq>?');
  const move = connection.prepare('UPDATE sync_state SET value=? WHERE name=?');
  const finish = connection.prepare('DELETE FROM sync_state WHERE name=?');

  const renew = (kind: ListKind, id: number, record: JsonObject): Uint8Array => {
    const digest = digestRecord(record);
    // Another digest of the same record is no change of the claim: duplicates and worklists stay as they are.
    const noted = findNoted.get() as number;
    write[kind].run(digest, id);
    forgetNoted.run(noted);
    return digest;
  };

  /** Null where it cannot be read whole: it keeps its old digest, which the full check reports. */
  const readWhole = (kind: ListKind, id: number): JsonObject | null => {
    try {
      return reader[kind](id)?.record ?? null;
    } catch {
      reader = createRecordReader(connection);
      return null;
    }
  };

  const renewNext = connection.transaction((): boolean => {
    const kind = listKinds.find((one) => readOldDigests(connection, one) !== null);
    if (kind === undefined) return false;
    const ids = nextIds[kind].all(readOldDigests(connection, kind), perStep) as number[];
    for (const id of ids) {
      const record = readWhole(kind, id);
      if (record !== null) renew(kind, id, record);
    }
    const last = ids.at(-1);
    if (last === undefined || ids.length < perStep) finish.run(nameOf(kind));
    else move.run(String(last), nameOf(kind));
    return true;
  });

  return {
    /**
     * Makes the digest of one stored record again and stores it; null where it cannot be read. The caller holds the
     * transaction.
     */
    renewOne(kind: ListKind, id: number): Uint8Array | null {
      const record = readWhole(kind, id);
      return record === null ? null : renew(kind, id, record);
    },
    /** Renews the next few and stores the progress, so that a kill loses one step. False: nothing is left. */
    renewNext: (): boolean => renewNext.immediate(),
    /** After a rollback: cached ids of shared rows that were rolled back are invalid. */
    forget(): void {
      reader = createRecordReader(connection);
    },
  };
}

export type DigestRenewal = ReturnType<typeof createDigestRenewal>;
