import { copyBySql } from '../file/backup.ts';
import type { Database } from '../file/database.ts';
import { createUndoneReader } from './list-events.ts';
import { removeUnusedTexts } from './stored-events.ts';
import { teamTables } from './team-log.ts';

/** Selects the events that colleagues wrote and the team's server has. */
const isOfColleagues = 'SELECT seq FROM main.stored_events WHERE is_imported=1 AND number IS NOT NULL';

/** The documents of the events that a backup includes and that count. */
export function listCopiedDocuments(database: Database): { sha256: string; bytes: number }[] {
  const isUndone = createUndoneReader(database);
  const rows = database
    .prepare(
      `SELECT id, fact ->> '$.sha256' AS sha256, fact ->> '$.bytes' AS bytes
       FROM review_events WHERE kind='document' AND seq NOT IN (${isOfColleagues}) ORDER BY sha256`,
    )
    .all() as { id: string; sha256: string; bytes: number }[];
  const counting = rows.filter(({ id }) => !isUndone(id));
  return [...new Map(counting.map((document) => [document.sha256, document])).values()];
}

/** Selects the rows of a table that a backup includes; the others are read again from the servers of teams. */
export function ownRows(table: string): string {
  if ((teamTables as readonly string[]).includes(table) || table === 'team_entries') return 'false';
  if (table === 'stored_events') return `seq NOT IN (${isOfColleagues})`;
  const isOwn = `event_seq NOT IN (${isOfColleagues})`;
  if (table === 'claim_values') return `n IN (SELECT kept FROM main.stored_claims WHERE ${isOwn})`;
  return table === 'stored_claims' ? isOwn : 'true';
}

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Copies the user data into a new file with the same key, without what came from the servers of teams: a computer can
 * read everything in a team's log again except what it wrote itself.
 */
export function copyOwn(database: Database, target: string, key: Uint8Array): void {
  const hasTeam = database.prepare('SELECT 1 FROM team_position LIMIT 1').get() !== undefined;
  if (!hasTeam) copyBySql(database, target);
  else {
    // An attached file uses the cipher that was set last.
    database.pragma("cipher='aegis'");
    database
      .prepare('ATTACH DATABASE ? AS copy KEY ?')
      .run(target, `raw:${Buffer.from(key).toString('hex')}`);
    try {
      copyInto(database);
    } finally {
      database.exec('DETACH DATABASE copy');
    }
  }
}

function copyInto(database: Database): void {
  const all = database
    .prepare(
      "SELECT type, name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'",
    )
    .all() as { type: string; name: string; sql: string }[];
  const make = (sql: string): void =>
    void database.exec(sql.replace(/^(CREATE (?:UNIQUE )?(?:TABLE|INDEX|VIEW|TRIGGER)) /i, '$1 copy.'));
  const ofType = (type: string) => all.filter((entry) => entry.type === type);
  const copyAll = database.transaction(() => {
    for (const { name, sql } of ofType('table')) {
      make(sql);
      const where = ownRows(name);
      if (where !== 'false')
        database.exec(`INSERT INTO copy.${quote(name)} SELECT * FROM main.${quote(name)} WHERE ${where}`);
    }
    // An event of this computer counts as in no log until the log is read again.
    database.exec('UPDATE copy.stored_events SET number=NULL WHERE number IS NOT NULL');
    database.exec(removeUnusedTexts('copy.'));
    for (const type of ['index', 'view', 'trigger']) for (const { sql } of ofType(type)) make(sql);
    // The planner's statistics; this statement creates their table.
    database.exec(`ANALYZE copy.views;
DELETE FROM copy.sqlite_stat1;
INSERT INTO copy.sqlite_stat1 SELECT * FROM main.sqlite_stat1`);
  });
  copyAll();
  const version = database.pragma('main.user_version', { simple: true }) as number;
  database.pragma(`copy.user_version=${version}`);
}
