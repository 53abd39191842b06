import { maxParts } from '../../team-protocol/entry.ts';
import { saltBytes } from '../../team-protocol/seal.ts';

/** The role that the server signs in to PostgreSQL with. */
export const serverRole = 'claimdesk_server';

interface Migration {
  readonly number: number;
  /** Statements for both databases. A migration only adds, so that servers of the version before still work. */
  readonly statements: readonly string[];
  /** What the server's role may do, in PostgreSQL. */
  readonly grants: readonly string[];
}

/** Where in a removal's head its list begins: after the salt. */
const listAt = saltBytes + 1;
/** The IDs that a removal lists, as rows with `value`. */
const listedIn = {
  postgres: `jsonb_array_elements_text(convert_from(substr(removals.head, ${listAt}), 'UTF8')::jsonb -> 'entries') AS listed (value)`,
  sqlite: `json_each(CAST(substr(removals.head, ${listAt}) AS text), '$.entries') AS listed`,
};
/** No bytes. In SQLite, a part of an empty head is null. */
const noBytes = { postgres: 'substr(head, 1, 0)', sqlite: "x''" };
const deleteParts = (table: 'parts' | 'part_arrivals'): string =>
  `DELETE FROM ${table} WHERE team = $1 AND EXISTS (
     SELECT 1 FROM entries JOIN removed_entries removed ON removed.team = entries.team AND removed.id = entries.id
     WHERE entries.team = $1 AND entries.number = ${table}.number AND removed.removal = $2
       AND (entries.kind = 'event' OR entries.kind = 'removal' AND ${table}.part % ${maxParts} > 0))`;

/**
 * Deletes the content of the entries that a removal lists ($1: team, $2: number): of events all, of earlier removals what
 * is left of events, but not their statements. The list is that of the stored entry: whoever asks for it can't choose
 * another one.
 */
export const removeContent = (kind: keyof typeof listedIn): readonly string[] => [
  `INSERT INTO removed_entries (team, id, removal)
   SELECT DISTINCT removals.team, listed.value, removals.number FROM entries removals, ${listedIn[kind]}
   WHERE removals.team = $1 AND removals.number = $2 AND removals.kind = 'removal'
   ON CONFLICT DO NOTHING`,
  deleteParts('part_arrivals'),
  deleteParts('parts'),
  `UPDATE entries SET head = ${noBytes[kind]}, bytes = octet_length(header)
   WHERE team = $1 AND kind = 'event'
     AND id IN (SELECT id FROM removed_entries WHERE team = $1 AND removal = $2)`,
];

/**
 * The server's role may delete nothing itself: this function, with its owner's rights, deletes for it. It uses only
 * tables of its own schema, not others of the same name.
 */
const makeRemoveContent = `DO $outer$ BEGIN EXECUTE format(
  'CREATE FUNCTION %1$I.remove_content (text, bigint) RETURNS void LANGUAGE sql SECURITY DEFINER
   SET search_path = pg_catalog, %1$I, pg_temp AS %2$L', current_schema(), $body$
  ${removeContent('postgres').join(';\n')}
$body$); END $outer$`;

