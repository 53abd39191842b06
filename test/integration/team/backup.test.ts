import { expect, test } from 'vitest';
import { findBackup } from '../../../src/main/engine/store/file/backup.ts';
import { openDatabase } from '../../../src/main/engine/store/file/database.ts';
import { exchangeAll, openTeam } from '../../support/open-team.ts';
import { workspaceId } from '../../support/review-computer.ts';
import { decisionOf } from '../../support/review-files.ts';
import type { Member } from '../../support/team-member.ts';

test('a backup contains what was written here, and not what the team’s server has from colleagues', async () => {
  const { members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  const own = await ana.act([1, 2], decisionOf('eligible'));
  const ofBen = await ben.act([3], decisionOf('disputed'));
  await exchangeAll(members);
  const unsent = await ana.act([4], { kind: 'flag', isFlagged: true });
  const { name } = ana.operations.backUp(null);
  const found = findBackup(ana.path, ana.key);
  expect(found?.path.endsWith(name)).toBe(true);
  const backup = openDatabase(found?.path ?? '', ana.key, { isReadOnly: true });
  const rows = backup.prepare('SELECT id, number FROM review_events').all() as {
    id: string;
    number: unknown;
  }[];
  const written = rows.filter(({ id }) => [own, unsent].includes(id));
  expect(written).toEqual([
    { id: own, number: null },
    { id: unsent, number: null },
  ]);
  expect(rows.map(({ id }) => id)).not.toContain(ofBen);
  expect(backup.prepare('SELECT count(*) FROM review_event_claims').pluck().get()).toBe(3);
  expect(backup.prepare('SELECT count(*) FROM claim_values').pluck().get()).toBe(3);
  expect(backup.prepare('SELECT count(*) FROM team_entries').pluck().get()).toBe(0);
  expect(backup.pragma('user_version', { simple: true })).toBe(
    ana.file.database.pragma('user_version', { simple: true }),
  );
  expect(backup.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()).toBe(
    ana.file.database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get(),
  );
  backup.close();
  // The file itself goes on, with all of it.
  await exchangeAll(members);
  expect(ana.folds()).toEqual(ben.folds());
  expect(ana.operations.countUnsent({ workspaceId })).toBe(0);
});
