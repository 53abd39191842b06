import { hkdfSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreFile, StoreProgress } from '../../../contract/store.ts';
import { getProfileId } from '../../keychain/profile-identity.ts';
import { getOrCreateSecret } from '../../keychain/secret-store.ts';
import type { WorkspaceLocation } from '../../lib/engine-protocol.ts';
import { DeskError } from '../../lib/errors.ts';
import { logFailure } from '../../lib/log-failure.ts';
import { profilePaths } from '../../lib/paths.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { isOlderThanDay } from '../store/file/open-file.ts';
import { readMarks, sideFilesOf } from '../store/file/side-files.ts';
import { type MaintenanceThread, startMaintenanceThread } from '../store/threads/maintenance-thread.ts';
import { openStore, type Store } from '../store/threads/store.ts';
import { tellOpening } from '../store/threads/store-thread.ts';
import { createUserDataStore, type UserDataStore } from '../store/threads/user-data-store.ts';

/** Opens, checks and rewrites the records and user data of the workspaces. */
export interface WorkspaceFiles {
  /** The user data of the real profile. */
  readonly userData: UserDataStore;
  recordsPath(workspaceId: string): Promise<string>;
  readKey(workspaceId: string): Promise<Buffer>;
  /** Opens the records once; later calls share them. Damage is repaired where that loses nothing. */
  getStore(workspaceId: string): Promise<Store>;
  /** Opens the records and waits until what was begun on them is finished. @throws DeskError what keeps it from that */
  finishBegun(workspaceId: string): Promise<void>;
  /** Opens both files and starts their threads in advance; a failure is reported to the first call. */
  openAhead(workspaceId: string): void;
  /** The user data that belongs to a workspace: the sample has a file of its own. */
  getUserData(workspaceId: string): Promise<UserDataStore>;
  /** Runs `act` with the records closed; other calls meanwhile get `store.busy`. */
  whileClosed<T>(workspaceId: string, act: (maintenance: MaintenanceThread) => Promise<T>): Promise<T>;
  /** Runs `act` on a file that stays in use. */
  whileOpen<T>(
    workspaceId: string,
    file: StoreFile,
    act: (maintenance: MaintenanceThread) => Promise<T>,
  ): Promise<T>;
  isDamaged(workspaceId: string): boolean;
  markDamaged(workspaceId: string, isDamaged: boolean): void;
  closeStore(workspaceId: string): Promise<void>;
  closeAll(): Promise<void>;
}

const readersPerStore = 2;
/** The check at the start waits until the first lists are shown. */
const checkAfterMs = 4_000;

