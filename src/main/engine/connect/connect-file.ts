import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { connectMemberSchema, connectPayerSchema } from '../../../contract/connect-members.ts';
import { connectSettingsSchema } from '../../../contract/connect-settings.ts';
import type { StoreCheck } from '../../../contract/store.ts';
import { writeFileAtomic } from '../../lib/atomic-file.ts';
import type { Clock } from '../../lib/clock.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';
import { createSerialQueue } from '../../lib/serial-queue.ts';
import { chooseBackupsToDrop, usualBackupRules } from '../store/file/backup.ts';
import { listKept, makeFolder, nameCopy, sideFilesOf } from '../store/file/side-files.ts';

/** Token, tenant and kind of data for which something is known: members under one are unknown under another. */
const scoped = { scope: z.string() };

/** How a validation ended: the service need not tell it twice, and a null `login_problem` then means accepted. */
export const storedVerdictSchema = z.object({
  taskId: z.string().nullable(),
  state: z.enum(['SUCCESS', 'FAILURE']),
  credentialsAreValid: z.boolean().nullable(),
  isPending: z.boolean(),
  /** The carrier's own words. */
  message: z.string().nullable(),
});
export type StoredVerdict = z.infer<typeof storedVerdictSchema>;

export const storedConnectionSchema = z.object({
  ...scoped,
  policyHolderId: z.number().int(),
  email: z.string(),
  payerId: z.number().int().nullable(),
  payerName: z.string().nullable(),
  /** The members of a migrating carrier move to the carrier of the same group. */
  payerGroupId: z.number().int().nullable().default(null),
  usernameHint: z.string().nullable(),
  loginProblem: z.string().nullable(),
  needsCorrection: z.boolean(),
  correctionMessage: z.string().nullable().default(null),
  lastSuccessAt: z.string().nullable(),
  claimsSynced: z.number().int().nullable().default(null),
  newestClaimOn: z.string().nullable().default(null),
  createdAt: z.string().nullable(),
  isRunning: z.boolean(),
  /** Of the last validation that was watched to its end here; null: none was since the login was submitted. */
  verdict: storedVerdictSchema.nullable().default(null),
  readAt: z.string(),
});
export type StoredConnection = z.infer<typeof storedConnectionSchema>;

/** A carrier in the list of a bootstrap. */
const storedPayerSchema = connectPayerSchema.extend({
  groupId: z.number().int().nullable().default(null),
});

/** A running validation: enough to find it again through its policy holder. No token, no login. */
export const storedValidationSchema = z.object({
  ...scoped,
  policyHolderId: z.number().int(),
  email: z.string(),
  employerId: z.number().int(),
  payerId: z.number().int().nullable(),
  payerName: z.string().nullable(),
  taskId: z.string().nullable(),
  startedAt: z.string(),
});
export type StoredValidation = z.infer<typeof storedValidationSchema>;

/** A sign-in at a carrier's page. `stateId` identifies the member's session at the service. */
export const storedPatientAccessSchema = z.object({
  ...scoped,
  email: z.string(),
  employerId: z.number().int(),
  payerId: z.number().int(),
  stateId: z.string(),
  authorizationUrl: z.string(),
  startedAt: z.string(),
  isOpened: z.boolean(),
  /**
   * The member's working connections to this carrier before the sign-in, where the service does not report how it
   * goes: it succeeded when there is one more. null: the service reports.
   */
  workedBefore: z.array(z.number().int()).nullable().default(null),
});
export type StoredPatientAccess = z.infer<typeof storedPatientAccessSchema>;

/**
 * An employer as Connect returned it, with its keys. Stored separately from its members: it stays when they are
 * removed.
 */
export const storedEmployerSchema = z.object({
  ...scoped,
  id: z.number().int(),
  name: z.string(),
  tenant: z.object({ id: z.number().int(), name: z.string() }),
  systemKey: z.string(),
  vendor: z.string(),
});
export type StoredEmployer = z.infer<typeof storedEmployerSchema>;

const connectDataSchema = z.object({
  settings: connectSettingsSchema,
  members: z.array(connectMemberSchema.extend(scoped)),
  employers: z.array(storedEmployerSchema),
  payers: z.array(z.object({ ...scoped, payers: z.array(storedPayerSchema) })),
  connections: z.array(storedConnectionSchema),
  validations: z.array(storedValidationSchema),
  patientAccess: z.array(storedPatientAccessSchema),
});
/** Everything that this computer stores of a workspace's Connect. It has no secret key, username or password. */
export type ConnectData = z.infer<typeof connectDataSchema>;

export const emptyConnectData = (): ConnectData => ({
  settings: {
    publicToken: null,
    hasSecret: false,
    tenantLabel: null,
    tenantKey: null,
    isDemo: false,
    base: 'current',
    correction: 'path',
    headers: connectSettingsSchema.shape.headers.parse({}),
  },
  members: [],
  employers: [],
  payers: [],
  connections: [],
  validations: [],
  patientAccess: [],
});

export interface ConnectFile {
  read(): Promise<ConnectData>;
  /** Applies changes one after the other; the result of `change` is written before it resolves. */
  update(change: (data: ConnectData) => ConnectData): Promise<ConnectData>;
  /** As `update`, and removes all backups: what it leaves out is then in no file. */
  forget(change: (data: ConnectData) => ConnectData): Promise<ConnectData>;
  /** Reads the file as it is on the disk; null where there is none. Damage is restored from a backup where one is. */
  check(isFull: boolean): Promise<StoreCheck | null>;
  /** Waits for pending writes; nothing is written afterwards. Never rejects; later calls get `engine.stopped`. */
  close(): Promise<void>;
}

