import { openStore } from '../../../src/main/engine/store/threads/store.ts';
import { createUserDataStore } from '../../../src/main/engine/store/threads/user-data-store.ts';
import type { Member } from '../../support/team-member.ts';

/** Has the files of a computer in threads of their own from now on, as in the app, until the returned function is called. */
export async function startThreads({
  key,
  path,
  opened,
  store,
  userData,
}: Member): Promise<() => Promise<void>> {
  const records = await openStore({ filePath: opened.filePath, key, isReadOnly: false, readers: 2 });
  const written = createUserDataStore({ filePath: path, readKey: async () => Buffer.from(key) });
  Object.assign(store, records);
  Object.assign(userData, { call: written.call });
  return async () => {
    await written.close();
    await records.close();
  };
}
