import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { restoreBackup } from '../../../src/main/engine/store/backup/restore-backup.ts';
import { beginBackups, writeBackup } from '../../../src/main/engine/store/backup/write-backup.ts';
import { openDatabase } from '../../../src/main/engine/store/file/database.ts';
import { migrate } from '../../../src/main/engine/store/file/migrate.ts';
import { migrationsOf, newestVersionOf } from '../../../src/main/engine/store/file/migration-list.ts';
import { openFile } from '../../../src/main/engine/store/file/open-file.ts';
import { createUserDataOperations } from '../../../src/main/engine/store/threads/user-data-operations.ts';
import type { ReviewFact } from '../../../src/rules/review/event-kinds.ts';
import { readRows } from '../../support/backed-up-profile.ts';
import { fuzzRuns, seedFrom, testBytes } from '../../support/seeds.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const [key, backupKey, auditKey, otherKey] = [1, 2, 3, 4].map((number) => testBytes(32, number)) as [
  Buffer,
  Buffer,
  Buffer,
  Buffer,
];
const timeOf = (at: number): string => new Date(Date.UTC(2026, 0, 1) + at * 7_200_000).toISOString();

/** A profile's user data, and a folder of its backups. */
function openHistory() {
  const folder = makeTempFolder();
  const path = join(folder, 'ours.db');
  const dir = join(folder, 'claimdesk-test');
  const file = openFile(path, key, 'userData');
  const userData = createUserDataOperations(file.database, path, key, (thrown) => {
    throw thrown;
  });
  const append = (at: number, workspaceId: string, claimIds: readonly number[], fact: ReviewFact): void =>
    void userData.appendReview({
      ...{ id: `event-${at}`, workspaceId, nowMs: Date.parse(timeOf(at)), author: 'dana@example.com', fact },
      ...{ filter: null, undoes: null, receipt: null, isStaged: false },
      claims: claimIds.map((claimId) => ({
        claimId,
        reviewed: JSON.stringify({ status: 'paid', of: claimId % 3 }),
        digest: `digest ${claimId}`,
      })),
    });
  return {
    file,
    userData,
    append,
    attach(at: number, claimId: number, text: string): void {
      const bytes = Buffer.from(text);
      const { sha256 } = userData.keepDocument({ bytes });
      append(at, 'w', [claimId], {
        ...{ kind: 'document', document: 'receipt', name: 'a.txt', type: 'text', day: '2026-01-01' },
        ...{ bytes: bytes.length, sha256 },
      } as ReviewFact);
      userData.endKeeping({ sha256, isAttached: true });
    },
    audit: (at: number): void =>
      void userData.appendAudit({
        ...{ at: timeOf(at), actor: 'dana', key: auditKey },
        record: { action: 'ssn.revealed', workspaceId: 'w', details: { index: at } },
      }),
    backUp: (at: number) =>
      writeBackup(
        { filePath: path, key, dir, backupKey },
        {
          number: beginBackups({ dir, backupKey }, true) + 1,
          ...{ at: timeOf(at), app: '0.3.0', files: {}, auditKey: auditKey.toString('base64'), keyFile: '' },
          ...{ kept: 100, isFull: at % 2 === 0, removals: [] },
        },
      ),
    read: () => readRows(path, key),
    /** Under another key, as on another computer. */
    restore(before: string | null) {
      const target = join(makeTempFolder(), 'profile');
      mkdirSync(target);
      const filePath = join(target, 'ours.db');
      restoreBackup({ filePath, key: otherKey, dir, backupKey }, { before });
      return { filePath, rows: readRows(filePath, otherKey) };
    },
  };
}

const claim = fc.integer({ min: 1, max: 9 });
const step = fc.oneof(
  fc.record({
    kind: fc.constant('note'),
    claims: fc.uniqueArray(claim, { minLength: 1 }),
    text: fc.string(),
  }),
  fc.record({ kind: fc.constant('decide'), claims: fc.uniqueArray(claim, { minLength: 1 }) }),
  fc.record({ kind: fc.constant('attach'), claim, text: fc.string({ minLength: 1 }) }),
  fc.record({ kind: fc.constant('view'), name: fc.string({ minLength: 1 }) }),
  fc.record({ kind: fc.constant('audit') }),
  fc.record({ kind: fc.constant('forget'), claims: fc.uniqueArray(claim, { minLength: 1, maxLength: 2 }) }),
  fc.record({ kind: fc.constant('backUp') }),
);