const mark = Buffer.from('cdc1');
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Stores Connect data in one file of the workspace's folder, sealed by AES-256-GCM with a key derived from the key of
 * the records, so that it cannot be read without the keychain. A profile that may not be written to keeps changes in
 * memory. A file that was not written as it is, is replaced by its newest backup that can be read.
 * @throws DeskError `profile.damaged`, `profile.unwritable`, `disk.*`, `keychain.*`
 */
export function createConnectFile(ports: {
  readonly path: string;
  readonly readKey: () => Promise<Buffer>;
  readonly isReadOnly: boolean;
  readonly clock: Clock;
  /** A backup that could not be made: the change itself is written. */
  readonly onBackupFailed: (thrown: unknown) => void;
  /** The damaged file was replaced by a backup. */
  readonly onRestored: () => void;
}): ConnectFile {
  const { path, clock } = ports;
  const { backupsDir } = sideFilesOf(path);
  const enqueue = createSerialQueue();
  let held: ConnectData | null = null;
  let key: Buffer | null = null;
  let isClosed = false;
  const ownKey = async (): Promise<Buffer> => {
    key ??= Buffer.from(hkdfSync('sha256', await ports.readKey(), Buffer.alloc(0), 'claimdesk connect', 32));
    return key;
  };
  const whileOpen = <T>(act: () => Promise<T>): Promise<T> =>
    enqueue(async () => {
      // A folder that was removed must not be created again.
      if (isClosed) throw new DeskError('engine.stopped');
      return act();
    });

  const readFrom = async (from: string): Promise<ConnectData> => {
    const bytes = await readFile(from).catch((thrown) => {
      throw toDeskError(thrown);
    });
    return unseal(bytes, await ownKey());
  };
  const restore = async (damage: unknown): Promise<ConnectData> => {
    for (const { name } of listKept(backupsDir, path)) {
      const backup = join(backupsDir, name);
      const data = await readFrom(backup).catch(() => null);
      if (data === null) continue;
      if (!ports.isReadOnly) {
        await writeFileAtomic(path, await readFile(backup));
        ports.onRestored();
      }
      return data;
    }
    throw damage;
  };
  const load = async (): Promise<ConnectData> => {
    if (held !== null) return held;
    if (!existsSync(path)) return emptyConnectData();
    const data = await readFrom(path).catch((thrown: unknown) => {
      // What can be opened is not damaged: a newer Claimdesk wrote it.
      const isDamage = thrown instanceof DeskError && thrown.code === 'profile.damaged';
      if (isDamage && !(thrown.cause instanceof z.ZodError)) return restore(thrown);
      throw thrown;
    });
    // Where this process does not write, another one may: its changes are read each time.
    if (!ports.isReadOnly) held = data;
    return data;
  };

  /** After every change: the file is small. Of a day the newest stays. */
  const backUp = async (bytes: Buffer): Promise<void> => {
    makeFolder(backupsDir);
    await writeFileAtomic(join(backupsDir, nameCopy(path, new Date(clock.now()).toISOString())), bytes);
    for (const name of chooseBackupsToDrop(listKept(backupsDir, path), usualBackupRules)) {
      await rm(join(backupsDir, name), { force: true });
    }
  };
  const write = async (change: (data: ConnectData) => ConnectData): Promise<Buffer | null> => {
    const changed = change(await load());
    let bytes: Buffer | null = null;
    if (!ports.isReadOnly) {
      bytes = seal(changed, await ownKey());
      await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch((thrown) => {
        throw toDeskError(thrown);
      });
      await writeFileAtomic(path, bytes);
    }
    held = changed;
    return bytes;
  };

  return {
    read: () => whileOpen(load),
    update: (change) =>
      whileOpen(async () => {
        const bytes = await write(change);
        if (bytes !== null) await backUp(bytes).catch(ports.onBackupFailed);
        return load();
      }),
    forget: (change) =>
      whileOpen(async () => {
        if (!existsSync(path)) return load();
        const bytes = await write(change);
        const kept = bytes === null ? [] : listKept(backupsDir, path);
        for (const { name } of kept) await rm(join(backupsDir, name), { force: true });
        return load();
      }),
    check: (isFull) =>
      whileOpen(async () => {
        if (!existsSync(path)) return null;
        const begunMs = performance.now();
        const isSound = await readFrom(path).then(
          () => true,
          (thrown: unknown) => {
            if (thrown instanceof DeskError && thrown.code === 'profile.damaged') return false;
            throw thrown;
          },
        );
        if (!isSound) {
          // Known here, it is written again; else a backup is looked for.
          await (held !== null ? write((data) => data) : load()).catch(() => undefined);
        }
        return {
          at: new Date(clock.now()).toISOString(),
          isFull,
          isSound,
          problems: isSound ? 0 : 1,
          seconds: (performance.now() - begunMs) / 1000,
        };
      }),
    async close() {
      isClosed = true;
      await enqueue(async () => undefined);
      key?.fill(0);
      held = null;
    },
  };
}

function seal(data: ConnectData, key: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const body = Buffer.concat([cipher.update(JSON.stringify(data), 'utf8'), cipher.final()]);
  return Buffer.concat([mark, nonce, body, cipher.getAuthTag()]);
}

function unseal(bytes: Buffer, key: Buffer): ConnectData {
  try {
    const nonceEnd = mark.length + nonceBytes;
    if (!bytes.subarray(0, mark.length).equals(mark)) throw new Error('not sealed by us');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(mark.length, nonceEnd));
    decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes));
    const body = decipher.update(bytes.subarray(nonceEnd, bytes.length - tagBytes));
    const text = Buffer.concat([body, decipher.final()]).toString('utf8');
    return connectDataSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new DeskError('profile.damaged', { details: { file: 'connect' }, cause });
  }
}
