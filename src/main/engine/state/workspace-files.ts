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
import { checkDocuments } from '../store/threads/check-documents.ts';
import { type MaintenanceThread, startMaintenanceThread } from '../store/threads/maintenance-thread.ts';
import { openStore, type Store } from '../store/threads/store.ts';
import { reportOpening } from '../store/threads/store-thread.ts';
import { createUserDataStore, type UserDataStore } from '../store/threads/user-data-store.ts';

/** Opens, checks and rewrites the records and user data of the workspaces. */
export interface WorkspaceFiles {
  readonly userData: UserDataStore;
  recordsPath(workspaceId: string): Promise<string>;
  readKey(workspaceId: string): Promise<Buffer>;
  /** Opens the records once; later calls get the same store. Damage is repaired if that loses no data. */
  getStore(workspaceId: string): Promise<Store>;
  /** Opens the records and waits until an unfinished removal is completed. @throws DeskError what prevents that */
  finishBegun(workspaceId: string): Promise<void>;
  /**
   * Opens both files and starts their threads ahead of time. Returns false if nothing was synced yet. @throws DeskError
   * what prevents that
   */
  openAhead(workspaceId: string): Promise<boolean>;
  /** The user data that belongs to a workspace: the sample has a separate file. */
  getUserData(workspaceId: string): Promise<UserDataStore>;
  /** Runs `act` with the records closed; other calls get `store.busy` during that time. */
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
/** How long the check at the start waits, so that the first lists are shown before it. */
const checkAfterMs = 4_000;

interface FileEvents {
  changed(workspaceId: string): void;
  progress(workspaceId: string, progress: StoreProgress): void;
  /** Called while a file is being opened: a workspace's records, or the user data (null); progress null: it is open. */
  opening(workspaceId: string | null, progress: StoreProgress | null): void;
  /** Called after records were opened for writing: completes an unfinished removal. */
  opened(workspaceId: string, store: Store): Promise<void>;
}

/** A quick check that is due or in progress. */
interface LaterCheck {
  readonly timer: NodeJS.Timeout;
  maintenance: Promise<MaintenanceThread> | null;
  documents: Promise<unknown> | null;
}

/** The files that are open, being checked or being closed. */
interface OpenFiles {
  readonly ports: EnginePorts;
  readonly events: FileEvents;
  readonly userData: UserDataStore;
  readonly stores: Map<string, Promise<Store>>;
  readonly sampleUserData: Map<string, UserDataStore>;
  readonly finishing: Map<string, Promise<void>>;
  readonly closedFor: Set<string>;
  readonly damaged: Set<string>;
  readonly checks: Map<string, LaterCheck>;
  isClosed: boolean;
}

/** The account of the user data file's key. */
export const userDataKeyAccount = (profileId: string): string => `database-key/${profileId}/ours`;

const pathIn = (location: WorkspaceLocation): string => join(location.folder, 'records.db');

/** Whether the file exists or has existed. */
const isKnown = (path: string): boolean => existsSync(path) || existsSync(sideFilesOf(path).keyCheck);

async function readKeyIn({ ports }: OpenFiles, location: WorkspaceLocation): Promise<Buffer> {
  if (location.workspace.isSample)
    return Buffer.from(await ports.main.getSampleSecret(location.databaseKeyAccount), 'base64');
  return getOrCreateSecret(ports.secrets, location.databaseKeyAccount, {
    mayCreate: () => !isKnown(pathIn(location)) && !ports.isReadOnly,
  });
}

async function getUserData(files: OpenFiles, workspaceId: string): Promise<UserDataStore> {
  const { ports, userData, sampleUserData } = files;
  const location = await ports.main.findWorkspace(workspaceId);
  if (!location.workspace.isSample) return userData;
  let store = sampleUserData.get(workspaceId);
  if (store === undefined) {
    store = createUserDataStore({
      isReadOnly: ports.isReadOnly,
      onTrouble: (error) => logFailure(ports.log, 'store.trouble', error),
      filePath: join(location.folder, 'ours.db'),
      readKey: async () =>
        Buffer.from(
          hkdfSync('sha256', await readKeyIn(files, location), Buffer.alloc(0), 'claimdesk ours', 32),
        ),
    });
    sampleUserData.set(workspaceId, store);
  }
  return store;
}

function markDamaged({ damaged, events }: OpenFiles, workspaceId: string, isDamaged: boolean): void {
  if (damaged.has(workspaceId) === isDamaged) return;
  if (isDamaged) damaged.add(workspaceId);
  else damaged.delete(workspaceId);
  events.changed(workspaceId);
}

/** Runs `act` in a thread that is started for it. */
async function maintain<T>(
  filePath: string,
  key: Buffer,
  onProgress: (progress: StoreProgress) => void,
  act: (maintenance: MaintenanceThread) => Promise<T>,
): Promise<T> {
  const maintenance = await startMaintenanceThread(filePath, key, onProgress);
  return act(maintenance).finally(() => maintenance.close());
}

async function openRecords(
  files: OpenFiles,
  workspaceId: string,
  onProgress: (progress: StoreProgress) => void,
): Promise<Store> {
  const { ports, events } = files;
  const { isReadOnly } = ports;
  const location = await ports.main.findWorkspace(workspaceId);
  const filePath = pathIn(location);
  // Checked before the key is read, because a key that was never made is not a missing key.
  if (isReadOnly && !isKnown(filePath)) throw new DeskError('store.empty');
  const options = { filePath, isReadOnly, readers: readersPerStore, onProgress };
  const wasOpen = readMarks(filePath).isOpen;
  let store: Store;
  try {
    store = await openStore({ ...options, key: await readKeyIn(files, location) });
  } catch (thrown) {
    if (!(thrown instanceof DeskError) || thrown.code !== 'store.damaged') throw thrown;
    // A repair takes long, and a second one would give the same result.
    if (isReadOnly || files.damaged.has(workspaceId)) throw thrown;
    const report = await maintain(filePath, await readKeyIn(files, location), onProgress, (maintenance) =>
      maintenance.call('repair', { file: 'records', mayLose: false }),
    );
    if (report.outcome === 'needsConsent') {
      markDamaged(files, workspaceId, true);
      throw thrown;
    }
    store = await openStore({ ...options, key: await readKeyIn(files, location) });
    events.changed(workspaceId);
  }
  if (!isReadOnly)
    try {
      await adoptKeptRules(files, workspaceId, store);
    } catch (thrown) {
      await store.close();
      throw thrown;
    }
  const { lastCheck } = readMarks(filePath);
  if (!isReadOnly && (wasOpen || isOlderThanDay(lastCheck?.at))) checkLater(files, workspaceId);
  return store;
}

/** Gives records that were never read completely, such as after a restore, the rules of removals from the user data. */
async function adoptKeptRules(files: OpenFiles, workspaceId: string, store: Store): Promise<void> {
  if ((await store.read('readReceipts', null)).last !== null) return;
  const userData = await getUserData(files, workspaceId);
  const kept = userData.isThere() ? await userData.call('readKeptRules', { workspaceId }) : null;
  if (kept !== null) await store.write('adoptRules', kept);
}

/** Runs a quick check while the records are in use; one-shot commands end before it starts. */
function checkLater(files: OpenFiles, workspaceId: string): void {
  const { ports, events } = files;
  const isOn = (): boolean => !files.isClosed && files.checks.get(workspaceId) === entry;
  const checkOwn = async (): Promise<void> => {
    const userData = await getUserData(files, workspaceId);
    const at = new Date(ports.clock.now()).toISOString();
    if (userData.isThere() && isOn())
      await checkDocuments(userData, { workspaceId, isFull: false, at, isOn });
  };
  const entry: LaterCheck = {
    maintenance: null,
    documents: null,
    timer: setTimeout(() => {
      entry.maintenance = ports.main
        .findWorkspace(workspaceId)
        .then(async (location) => startMaintenanceThread(pathIn(location), await readKeyIn(files, location)));
      void entry.maintenance
        .then((maintenance) => maintenance.call('check', { file: 'records', isFull: false }))
        .then(async (check) => {
          if (!check.isSound) markDamaged(files, workspaceId, true);
          entry.documents = checkOwn();
          await entry.documents;
          events.changed(workspaceId);
        })
        .catch((thrown) => logFailure(ports.log, 'store.trouble', thrown))
        .finally(() => void endCheck(files, workspaceId));
    }, checkAfterMs),
  };
  entry.timer.unref();
  files.checks.set(workspaceId, entry);
}

async function endCheck({ checks }: OpenFiles, workspaceId: string): Promise<void> {
  const entry = checks.get(workspaceId);
  if (entry === undefined) return;
  checks.delete(workspaceId);
  clearTimeout(entry.timer);
  await entry.documents?.catch(() => undefined);
  await (await entry.maintenance?.catch(() => null))?.end();
}

async function closeStore(files: OpenFiles, workspaceId: string): Promise<void> {
  const { stores, sampleUserData } = files;
  await files.finishing.get(workspaceId)?.catch(() => undefined);
  const store = stores.get(workspaceId);
  stores.delete(workspaceId);
  await endCheck(files, workspaceId);
  await (await store?.catch(() => undefined))?.close();
  const sample = sampleUserData.get(workspaceId);
  sampleUserData.delete(workspaceId);
  await sample?.close();
}

function getStore(files: OpenFiles, workspaceId: string): Promise<Store> {
  const { stores, ports, events } = files;
  if (files.isClosed) return Promise.reject(new DeskError('engine.stopped'));
  if (files.closedFor.has(workspaceId)) return Promise.reject(new DeskError('store.busy'));
  let store = stores.get(workspaceId);
  if (store === undefined) {
    store = reportOpening(
      (progress) => events.opening(workspaceId, progress),
      (onProgress) => openRecords(files, workspaceId, onProgress),
    );
    stores.set(workspaceId, store);
    store.catch(() => stores.delete(workspaceId));
    if (!ports.isReadOnly) {
      const opened = store.then(
        (openedStore) => events.opened(workspaceId, openedStore),
        () => undefined,
      );
      files.finishing.set(workspaceId, opened);
      opened.catch((error) => logFailure(ports.log, 'store.trouble', error));
    }
  }
  return store;
}

async function openAhead(files: OpenFiles, workspaceId: string): Promise<boolean> {
  const { ports, userData } = files;
  if (!isKnown(pathIn(await ports.main.findWorkspace(workspaceId)))) return false;
  const openUserData = async (): Promise<void> => {
    if (userData.isThere()) await userData.call('listViews', { workspaceId });
  };
  // Any call to a reader starts its thread.
  const openReader = async () => (await getStore(files, workspaceId)).read('readOrders', null);
  await Promise.all([openReader(), openUserData()]);
  return true;
}

async function whileClosed<T>(
  files: OpenFiles,
  workspaceId: string,
  act: (maintenance: MaintenanceThread) => Promise<T>,
): Promise<T> {
  const { ports, events, closedFor } = files;
  if (ports.isReadOnly) throw new DeskError('profile.busy');
  if (closedFor.has(workspaceId)) throw new DeskError('store.busy');
  closedFor.add(workspaceId);
  try {
    await closeStore(files, workspaceId);
    const location = await ports.main.findWorkspace(workspaceId);
    const onProgress = (progress: StoreProgress): void => events.progress(workspaceId, progress);
    return await maintain(pathIn(location), await readKeyIn(files, location), onProgress, act);
  } finally {
    closedFor.delete(workspaceId);
    events.changed(workspaceId);
  }
}

async function whileOpen<T>(
  files: OpenFiles,
  workspaceId: string,
  file: StoreFile,
  act: (maintenance: MaintenanceThread) => Promise<T>,
): Promise<T> {
  const onProgress = (progress: StoreProgress): void => files.events.progress(workspaceId, progress);
  if (file === 'userData') {
    const store = await getUserData(files, workspaceId);
    return store.whileClosed((key) => maintain(store.filePath, key, onProgress, act));
  }
  const location = await files.ports.main.findWorkspace(workspaceId);
  if (!isKnown(pathIn(location))) throw new DeskError('store.empty');
  return maintain(pathIn(location), await readKeyIn(files, location), onProgress, act);
}

export function createWorkspaceFiles(ports: EnginePorts, events: FileEvents): WorkspaceFiles {
  const userData = createUserDataStore({
    isReadOnly: ports.isReadOnly,
    onTrouble: (error) => logFailure(ports.log, 'store.trouble', error),
    onOpening: (progress) => events.opening(null, progress),
    filePath: profilePaths(ports.profileDir).userData,
    readKey: async (mayCreate) =>
      getOrCreateSecret(ports.secrets, userDataKeyAccount(await getProfileId(ports.profileDir)), {
        mayCreate,
      }),
  });
  const files: OpenFiles = {
    ports,
    events,
    userData,
    isClosed: false,
    stores: new Map(),
    sampleUserData: new Map(),
    finishing: new Map(),
    closedFor: new Set(),
    damaged: new Set(),
    checks: new Map(),
  };
  return {
    userData,
    getUserData: (workspaceId) => getUserData(files, workspaceId),
    openAhead: (workspaceId) => openAhead(files, workspaceId),
    markDamaged: (workspaceId, isDamaged) => markDamaged(files, workspaceId, isDamaged),
    isDamaged: (workspaceId) => files.damaged.has(workspaceId),
    recordsPath: async (workspaceId) => pathIn(await ports.main.findWorkspace(workspaceId)),
    readKey: async (workspaceId) => readKeyIn(files, await ports.main.findWorkspace(workspaceId)),
    getStore: (workspaceId) => getStore(files, workspaceId),
    async finishBegun(workspaceId) {
      await getStore(files, workspaceId);
      await files.finishing.get(workspaceId);
    },
    whileClosed: (workspaceId, act) => whileClosed(files, workspaceId, act),
    whileOpen: (workspaceId, file, act) => whileOpen(files, workspaceId, file, act),
    closeStore: (workspaceId) => closeStore(files, workspaceId),
    async closeAll() {
      files.isClosed = true;
      await Promise.allSettled(files.finishing.values());
      const open = [...files.stores.keys(), ...files.sampleUserData.keys(), ...files.checks.keys()];
      // Closed all at once: each waits for the disk, and a lock waits for all of them.
      const closing = [...new Set(open)].map((workspaceId) => closeStore(files, workspaceId));
      await Promise.all([userData.close(), ...closing]);
    },
  };
}