test('every backup of a history is restored as it was: events, values, views, documents, audit log', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 30 }), (steps) => {
      const history = openHistory();
      const states = new Map<string, unknown>();
      const { userData } = history;
      for (const [at, one] of [...steps, { kind: 'backUp' } as const].entries()) {
        if (one.kind === 'note')
          history.append(at, 'w', 'claims' in one ? one.claims : [], {
            ...{ kind: 'note', text: 'text' in one ? one.text : '' },
          });
        else if (one.kind === 'decide')
          history.append(at, at % 2 ? 'w' : 'v', 'claims' in one ? one.claims : [], {
            ...{
              kind: 'decision',
              state: 'done',
              outcome: 'eligible',
              onWhom: null,
              reason: null,
              reminder: null,
            },
          } as unknown as ReviewFact);
        else if (one.kind === 'attach' && 'claim' in one) history.attach(at, one.claim, one.text);
        else if (one.kind === 'view' && 'name' in one)
          userData.saveView({
            id: `view-${at}`,
            workspace_id: 'w',
            name: one.name,
            query: '{}',
            created_at: timeOf(at),
            updated_at: timeOf(at),
          });
        else if (one.kind === 'audit') history.audit(at);
        else if (one.kind === 'forget' && 'claims' in one)
          userData.forgetWritten({ workspaceId: 'w', claimIds: one.claims as number[] });
        else if (one.kind === 'backUp') {
          history.backUp(at);
          states.set(timeOf(at), history.read());
        }
      }
      const days = new Map([...states].map(([at, state]) => [at.slice(0, 10), { at, state }]));
      // The newest of each day is kept.
      for (const { at, state } of days.values()) expect(history.restore(at).rows).toEqual(state);
      history.file.close();
    }),
    { numRuns: fuzzRuns(8), seed: seedFrom(50) },
  );
});

test('a backup of an older version is migrated when it is restored', () => {
  const folder = makeTempFolder();
  const path = join(folder, 'ours.db');
  const older = openDatabase(path, key);
  migrate(older, 'userData');
  older.exec(`INSERT INTO review_texts (text) VALUES ('w');
    INSERT INTO stored_events (seq, id, workspace, at, author, kind, fact, is_imported)
      VALUES (1, 'one', 1, 1767225600000, 'dana@example.com', 'note', '{"text":"old"}', 0);
    INSERT INTO stored_claims (claim_id, event_seq) VALUES (7, 1);`);
  older.close();
  const dir = join(folder, 'claimdesk-test');
  writeBackup(
    { filePath: path, key, dir, backupKey },
    {
      number: beginBackups({ dir, backupKey }, true) + 1,
      ...{ at: timeOf(1), app: '0.3.0', files: {}, auditKey: null, keyFile: '' },
      ...{ kept: 1, isFull: true, removals: [] },
    },
  );
  const migrations = migrationsOf.userData as { version: number; sql: string }[];
  const version = newestVersionOf('userData') + 1;
  migrations.push({ version, sql: 'CREATE TABLE added_later (n INTEGER PRIMARY KEY, text TEXT) STRICT;' });
  onTestFinished(() => void migrations.pop());
  const filePath = join(makeTempFolder(), 'ours.db');
  restoreBackup({ filePath, key: otherKey, dir, backupKey }, { before: null });
  const restored = openFile(filePath, otherKey, 'userData');
  expect(restored.database.pragma('user_version', { simple: true })).toBe(version);
  restored.close();
  expect(readRows(filePath, otherKey).rows).toMatchObject({
    stored_events: [{ seq: 1, fact: '{"text":"old"}' }],
    stored_claims: [{ claim_id: 7, event_seq: 1 }],
    added_later: [],
  });
});

test('in a team, colleagues’ work is not copied, and this computer’s events have no position in its log', () => {
  const history = openHistory();
  history.append(1, 'w', [7], { kind: 'note', text: 'mine' });
  history.append(2, 'w', [8], { kind: 'note', text: 'of a colleague' });
  history.file.database.exec(
    `UPDATE stored_events SET number=seq;
     UPDATE stored_events SET is_imported=1 WHERE seq=2;
     INSERT INTO team_position (log, workspace_id, team, number, hash, parts, sent_seq) VALUES (1, 'w', 't', 2, 'h', 0, 2);`,
  );
  history.backUp(3);
  const { rows } = history.restore(null).rows;
  expect(rows.stored_events).toMatchObject([{ seq: 1, number: null, seen: null }]);
  expect(rows.stored_claims).toMatchObject([{ claim_id: 7 }]);
  expect(rows.team_position).toEqual([]);
  expect(JSON.stringify(rows)).not.toContain('of a colleague');
  history.file.close();
});