export const migrations: readonly Migration[] = [
  {
    number: 1,
    statements: [
      'CREATE TABLE migrations (number integer PRIMARY KEY)',
      'CREATE TABLE setup_codes (digest text PRIMARY KEY, expires_at bigint NOT NULL)',
      // The counters of a team: its row is locked until an entry's transaction is committed.
      `CREATE TABLE teams (
        team text PRIMARY KEY,
        setup_code text NOT NULL UNIQUE REFERENCES setup_codes (digest),
        number bigint NOT NULL,
        hash text NOT NULL,
        membership bigint NOT NULL,
        parts bigint NOT NULL
      )`,
      `CREATE TABLE entries (
        team text NOT NULL REFERENCES teams (team),
        number bigint NOT NULL,
        id text NOT NULL,
        kind text NOT NULL,
        hash text NOT NULL,
        bytes bigint NOT NULL,
        header text NOT NULL,
        signature bytea NOT NULL,
        head bytea NOT NULL,
        PRIMARY KEY (team, number),
        UNIQUE (team, id)
      )`,
      "CREATE INDEX memberships ON entries (team, number) WHERE kind = 'membership'",
      // with_entry: whether the part came with its entry (1) or by itself (0).
      `CREATE TABLE parts (
        team text NOT NULL,
        number bigint NOT NULL,
        part integer NOT NULL,
        with_entry integer NOT NULL,
        content bytea NOT NULL,
        PRIMARY KEY (team, number, part),
        FOREIGN KEY (team, number) REFERENCES entries (team, number)
      )`,
      // The order in which parts came by themselves.
      `CREATE TABLE part_arrivals (
        team text NOT NULL,
        arrival bigint NOT NULL,
        number bigint NOT NULL,
        part integer NOT NULL,
        PRIMARY KEY (team, arrival),
        FOREIGN KEY (team, number, part) REFERENCES parts (team, number, part)
      )`,
      `CREATE TABLE invitations (
        digest text PRIMARY KEY,
        team text NOT NULL REFERENCES teams (team),
        computer text NOT NULL,
        expires_at bigint NOT NULL
      )`,
      `CREATE TABLE joins (
        invitation text PRIMARY KEY REFERENCES invitations (digest),
        team text NOT NULL,
        certificate text NOT NULL,
        signature text NOT NULL,
        proof text NOT NULL,
        made_at bigint NOT NULL
      )`,
      `CREATE TABLE computers (
        team text NOT NULL REFERENCES teams (team),
        computer text NOT NULL,
        seen_at bigint NOT NULL,
        PRIMARY KEY (team, computer)
      )`,
    ],
    grants: [
      `GRANT SELECT ON migrations TO ${serverRole}`,
      `GRANT SELECT, INSERT ON setup_codes, teams, entries, parts, part_arrivals, invitations, joins, computers TO ${serverRole}`,
      `GRANT UPDATE (number, hash, membership, parts) ON teams TO ${serverRole}`,
      `GRANT UPDATE (seen_at) ON computers TO ${serverRole}`,
    ],
  },
  {
    number: 2,
    statements: [
      // Who has which claim open, for a minute: not kept, and no part of the log.
      `CREATE TABLE leases (
        team text NOT NULL REFERENCES teams (team),
        tag text NOT NULL,
        computer text NOT NULL,
        expires_at bigint NOT NULL,
        PRIMARY KEY (team, tag)
      )`,
    ],
    grants: [`GRANT SELECT, INSERT, DELETE, UPDATE (expires_at) ON leases TO ${serverRole}`],
  },
  {
    number: 3,
    statements: [
      // The number of the newest removal, 0 before the first.
      'ALTER TABLE teams ADD COLUMN removal bigint NOT NULL DEFAULT 0',
      // Entries whose content was removed, also those that are not here, by the first removal that lists them.
      `CREATE TABLE removed_entries (
        team text NOT NULL,
        id text NOT NULL,
        removal bigint NOT NULL,
        PRIMARY KEY (team, id),
        FOREIGN KEY (team, removal) REFERENCES entries (team, number)
      )`,
      'CREATE INDEX removed_entries_by_removal ON removed_entries (team, removal)',
    ],
    grants: [
      makeRemoveContent,
      'REVOKE EXECUTE ON FUNCTION remove_content FROM PUBLIC',
      `GRANT EXECUTE ON FUNCTION remove_content TO ${serverRole}`,
      `GRANT SELECT ON removed_entries TO ${serverRole}`,
      `GRANT UPDATE (removal) ON teams TO ${serverRole}`,
    ],
  },
  {
    number: 4,
    statements: [],
    // In no log of changes, and so in no replica or archive of it. After a crash there are none, which is right.
    grants: ['ALTER TABLE leases SET UNLOGGED'],
  },
];

export const newestMigration = Math.max(...migrations.map(({ number }) => number));
