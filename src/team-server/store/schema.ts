import { firstChainHash } from '../../team-protocol/chain.ts';
import { saltBytes } from '../../team-protocol/commitment.ts';
import { tagLength } from '../../team-protocol/entry.ts';

/** The role that the server signs in to PostgreSQL with. */
export const serverRole = 'claimdesk_server';

/**
 * The version of the schema. Databases with smaller versions are from before teams were released, and are refused with
 * `database.older`.
 */
export const schemaNumber = 8;

/**
 * How many numbers a PostgreSQL partition has, and how many partitions are created; the last one has all larger
 * numbers.
 */
const partitionSize = 1_000_000;
const partitions = 10;

/** The tables of both databases. `byNumber` is the clause after a table that PostgreSQL partitions by number. */
const makeTables = (byNumber: string, bytes: string, uniqueId: string): readonly string[] => [
  'CREATE TABLE migrations (number integer PRIMARY KEY)',
  'CREATE TABLE setup_codes (digest text PRIMARY KEY, expires_at bigint NOT NULL)',
  // The counters of a team: its row is locked until an entry's transaction is committed. `membership` and `removal` are
  // the numbers of the newest one, 0 before the first.
  `CREATE TABLE teams (
    team text PRIMARY KEY,
    setup_code text NOT NULL UNIQUE REFERENCES setup_codes (digest),
    number bigint NOT NULL DEFAULT 0,
    hash text NOT NULL DEFAULT '${firstChainHash}',
    membership bigint NOT NULL DEFAULT 0,
    removal bigint NOT NULL DEFAULT 0,
    parts bigint NOT NULL DEFAULT 0
  )`,
  `CREATE TABLE entries (
    team text NOT NULL REFERENCES teams (team),
    number bigint NOT NULL,
    id text NOT NULL,
    kind text NOT NULL,
    hash text NOT NULL,
    bytes bigint NOT NULL,
    header text NOT NULL,
    signature ${bytes} NOT NULL,
    head ${bytes} NOT NULL,
    PRIMARY KEY (team, number)
  )${byNumber}`,
  // PostgreSQL inserts only by the function that adds entries, which refuses an ID that is there.
  `CREATE ${uniqueId}INDEX entries_by_id ON entries (team, id)`,
  "CREATE INDEX entries_by_kind ON entries (team, kind, number) WHERE kind <> 'event'",
  // The tags of each entry's claims; one empty tag where an entry is about more claims than its header has tags.
  `CREATE TABLE entry_tags (
    team text NOT NULL,
    tag text NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (team, tag, number)
  )`,
  // The parts as computers sent them: of several versions readers use the one that its author committed to.
  // `arrival`: the order of those that came separately, null where a part came with its entry.
  `CREATE TABLE parts (
    team text NOT NULL,
    number bigint NOT NULL,
    part integer NOT NULL,
    computer text NOT NULL,
    arrival bigint,
    content ${bytes} NOT NULL,
    PRIMARY KEY (team, number, part, computer),
    FOREIGN KEY (team, number) REFERENCES entries (team, number)
  )${byNumber}`,
  'CREATE INDEX parts_by_arrival ON parts (team, arrival) WHERE arrival IS NOT NULL',
  // Entries whose content was removed, also those that are not here, by the first removal that lists them.
  `CREATE TABLE removed_entries (
    team text NOT NULL,
    id text NOT NULL,
    removal bigint NOT NULL,
    PRIMARY KEY (team, id),
    FOREIGN KEY (team, removal) REFERENCES entries (team, number)
  )`,
  'CREATE INDEX removed_entries_by_removal ON removed_entries (team, removal)',
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
    commitment text NOT NULL,
    answer text,
    nonce text,
    made_at bigint NOT NULL
  )`,
  `CREATE TABLE computers (
    team text NOT NULL REFERENCES teams (team),
    computer text NOT NULL,
    seen_at bigint NOT NULL,
    PRIMARY KEY (team, computer)
  )`,
  // The amounts that a computer added on a day, counted in days since 1970.
  `CREATE TABLE usage (
    team text NOT NULL REFERENCES teams (team),
    computer text NOT NULL,
    day integer NOT NULL,
    bytes bigint NOT NULL,
    entries bigint NOT NULL,
    memberships bigint NOT NULL,
    PRIMARY KEY (team, computer, day)
  )`,
  // Who has which claim open, for a minute. This is not kept, and not part of the log.
  `CREATE TABLE leases (
    team text NOT NULL REFERENCES teams (team),
    tag text NOT NULL,
    computer text NOT NULL,
    expires_at bigint NOT NULL,
    PRIMARY KEY (team, tag)
  )`,
];

export const sqliteTables = makeTables('', 'blob', 'UNIQUE ');

/** The position in a removal's head where its text begins: after the salt. */
const textAt = saltBytes + 1;
/** The content that the removal with number $2 of team $1 removes: of events all, of earlier removals all but the statement. */
const isRemoved = `parts.team = $1 AND EXISTS (
     SELECT 1 FROM entries JOIN removed_entries removed ON removed.team = entries.team AND removed.id = entries.id
     WHERE entries.team = $1 AND entries.number = parts.number AND removed.removal = $2
       AND (entries.kind = 'event' OR entries.kind = 'removal' AND parts.part > 0))`;
const isRemovedEvent = `team = $1 AND kind = 'event'
     AND id IN (SELECT id FROM removed_entries WHERE team = $1 AND removal = $2)`;

/** The parts of a checkpoint before the removal, which may have what is removed. */
const isOfCheckpoint = `team = $1 AND number IN
     (SELECT number FROM entries WHERE team = $1 AND kind = 'checkpoint' AND kind <> 'event' AND number < $2)`;

const deleteContent = (noBytes: string): readonly string[] => [
  `DELETE FROM parts WHERE ${isOfCheckpoint}`,
  `DELETE FROM parts WHERE ${isRemoved}`,
  `UPDATE entries SET head = ${noBytes}, bytes = octet_length(header) WHERE ${isRemovedEvent}`,
];

/** Deletes the content of the entries that a removal lists ($1: team, $2: number), which is committed to by its header. */
export const removeInSqlite: readonly string[] = [
  `INSERT INTO removed_entries (team, id, removal)
   SELECT DISTINCT removals.team, listed.value, removals.number
   FROM entries removals, json_each(CAST(substr(removals.head, ${textAt}) AS text), '$.entries') AS listed
   WHERE removals.team = $1 AND removals.number = $2 AND removals.kind = 'removal'
   ON CONFLICT DO NOTHING`,
  // SQLite treats a part of an empty head as null.
  ...deleteContent("x''"),
];

/** How long PostgreSQL keeps removed content in a table of the owner. */
const keptDays = 30;

/**
 * A function with the rights of the tables' owner that uses only tables of its own schema, not others of the same name.
 * The server's role can make changes only through these functions.
 */
const makeFunction = (signature: string, returns: string, language: string, body: string): string =>
  `DO $outer$ BEGIN EXECUTE format(
  'CREATE FUNCTION %1$I.${signature} RETURNS ${returns} LANGUAGE ${language} SECURITY DEFINER
   SET search_path = pg_catalog, %1$I, pg_temp AS %2$L', current_schema(), $body$${body}$body$); END $outer$`;

/** SHA-256 as base64url, as the chain and commitments have it. */
const digestOf = (bytes: string): string => base64Url(`sha256(${bytes})`);
const base64Url = (bytes: string): string =>
  `rtrim(translate(replace(encode(${bytes}, 'base64'), chr(10), ''), '+/', '-_'), '=')`;

/** The commitment to an unencrypted head, which is one line (`commitment.ts`). */
const commitmentOf = (head: string): string =>
  digestOf(
    `'\\x00'::bytea || substr(sha256('\\x03ffffffff'::bytea || substr(${head}, 1, ${saltBytes})), 1, ${saltBytes}) || substr(${head}, ${textAt})`,
  );

const functions: readonly (readonly [name: string, sql: string])[] = [
  [
    'lock_team(text)',
    makeFunction('lock_team (text)', 'void', 'sql', 'SELECT FROM teams WHERE team = $1 FOR UPDATE'),
  ],
  [
    // Adds entries after the newest one: it takes their numbers and computes the chain, which has to end in \`last_hash\`.
    // ID and kind are those of the header, and the list of a removal is the one that its header commits to.
    'add_entries(text, text, text[], bytea[], bytea[], bigint[])',
    makeFunction(
      'add_entries (of_team text, last_hash text, headers text[], signatures bytea[], heads bytea[], sizes bigint[])',
      'void',
      'plpgsql',
      `
DECLARE
  state teams%ROWTYPE;
  said jsonb;
  act text;
BEGIN
  SELECT * INTO STRICT state FROM teams WHERE team = of_team FOR UPDATE;
  FOR i IN 1 .. cardinality(headers) LOOP
    said := headers[i]::jsonb;
    state.number := state.number + 1;
    state.hash := ${digestOf(
      `convert_to('["' || state.hash || '",' || state.number || ',' || to_json(headers[i])::text || ',"' || ${base64Url('signatures[i]')} || '"]', 'UTF8')`,
    )};
    IF said ->> 'team' IS DISTINCT FROM of_team OR octet_length(signatures[i]) <> 64
       OR EXISTS (SELECT FROM entries WHERE team = of_team AND id = said ->> 'id') THEN
      RAISE unique_violation USING MESSAGE = 'The entry is of another team, or is there already.';
    END IF;
    INSERT INTO entries (team, number, id, kind, hash, bytes, header, signature, head)
    VALUES (of_team, state.number, said ->> 'id', said ->> 'kind', state.hash, sizes[i], headers[i], signatures[i], heads[i]);
    INSERT INTO entry_tags (team, tag, number)
    SELECT of_team, CASE WHEN said ->> 'tags' IS NULL THEN '' ELSE substr(said ->> 'tags', at, ${tagLength}) END, state.number
    FROM generate_series(1, greatest(1, length(said ->> 'tags')), ${tagLength}) AS at
    WHERE said ->> 'tags' IS NULL OR said ->> 'tags' <> '';
    IF said ->> 'kind' = 'membership' THEN
      state.membership := state.number;
    ELSIF said ->> 'kind' = 'removal' THEN
      IF ${commitmentOf('heads[i]')} <> said ->> 'head' THEN
        RAISE EXCEPTION 'The removal is not the one of its header.';
      END IF;
      act := convert_from(substr(heads[i], ${textAt}), 'UTF8')::jsonb ->> 'act';
      IF act = 'remove' THEN
        state.removal := state.number;
        PERFORM remove_content(of_team, state.number);
      END IF;
    END IF;
  END LOOP;
  IF state.hash <> last_hash THEN
    RAISE EXCEPTION 'The chain ends in another hash.';
  END IF;
  UPDATE teams SET number = state.number, hash = state.hash, membership = state.membership, removal = state.removal
  WHERE team = of_team;
END;
`,
    ),
  ],
  [
    'add_arrival(text, bigint, integer, text)',
    makeFunction(
      'add_arrival (text, bigint, integer, text)',
      'void',
      'sql',
      `
  UPDATE teams SET parts = parts + 1 WHERE team = $1;
  UPDATE parts SET arrival = teams.parts FROM teams
  WHERE teams.team = $1 AND parts.team = $1 AND parts.number = $2 AND part = $3 AND computer = $4 AND arrival IS NULL;
`,
    ),
  ],
  [
    'purge_removed()',
    makeFunction(
      'purge_removed ()',
      'void',
      'sql',
      `DELETE FROM removed_content WHERE removed_at < now() - interval '${keptDays} days'`,
    ),
  ],
];

const ownFunctions: readonly (readonly [name: string, sql: string])[] = [
  [
    'remove_content(text, bigint)',
    makeFunction(
      'remove_content (text, bigint)',
      'void',
      'sql',
      `
  INSERT INTO removed_entries (team, id, removal)
  SELECT DISTINCT removals.team, listed.value, removals.number FROM entries removals,
    jsonb_array_elements_text(convert_from(substr(removals.head, ${textAt}), 'UTF8')::jsonb -> 'entries') AS listed (value)
  WHERE removals.team = $1 AND removals.number = $2 AND removals.kind = 'removal'
  ON CONFLICT DO NOTHING;
  INSERT INTO removed_content (team, number, part, computer, removal, content)
  SELECT team, number, part, computer, $2, content FROM parts WHERE ${isRemoved} OR ${isOfCheckpoint}
  UNION ALL SELECT team, number, -1, '', $2, head FROM entries WHERE ${isRemovedEvent} AND length(head) > 0;
  ${deleteContent("''").join(';\n')};
`,
    ),
  ],
  [
    // Restores what a forged removal removed: docs/team-server.md.
    'restore_content(text, bigint)',
    makeFunction(
      'restore_content (text, bigint)',
      'bigint',
      'sql',
      `
  DELETE FROM removed_entries WHERE team = $1 AND removal = $2;
  UPDATE entries SET head = kept.content, bytes = octet_length(header) + length(kept.content)
  FROM removed_content kept
  WHERE kept.team = $1 AND kept.removal = $2 AND kept.part = -1 AND entries.team = $1 AND entries.number = kept.number;
  INSERT INTO parts (team, number, part, computer, content)
  SELECT team, number, part, computer, content FROM removed_content
  WHERE team = $1 AND removal = $2 AND part >= 0 ON CONFLICT DO NOTHING;
  WITH gone AS (DELETE FROM removed_content WHERE team = $1 AND removal = $2 RETURNING 1) SELECT count(*) FROM gone;
`,
    ),
  ],
];

const makePartitions = (table: string): string[] => [
  ...Array.from(
    { length: partitions },
    (_none, index) =>
      `CREATE TABLE ${table}_${index} PARTITION OF ${table}
       FOR VALUES FROM (${index * partitionSize}) TO (${(index + 1) * partitionSize})`,
  ),
  `CREATE TABLE ${table}_later PARTITION OF ${table} DEFAULT`,
];

/** The tables and functions of PostgreSQL, and what the server's role may do. */
export const postgresStatements: readonly string[] = [
  ...makeTables(' PARTITION BY RANGE (number)', 'bytea', ''),
  ...['entries', 'parts'].flatMap(makePartitions),
  // Leases are not in the write-ahead log, so they are in no replica or archive. That none survive a crash is intended.
  'ALTER TABLE leases SET UNLOGGED',
  // Removed content, which only the owner can read. Part -1 is a head.
  `CREATE TABLE removed_content (
    team text NOT NULL,
    number bigint NOT NULL,
    part integer NOT NULL,
    computer text NOT NULL,
    removal bigint NOT NULL,
    removed_at timestamptz NOT NULL DEFAULT now(),
    content bytea NOT NULL,
    PRIMARY KEY (team, removal, number, part, computer)
  )`,
  `GRANT SELECT ON migrations, teams, entries, entry_tags, parts, removed_entries, setup_codes, invitations, joins, computers, usage, leases TO ${serverRole}`,
  `GRANT INSERT ON setup_codes, invitations, joins, computers, usage, leases TO ${serverRole}`,
  `GRANT INSERT (team, number, part, computer, content) ON parts TO ${serverRole}`,
  // The counters of a new team are zero.
  `GRANT INSERT (team, setup_code) ON teams TO ${serverRole}`,
  `GRANT UPDATE (answer, nonce) ON joins TO ${serverRole}`,
  `GRANT UPDATE (seen_at) ON computers TO ${serverRole}`,
  `GRANT UPDATE (bytes, entries, memberships), DELETE ON usage TO ${serverRole}`,
  `GRANT UPDATE (expires_at), DELETE ON leases TO ${serverRole}`,
  ...[...ownFunctions, ...functions].flatMap(([name, sql]) => [
    sql,
    `REVOKE EXECUTE ON FUNCTION ${name} FROM PUBLIC`,
  ]),
  ...functions.map(([name]) => `GRANT EXECUTE ON FUNCTION ${name} TO ${serverRole}`),
];
