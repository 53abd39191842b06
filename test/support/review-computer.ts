import { join } from 'node:path';
import { defaultSettings } from '../../src/contract/settings.ts';
import { findSpellings } from '../../src/contract/stored-spellings.ts';
import type { ReviewPorts } from '../../src/main/engine/review/review-ports.ts';
import { createReviews } from '../../src/main/engine/review/reviews.ts';
import type { EntrySigner } from '../../src/main/engine/review/write-entries.ts';
import { openFile } from '../../src/main/engine/store/file/open-file.ts';
import type { Store } from '../../src/main/engine/store/threads/store.ts';
import { createUserDataOperations } from '../../src/main/engine/store/threads/user-data-operations.ts';
import type { UserDataStore } from '../../src/main/engine/store/threads/user-data-store.ts';
import type { SettingsOfService } from '../../src/main/lib/engine-protocol.ts';
import { openStoreAt } from './engine-store.ts';
import { makeEntrySigner } from './entry-signer.ts';
import { testBytes } from './seeds.ts';

export const workspaceId = 'w';
const key = testBytes(32);

/**
 * Reviews on an encrypted records file and an encrypted user data file in a folder, all in this thread. `now`: the best
 * known time, where it differs from the computer's clock.
 */
export function openComputer(
  folder: string,
  name: string,
  clock: { now: () => number },
  now: () => number = clock.now,
  signer: EntrySigner = makeEntrySigner(`${name}@example.com`),
  onEnd?: (end: () => void) => void,
  getSettings: () => SettingsOfService = () => ({
    ...defaultSettings,
    service: 'https://claims.example.com',
    team: null,
    reviewsFrom: { [workspaceId]: '2000-01-01' },
  }),
  email = `${name}@example.com`,
) {
  const opened = openStoreAt(join(folder, `${name}-records.db`), key, onEnd);
  const path = join(folder, `${name}-ours.db`);
  const file = openFile(path, key, 'userData');
  const operations = createUserDataOperations(file.database, path, key, (thrown) => {
    throw thrown;
  });
  const callIn = (from: object) => async (called: string, input: unknown) =>
    structuredClone((from as Record<string, (input: unknown) => unknown>)[called]?.(structuredClone(input)));
  const store = {
    read: callIn(opened.read),
    write: callIn(opened.write),
  } as unknown as Store;
  const userData = { isThere: () => true, call: callIn(operations) } as unknown as UserDataStore;
  const start = (more: Partial<ReviewPorts> = {}) =>
    createReviews({
      clock,
      now: () => now(),
      isReadOnly: false,
      emit: () => undefined,
      getStore: async () => ({ ...store }),
      getUserData: async () => userData,
      signer,
      findAuthor: async () => email,
      getSettings: async () => getSettings(),
      readSpellings: async () => findSpellings(operations.listViews({ workspaceId })).spellings,
      /** The list of all claims. */
      readSnapshot: async () => {
        const query = { entity: 'claims' as const };
        const keys = Float64Array.from(opened.list(query));
        return { query, keys, shown: keys };
      },
      ...more,
    });
  return { opened, operations, store, userData, path, key, file, start, reviews: start() };
}

/**
 * The reviews of a computer as every other one has them: without whether the author of a decision is verified and
 * whether an event came with a file, which are known where it was made and elsewhere only by a signature.
 */
export const sharedFoldsOf = ({ operations }: Pick<ReturnType<typeof openComputer>, 'operations'>) =>
  operations.foldReviews({ workspaceId, claimIds: null }).map((review) => ({
    ...review,
    hasUnsigned: null,
    decisions: review.decisions.map((decision) => ({ ...decision, isVerified: null })),
  }));
