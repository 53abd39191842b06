import { expect } from 'vitest';
import type { TeamRemoval } from '../../src/contract/store.ts';
import { wordOfRemoval } from '../../src/contract/team.ts';
import type { Session } from '../../src/main/shells/cli/session.ts';
import { createLog } from '../../src/team-server/log.ts';
import { makeSetupCode, type ServerSettings, startServer } from '../../src/team-server/server.ts';
import { openSqliteDatabase } from '../../src/team-server/store/sqlite-database.ts';
import { openBench } from './engine-session.ts';

export const reason = 'The contract ended.';

/** The request of a computer that joins, as the admin's computer lists it once both have answered. */
export async function compareCodes(admin: Session, joining: Session, workspaceId: string) {
  await admin.call('team:listJoins', { workspaceId });
  await joining.call('team:sync', { workspaceId });
  const [join] = (await admin.call('team:listJoins', { workspaceId })).joins;
  if (join === undefined) throw new Error('Nobody asked to join.');
  return join;
}

/**
 * A team of two computers with records and one without, over the whole app. `folder`: of the server's database, where
 * `options` have no other one.
 */
export async function openTeamSessions(
  folder: string,
  sandboxArgs: readonly string[],
  options: Partial<Pick<ServerSettings, 'database' | 'limits'>> = {},
) {
  const bench = await openBench(...sandboxArgs);
  const database = options.database ?? (await openSqliteDatabase(folder));
  const server = await startServer({
    ...{ database, limits: options.limits ?? {}, port: 0, tls: null, origin: null },
    ...{ metricsToken: null, log: createLog({ write: () => true }, Date.now) },
  });
  const folders = [await bench.newProfile(), await bench.newProfile(), await bench.newProfile()];
  const sessions = await Promise.all(folders.map((folder) => bench.open(folder)));
  const [here, there, empty] = sessions as [Session, Session, Session];
  const workspaceId = (await here.findWorkspace()).id;
  for (const session of [here, there]) await bench.sync(session);
  const setupCode = await makeSetupCode(server.store, Date.now());
  const made = await here.call('team:create', { workspaceId, server: server.origin, setupCode });
  for (const session of [there, empty]) {
    const { invitation } = await here.call('team:invite', {
      ...{ workspaceId, email: bench.sandbox.account.email, role: 'admin' },
      recoveryKey: made.recoveryKey,
    });
    await session.call('team:join', { workspaceId, invitation });
    const { code, computer } = await compareCodes(here, session, workspaceId);
    expect(code).toBe((await session.call('team:getStatus', { workspaceId }))?.code);
    await here.call('team:approve', { workspaceId, computer, acceptsOtherKey: true });
    await session.call('team:sync', { workspaceId });
  }
  const all = (await bench.readAll(here, 'claims')).map(({ id }) => id as number);
  const note = { kind: 'note', text: 'kept or removed' } as const;
  for (let at = 0; at < all.length; at += 1_000) {
    const target = { claimIds: all.slice(at, at + 1_000) };
    await there.call('reviews:act', { workspaceId, target, act: note });
  }
  for (const session of [there, here, empty]) await session.call('team:sync', { workspaceId });
  const countNotes = async (session: Session, claimId: number): Promise<number> =>
    (await session.call('reviews:listEvents', { workspaceId, claimId, offset: 0, limit: 9 })).total;
  const remove = (rule: TeamRemoval): Promise<unknown> =>
    here.call('team:remove', { workspaceId, rule, reason, typed: wordOfRemoval(rule) });
  const claimsIn = async (session: Session): Promise<number[]> =>
    (await bench.readAll(session, 'claims')).map(({ id }) => id as number).sort((one, other) => one - other);
  const close = async (): Promise<void> => {
    for (const session of sessions) await session.close();
    await server.close();
    await bench.close();
  };
  return {
    bench,
    server,
    database,
    folders,
    sessions,
    here,
    there,
    empty,
    workspaceId,
    all,
    countNotes,
    remove,
    claimsIn,
    close,
  };
}
