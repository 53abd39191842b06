import type { Database } from '../file/database.ts';
import { unpackProof } from '../file/packed-proofs.ts';
import { createPlaceReader } from './event-places.ts';
import type { ReviewEntry } from './write-event.ts';

/** An entry that an author had read under a number where this log has another. */
export interface OtherLog {
  readonly number: number;
  readonly author: string;
}

/** The most that are stored per workspace. */
const maxKept = 500;

/** Stores what authors of these events had read that is not in this log, in the transaction of their page. */
export function keepOtherLogs(
  database: Database,
  workspaceId: string,
  entries: readonly Pick<ReviewEntry, 'id' | 'author' | 'proof'>[],
): void {
  const placeOf = createPlaceReader(database, workspaceId);
  const put = database.prepare(
    `INSERT OR IGNORE INTO team_other_logs (workspace_id, number, hash, author)
     SELECT :workspaceId, :number, :hash, :author
     WHERE (SELECT count(*) FROM team_other_logs WHERE workspace_id=:workspaceId) < ${maxKept}`,
  );
  /** The positions that authors had seen; several are often the same. */
  const looked = new Set<string>();
  for (const { id, author, proof } of entries) {
    const seen = proof === null ? null : unpackProof(proof).seen;
    const mark = `${seen?.number} ${seen?.hash}`;
    if (seen === null || looked.has(mark)) continue;
    looked.add(mark);
    if (placeOf?.(id)?.isSameLog === false) put.run({ workspaceId, author, ...seen });
  }
}

/** Lists positions that entries' authors had read and that are neither in the log now nor dismissed. */
export const readOtherLogs = (database: Database, { workspaceId }: { workspaceId: string }): OtherLog[] =>
  (
    database
      .prepare(
        `SELECT o.number, o.hash, o.author, t.hash AS here FROM team_other_logs o
         LEFT JOIN team_position p ON p.workspace_id=o.workspace_id
         LEFT JOIN team_entries t ON t.log=p.log AND t.number=o.number
         WHERE o.workspace_id=? AND o.is_dismissed=0 ORDER BY o.number`,
      )
      .all(workspaceId) as (OtherLog & { hash: string; here: Buffer | null })[]
  ).flatMap(({ number, hash, author, here }) =>
    here?.toString('base64url') === hash ? [] : [{ number, author }],
  );

/** Dismisses positions. They stay stored, so that later entries with the same position do not show them again. */
export const dismissOtherLogs = (
  database: Database,
  { workspaceId, upTo }: { workspaceId: string; upTo: number },
): number =>
  database
    .prepare(
      'UPDATE team_other_logs SET is_dismissed=1 WHERE workspace_id=? AND number<=? AND is_dismissed=0',
    )
    .run(workspaceId, upTo).changes;

/** Up to where this computer had read a log that its server no longer has, and the last number that both have. */
interface Rewound {
  readonly readUpTo: number;
  readonly common: number;
}

/** Null where the team has the report, or there was nothing to report. */
export const readRewound = (database: Database, { workspaceId }: { workspaceId: string }): Rewound | null =>
  (database
    .prepare('SELECT read_up_to AS readUpTo, common FROM team_rewound WHERE workspace_id=?')
    .get(workspaceId) as Rewound | undefined) ?? null;

/** Stores that the log continues from an earlier number, because the server's does. */
export const keepRewound = (
  database: Database,
  rewound: Rewound & { readonly workspaceId: string },
): unknown =>
  database
    .prepare(
      `INSERT INTO team_rewound (workspace_id, read_up_to, common) VALUES (:workspaceId, :readUpTo, :common)
       ON CONFLICT (workspace_id) DO UPDATE SET read_up_to=max(read_up_to, :readUpTo), common=min(common, :common)`,
    )
    .run(rewound);
