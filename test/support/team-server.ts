import { onTestFinished } from 'vitest';
import type { Limits } from '../../src/team-server/limits.ts';
import { createLog } from '../../src/team-server/log.ts';
import { makeSetupCode, type RunningServer, startServer } from '../../src/team-server/server.ts';
import type { TeamDatabase } from '../../src/team-server/store/database.ts';
import { openSqliteDatabase } from '../../src/team-server/store/sqlite-database.ts';
import { createTeamClient } from './team-client.ts';
import { makeTestTeam, type TestComputer } from './team-computer.ts';
import { makeTempFolder } from './temp-folder.ts';

/** When the tests' clock starts. */
export const testStart = Date.parse('2026-11-20T12:00:00.000Z');

/** A team server in this process with a clock of its own; it ends with the test. */
export async function startTestServer(
  options: {
    database?: TeamDatabase;
    limits?: Partial<Limits>;
    metricsToken?: string;
    port?: number;
    /** The address that computers know it by, where that is not where it listens. */
    origin?: string;
  } = {},
) {
  const clock = { nowMs: testStart };
  const lines: string[] = [];
  const now = () => clock.nowMs;
  const database = options.database ?? (await openSqliteDatabase(makeTempFolder()));
  const server = await startServer({
    ...{
      database,
      port: options.port ?? 0,
      tls: null,
      origin: options.origin ?? null,
      now,
      hasTimers: false,
    },
    log: createLog({ write: (text: string) => lines.push(text) > 0 }, now),
    limits: options.limits ?? {},
    metricsToken: options.metricsToken ?? null,
  });
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (!isClosed) await server.close();
    isClosed = true;
  };
  onTestFinished(close);
  const clientOf = (team: string, computer: TestComputer) =>
    createTeamClient(server.origin, team, computer, now);
  return {
    origin: server.origin,
    server,
    clock,
    lines,
    clientOf,
    close,
    createTeam: () => createTeamOn(server, now),
  };
}

/** A team with an admin, a reviewer and a reader on a server, and a client for each. */
export async function createTeamOn(server: Pick<RunningServer, 'store' | 'origin'>, now: () => number) {
  const made = makeTestTeam();
  const clientOf = (computer: TestComputer) => createTeamClient(server.origin, made.team, computer, now);
  const admin = clientOf(made.admin);
  const reply = await admin.create(await makeSetupCode(server.store, now()), made.create);
  if (!reply.ok) throw new Error(await reply.text());
  await admin.post(made.admit(made.reviewer, 'reviewer'), made.admit(made.reader, 'reader'));
  return {
    ...made,
    admin,
    reviewer: clientOf(made.reviewer),
    reader: clientOf(made.reader),
    computers: made,
  };
}