export function createWorkspaceFiles(
  ports: EnginePorts,
  tell: {
    changed(workspaceId: string): void;
    progress(workspaceId: string, progress: StoreProgress): void;
    /** While a file is being opened, of a workspace or with what people wrote (null); null: the end. */
    opening(workspaceId: string | null, progress: StoreProgress | null): void;
    /** After records were opened for writing: finishes what was begun on them. */
    opened(workspaceId: string, store: Store): Promise<void>;
  },
): WorkspaceFiles {
  const stores = new Map<string, Promise<Store>>();
  const sampleUserData = new Map<string, UserDataStore>();
  const finishing = new Map<string, Promise<void>>();
  const closedFor = new Set<string>();
  const damaged = new Set<string>();
  const checks = new Map<string, { timer: NodeJS.Timeout; maintenance: Promise<MaintenanceThread> | null }>();
  let isClosed = false;

  const findLocation = (workspaceId: string): Promise<WorkspaceLocation> =>
    ports.host.findWorkspace(workspaceId);
  const pathIn = (location: WorkspaceLocation): string => join(location.folder, 'records.db');
  /** Whether the file exists or did exist. */
  const isKnown = (path: string): boolean => existsSync(path) || existsSync(sideFilesOf(path).keyCheck);

  const readKeyIn = async (location: WorkspaceLocation): Promise<Buffer> => {
    if (location.workspace.isSample) {
      return Buffer.from(await ports.host.getSampleSecret(location.databaseKeyAccount), 'base64');
    }
    return getOrCreateSecret(ports.secrets, location.databaseKeyAccount, {
      mayCreate: () => !isKnown(pathIn(location)) && !ports.isReadOnly,
    });
  };

  const onTrouble = (error: DeskError): void => logFailure(ports.log, 'store.trouble', error);
  const userData = createUserDataStore({
    onTrouble,
    onOpening: (progress) => tell.opening(null, progress),
    filePath: profilePaths(ports.profileDir).userData,
    readKey: async (mayCreate) =>
      getOrCreateSecret(ports.secrets, `database-key/${await getProfileId(ports.profileDir)}/ours`, {
        mayCreate,
      }),
  });
  const getUserData = async (workspaceId: string): Promise<UserDataStore> => {
    const location = await findLocation(workspaceId);
    if (!location.workspace.isSample) return userData;
    let store = sampleUserData.get(workspaceId);
    if (store === undefined) {
      store = createUserDataStore({
        onTrouble,
        filePath: join(location.folder, 'ours.db'),
        readKey: async () =>
          Buffer.from(hkdfSync('sha256', await readKeyIn(location), Buffer.alloc(0), 'claimdesk ours', 32)),
      });
      sampleUserData.set(workspaceId, store);
    }
    return store;
  };

  const progressOf = (workspaceId: string) => (progress: StoreProgress) =>
    tell.progress(workspaceId, progress);

  const markDamaged = (workspaceId: string, isDamaged: boolean): void => {
    if (damaged.has(workspaceId) === isDamaged) return;
    if (isDamaged) damaged.add(workspaceId);
    else damaged.delete(workspaceId);
    tell.changed(workspaceId);
  };

  const open = (workspaceId: string): Promise<Store> =>
    tellOpening(
      (progress) => tell.opening(workspaceId, progress),
      (onProgress) => openTelling(workspaceId, onProgress),
    );
  const openTelling = async (
    workspaceId: string,
    onProgress: (progress: StoreProgress) => void,
  ): Promise<Store> => {
    const location = await findLocation(workspaceId);
    const filePath = pathIn(location);
    // Before the key is read, since a key that was never made is not a missing key.
    if (ports.isReadOnly && !isKnown(filePath)) throw new DeskError('store.empty');
    const options = { filePath, isReadOnly: ports.isReadOnly, readers: readersPerStore, onProgress };
    const wasOpen = readMarks(filePath).isOpen;
    let store: Store;
    try {
      store = await openStore({ ...options, key: await readKeyIn(location) });
    } catch (thrown) {
      if (!(thrown instanceof DeskError) || thrown.code !== 'store.damaged') throw thrown;
      // A repair takes time, and a second one would give the same result.
      if (ports.isReadOnly || damaged.has(workspaceId)) throw thrown;
      const maintenance = await startMaintenanceThread(filePath, await readKeyIn(location), onProgress);
      const report = await maintenance
        .call('repair', { file: 'records', mayLose: false })
        .finally(() => maintenance.close());
      if (report.outcome === 'needsConsent') {
        markDamaged(workspaceId, true);
        throw thrown;
      }
      store = await openStore({ ...options, key: await readKeyIn(location) });
      tell.changed(workspaceId);
    }
    const { lastCheck } = readMarks(filePath);
    if (!ports.isReadOnly && (wasOpen || isOlderThanDay(lastCheck?.at))) checkLater(workspaceId);
    return store;
  };

  /** A quick check while the records are in use; one-shot commands end before it. */
  const checkLater = (workspaceId: string): void => {
    const entry: { timer: NodeJS.Timeout; maintenance: Promise<MaintenanceThread> | null } = {
      maintenance: null,
      timer: setTimeout(() => {
        entry.maintenance = findLocation(workspaceId).then(async (location) =>
          startMaintenanceThread(pathIn(location), await readKeyIn(location)),
        );
        void entry.maintenance
          .then((maintenance) => maintenance.call('check', { file: 'records', isFull: false }))
          .then(
            (check) => {
              if (!check.isSound) markDamaged(workspaceId, true);
              tell.changed(workspaceId);
            },
            (thrown) => logFailure(ports.log, 'store.trouble', thrown),
          )
          .finally(() => void endCheck(workspaceId));
      }, checkAfterMs),
    };
    entry.timer.unref();
    checks.set(workspaceId, entry);
  };
  const endCheck = async (workspaceId: string): Promise<void> => {
    const entry = checks.get(workspaceId);
    if (entry === undefined) return;
    checks.delete(workspaceId);
    clearTimeout(entry.timer);
    await (await entry.maintenance?.catch(() => null))?.end();
  };

  const closeStore = async (workspaceId: string): Promise<void> => {
    await finishing.get(workspaceId)?.catch(() => undefined);
    const store = stores.get(workspaceId);
    stores.delete(workspaceId);
    await endCheck(workspaceId);
    await (await store?.catch(() => undefined))?.close();
    const sample = sampleUserData.get(workspaceId);
    sampleUserData.delete(workspaceId);
    await sample?.close();
  };

  const getStore = (workspaceId: string): Promise<Store> => {
    if (isClosed) return Promise.reject(new DeskError('engine.stopped'));
    if (closedFor.has(workspaceId)) return Promise.reject(new DeskError('store.busy'));
    let store = stores.get(workspaceId);
    if (store === undefined) {
      store = open(workspaceId);
      stores.set(workspaceId, store);
      store.catch(() => stores.delete(workspaceId));
      if (!ports.isReadOnly) {
        const opened = store.then(
          (one) => tell.opened(workspaceId, one),
          () => undefined,
        );
        finishing.set(workspaceId, opened);
        opened.catch(onTrouble);
      }
    }
    return store;
  };

  const openAhead = async (workspaceId: string): Promise<void> => {
    const location = await findLocation(workspaceId);
    if (!isKnown(pathIn(location))) return;
    const openUserData = async (): Promise<void> => {
      if (userData.isThere()) await userData.call('listViews', { workspaceId });
    };
    // Any question starts a reader.
    const openRecords = async () => (await getStore(workspaceId)).read('readOrders', null);
    await Promise.all([openRecords(), openUserData()]);
  };

  return {
    userData,
    getUserData,
    openAhead: (workspaceId) => void openAhead(workspaceId).catch(() => undefined),
    markDamaged: markDamaged,
    isDamaged: (workspaceId) => damaged.has(workspaceId),
    recordsPath: async (workspaceId) => pathIn(await findLocation(workspaceId)),
    readKey: async (workspaceId) => readKeyIn(await findLocation(workspaceId)),
    getStore,
    async finishBegun(workspaceId) {
      await getStore(workspaceId);
      await finishing.get(workspaceId);
    },
    async whileClosed(workspaceId, act) {
      if (ports.isReadOnly) throw new DeskError('profile.busy');
      if (closedFor.has(workspaceId)) throw new DeskError('store.busy');
      closedFor.add(workspaceId);
      try {
        await closeStore(workspaceId);
        const location = await findLocation(workspaceId);
        const maintenance = await startMaintenanceThread(
          pathIn(location),
          await readKeyIn(location),
          progressOf(workspaceId),
        );
        return await act(maintenance).finally(() => maintenance.close());
      } finally {
        closedFor.delete(workspaceId);
        tell.changed(workspaceId);
      }
    },
    async whileOpen(workspaceId, file, act) {
      if (file === 'userData') {
        const store = await getUserData(workspaceId);
        return store.whileClosed(async (key) => {
          const maintenance = await startMaintenanceThread(store.filePath, key, progressOf(workspaceId));
          return act(maintenance).finally(() => maintenance.close());
        });
      }
      const location = await findLocation(workspaceId);
      if (!isKnown(pathIn(location))) throw new DeskError('store.empty');
      const maintenance = await startMaintenanceThread(
        pathIn(location),
        await readKeyIn(location),
        progressOf(workspaceId),
      );
      return act(maintenance).finally(() => maintenance.close());
    },
    closeStore,
    async closeAll() {
      isClosed = true;
      const open = new Set([...stores.keys(), ...sampleUserData.keys(), ...checks.keys()]);
      // At once: each waits for the disk, and a lock for all of them.
      await Promise.all([userData.close(), ...[...open].map(closeStore)]);
    },
  };
}
