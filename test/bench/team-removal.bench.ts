import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TeamRemoval } from '../../src/contract/store.ts';
import { openTeamSessions } from '../support/team-sessions.ts';
import { report } from './support/figures.ts';

/**
 * How long a removal for the team takes until each of three computers has removed the records with their backups and
 * acknowledged it: whole engines and a server on SQLite, all in one process. Two have records, all have the reviews.
 */
const tell = (what: string, ms: number, how: string): void =>
  report({ what, figure: Math.round(ms / 100) / 10, unit: 's', reach: '≤ 10', how });
const folder = mkdtempSync(join(tmpdir(), 'claimdesk-bench-server-'));
const records = ['--members', '600', '--claims', '10000', '--seed', '7'];
const { bench, here, workspaceId, remove, close } = await openTeamSessions(folder, records);
const isAcknowledged = async (): Promise<boolean> => {
  const [newest] = (await here.call('team:listRemovals', { workspaceId })).removals;
  return newest?.computers.every(({ isDone }) => isDone) ?? false;
};
const measure = async (rule: TeamRemoval): Promise<number> => {
  const began = performance.now();
  await remove(rule);
  while (!(await isAcknowledged())) await new Promise((resolve) => setTimeout(resolve, 20));
  return performance.now() - began;
};
try {
  const members = (await bench.readAll(here, 'members')).map(({ id }) => id as number);
  const times: number[] = [];
  for (const memberId of members.slice(0, 5)) times.push(await measure({ kind: 'member', memberId }));
  const how = '10,000 claims and reviews of each; three whole engines and the server in one process';
  tell(
    'a removal by member until all online have acknowledged it, the longest of five',
    Math.max(...times),
    how,
  );
  const date = '2026-01-01';
  tell('the same by date of service', await measure({ kind: 'claimsBefore', date }), how);
  tell('the same of everything', await measure({ kind: 'everything' }), how);
} finally {
  await close();
  rmSync(folder, { recursive: true, force: true });
}
