import type { Database } from './database.ts';
import { createEntryStore } from './entry-store.ts';
import { createJoinStore } from './join-store.ts';
import { createLeaseStore } from './lease-store.ts';
import { createPartStore } from './part-store.ts';

export type TeamStore = ReturnType<typeof createTeamStore>;

/** The tables of a team server, over either database. */
export const createTeamStore = (database: Database) => ({
  ...createEntryStore(database),
  ...createPartStore(database),
  ...createJoinStore(database),
  ...createLeaseStore(database),
  onNotified: database.onNotified,
  close: database.close,
  /** @throws StoreError where the database does not answer */
  async check(): Promise<void> {
    await database.all('SELECT max(number) AS number FROM migrations');
  },
});
