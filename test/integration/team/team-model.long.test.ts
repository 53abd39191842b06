import fc from 'fast-check';
import { Client } from 'pg';
import { test } from 'vitest';
import { openPostgresDatabase } from '../../../src/team-server/store/postgres-database.ts';
import { serverRole, startPostgres } from '../../support/postgres.ts';
import { fuzzRuns } from '../../support/seeds.ts';
import { type ModelStore, runSchedule, schedule } from '../../support/team-model.ts';

const postgres = await startPostgres();

/** Opens a store with two servers before one database, whose connections break at steps of a schedule. */
async function openPostgresStore(): Promise<ModelStore> {
  const name = await postgres.createDatabase();
  return {
    servers: 2,
    open: () => openPostgresDatabase(postgres.address(serverRole, name)),
    async change(run) {
      const client = new Client({ connectionString: postgres.address('postgres', name) });
      await client.connect();
      try {
        await run({ all: async (sql, values) => (await client.query<never>(sql, values)).rows });
      } finally {
        await client.end();
      }
    },
    async breakConnections() {
      await postgres.asSuperuser(
        name,
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname=current_database() AND pid<>pg_backend_pid()',
      );
    },
    async remove() {
      await postgres.asSuperuser('postgres', `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

test('two servers with one PostgreSQL are one team to its computers, even if their connections break', async () => {
  await fc.assert(
    fc.asyncProperty(schedule, (one) => runSchedule(one, openPostgresStore)),
    { numRuns: Math.min(fuzzRuns(4), 100) },
  );
}, 3_600_000);
