import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll } from 'vitest';
import { migratePostgres } from '../../src/team-server/store/postgres-database.ts';

/** The folder of the newest version's programs. */
export const postgresPrograms = ((): string => {
  const versions = '/usr/lib/postgresql';
  const newest = readdirSync(versions)
    .sort((one, other) => Number(one) - Number(other))
    .at(-1);
  return join(versions, newest ?? '', 'bin');
})();

/** The script that makes the roles when a server is set up. */
const rolesFile = fileURLToPath(new URL('../../deploy/create-database.sql', import.meta.url));

const superuser = 'postgres';
export const ownerRole = 'claimdesk_owner';
export const serverRole = 'claimdesk_server';

/** PostgreSQL refuses root: then it runs as its own user. */
const asUser = (): readonly string[] => {
  const ids = (name: string) => Number(execFileSync('id', [name, superuser], { encoding: 'utf8' }));
  if (process.getuid?.() !== 0) return [];
  return ['--reuid', String(ids('-u')), '--regid', String(ids('-g')), '--clear-groups'];
};

/** Runs as the cluster's user, and ends with this process even if it is killed. */
const runAsUser = (program: string, args: readonly string[]) =>
  spawn('setpriv', [...asUser(), '--pdeathsig', 'INT', join(postgresPrograms, program), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
  });

/**
 * A cluster of its own in a temporary folder, on a socket there, without waiting for the disk. It ends after the tests
 * of the file, or when what `onEnd` knows ends.
 */
export async function startPostgres(onEnd: (end: () => Promise<void>) => void = afterAll) {
  // Not TMPDIR: the cluster's user cannot enter a folder of root, and a socket's path has to be short.
  const folder = mkdtempSync('/tmp/claimdesk-pg-');
  const data = join(folder, 'data');
  mkdirSync(data);
  const [, uid, , gid] = asUser();
  if (uid !== undefined) for (const path of [folder, data]) chownSync(path, Number(uid), Number(gid));
  const initdb = runAsUser('initdb', ['-D', data, '-U', superuser, '-A', 'trust', '-N', '--no-instructions']);
  const [code] = (await once(initdb, 'exit')) as [number];
  if (code !== 0) throw new Error(`initdb ended with ${code}`);

  const start = async () => {
    const off = ['fsync=off', 'full_page_writes=off', 'max_connections=50', 'listen_addresses='];
    const child = runAsUser('postgres', ['-D', data, '-k', folder, ...off.flatMap((one) => ['-c', one])]);
    const ended = once(child, 'exit');
    child.stderr.setEncoding('utf8');
    let log = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr.on('data', (text: string) => {
        log += text;
        if (log.includes('ready to accept connections')) resolve();
      });
      child.once('exit', () => reject(new Error(log)));
    });
    return { child, ended };
  };
  let running = await start();
  /** `SIGINT` closes its connections and ends; `SIGQUIT` ends at once, as a crash. */
  const stop = async (signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT') => {
    running.child.kill(signal);
    await running.ended;
  };
  onEnd(async () => {
    if (running.child.exitCode === null) await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const address = (role: string, database: string): string =>
    `postgres://${role}@localhost/${database}?host=${folder}`;
  const run = async (role: string, database: string, sql: string): Promise<unknown[]> => {
    const client = new Client({ connectionString: address(role, database) });
    await client.connect();
    try {
      return (await client.query<object>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  execFileSync(
    join(postgresPrograms, 'psql'),
    [`--dbname=${address(superuser, superuser)}`, `--file=${rolesFile}`],
    {
      stdio: 'ignore',
      env: { ...process.env, CLAIMDESK_OWNER_PASSWORD: 'any', CLAIMDESK_SERVER_PASSWORD: 'any' },
    },
  );
  let count = 0;
  return {
    folder,
    address,
    /** Runs SQL in a database as a role. */
    run,
    asSuperuser: (database: string, sql: string) => run(superuser, database, sql),
    /** A new database with the tables of a team server; its name. */
    async createDatabase(options: { isMigrated?: boolean } = {}): Promise<string> {
      count += 1;
      const name = `claims${count}`;
      await run(superuser, superuser, `CREATE DATABASE ${name} OWNER ${ownerRole}`);
      if (options.isMigrated !== false) await migratePostgres(address(ownerRole, name));
      return name;
    },
    stop,
    async restart(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
      await stop(signal);
      running = await start();
    },
  };
}
