/** The role that the server signs in to PostgreSQL with. */
export const serverRole = 'claimdesk_server';

interface Migration {
  readonly number: number;
  /** Statements for both databases. A migration only adds, so that servers of the version before still work. */
  readonly statements: readonly string[];
  /** What the server's role may do, in PostgreSQL. */
  readonly grants: readonly string[];
}

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
];

export const newestMigration = Math.max(...migrations.map(({ number }) => number));
