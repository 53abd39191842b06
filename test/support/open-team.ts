import { expect } from 'vitest';
import { approve, listJoins } from '../../src/main/engine/team/join-team.ts';
import { makeSetupCode } from '../../src/team-server/server.ts';
import type { Queries } from '../../src/team-server/store/database.ts';
import { openSqliteDatabase } from '../../src/team-server/store/sqlite-database.ts';
import { type Member, openMember } from './team-member.ts';
import { startTestServer } from './team-server.ts';
import { makeTempFolder } from './temp-profile.ts';

/** A team server in this process, and people with a computer each; the first one is the admin. */
export async function openTeam(...names: readonly string[]) {
  const folder = makeTempFolder();
  const database = await openSqliteDatabase(folder);
  const served = await startTestServer({ database });
  const clock = { now: () => served.clock.nowMs };
  const open = (name: string, options?: Parameters<typeof openMember>[3]) =>
    openMember(folder, name, clock, options);
  const [first, ...others] = names.map((name) => open(name)) as [Member, ...Member[]];
  const { recoveryKey, team } = await first.create(
    served.origin,
    await makeSetupCode(served.server.store, served.clock.nowMs),
  );
  await first.exchange();
  for (const other of others) await admit(first, other);
  return {
    ...served,
    database,
    recoveryKey,
    team,
    folder,
    open,
    members: [first, ...others] as [Member, ...Member[]],
  };
}

/** The admin's computer sees who asked to join, and both exchange their nonces; returns the code of who joins. */
export async function exchangeNonces(admin: Member, joining: Member): Promise<string | null> {
  await listJoins(admin.ports, await admin.sessionOf());
  await joining.advanceJoin();
  return joining.readCode();
}

/** Lets a member join as two users do at their screens. */
export async function admit(
  admin: Member,
  joining: Member,
  role: 'admin' | 'reviewer' | 'reader' = 'reviewer',
) {
  const { invitation } = await admin.invite(joining.email, role);
  await joining.join(invitation);
  const code = await exchangeNonces(admin, joining);
  expect(code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  const session = await admin.sessionOf();
  const joins = await listJoins(admin.ports, session);
  const join = joins.find(({ computer }) => computer === joining.computer);
  expect(join).toMatchObject({ email: joining.email, code });
  await approve(admin.ports, session, { computer: joining.computer, acceptsOtherKey: true });
  await joining.exchange();
}

/** Each sends what it has, then reads what the others sent. */
export const exchangeAll = async (members: readonly Member[]): Promise<void> => {
  for (let round = 0; round < 2; round += 1) for (const one of members) await one.exchange();
};

/** Starts the server again as it was after an earlier number, as from a backup. */
export async function restoreServer(
  {
    folder,
    origin,
    close,
    clock,
  }: Pick<Awaited<ReturnType<typeof openTeam>>, 'folder' | 'origin' | 'close' | 'clock'>,
  number: number,
) {
  await close();
  const database = await openSqliteDatabase(folder);
  await rollBack(database, number);
  const again = await startTestServer({ database, port: Number(new URL(origin).port) });
  again.clock.nowMs = clock.nowMs;
  return again;
}

/** Makes the only team of a database what it was after a number; with the parts that came until then. */
export async function rollBack(database: Queries, number: number): Promise<void> {
  await database.all('DELETE FROM removed_entries WHERE removal>$1', [number]);
  for (const table of ['parts', 'entry_tags', 'entries'])
    await database.all(`DELETE FROM ${table} WHERE number>$1`, [number]);
  await database.all(
    `UPDATE teams SET number=$1, hash=(SELECT hash FROM entries WHERE number=$1),
     membership=(SELECT max(number) FROM entries WHERE kind='membership'),
     removal=(SELECT coalesce(max(number), 0) FROM entries WHERE kind='removal'),
     parts=(SELECT coalesce(max(arrival), 0) FROM parts)`,
    [number],
  );
}
