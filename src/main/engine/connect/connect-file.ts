import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { carrierConnectionSchema } from '../../../contract/carrier-connections.ts';
import { connectMemberSchema, connectPayerSchema } from '../../../contract/connect-members.ts';
import { connectSettingsSchema } from '../../../contract/connect-settings.ts';
import type { StoreCheck } from '../../../contract/store.ts';
import { writeFileAtomic } from '../../lib/atomic-file.ts';
import type { Clock } from '../../lib/clock.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';
import { createSerialQueue } from '../../lib/serial-queue.ts';
import { chooseBackupsToDrop, usualBackupRules } from '../store/file/backup.ts';
import { listKept, makeFolder, nameCopy, sideFilesOf } from '../store/file/side-files.ts';

/** The token, tenant and kind of data that an entry belongs to: members of one are unknown under another. */
const scoped = { scope: z.string() };

/**
 * How a validation ended. It is stored because the service may report it only once. A null `login_problem` then means
 * accepted.
 */
const storedVerdictSchema = z.object({
  taskId: z.string().nullable(),
  state: z.enum(['SUCCESS', 'FAILURE']),
  credentialsAreValid: z.boolean().nullable(),
  isPending: z.boolean(),
  /** The carrier's own text. */
  message: z.string().nullable(),
});
export type StoredVerdict = z.infer<typeof storedVerdictSchema>;

/** The terms that a member accepted, as a hash of the text shown, and the tenants that receive their claims. */
const storedConsentSchema = z.object({ termsHash: z.string(), tenantIds: z.array(z.number().int()) });
export type StoredConsent = z.infer<typeof storedConsentSchema>;

const storedConnectionSchema = z.object({
  ...scoped,
  ...carrierConnectionSchema.omit({
    memberName: true,
    employerName: true,
    supportEmail: true,
    severity: true,
    sentence: true,
    nextStep: true,
  }).shape,
  /** The members of a migrating carrier move to another carrier of this group. */
  payerGroupId: z.number().int().nullable().default(null),
  correctionMessage: z.string().nullable().default(null),
  claimsSynced: z.number().int().nullable().default(null),
  newestClaimOn: z.string().nullable().default(null),
  /** The verdict of the last validation that was watched to its end here; null since a login was submitted. */
  verdict: storedVerdictSchema.nullable().default(null),
  /** The member's consents when a login was last submitted here; null: unknown. */
  consent: storedConsentSchema.nullable().default(null),
});
export type StoredConnection = z.infer<typeof storedConnectionSchema>;

/** A carrier in the list of a bootstrap. */
const storedPayerSchema = connectPayerSchema.extend({
  groupId: z.number().int().nullable().default(null),
});

/** A running validation: what finds it again through its policy holder, without a token or login. */
const storedValidationSchema = z.object({
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
const storedPatientAccessSchema = z.object({
  ...scoped,
  email: z.string(),
  employerId: z.number().int(),
  payerId: z.number().int(),
  stateId: z.string(),
  authorizationUrl: z.string(),
  startedAt: z.string(),
  isOpened: z.boolean(),
  /**
   * How many working connections to this carrier the member had before the sign-in, if the service does not report its
   * result: one more means success. null: the service reports it.
   */
  workedBefore: z.array(z.number().int()).nullable().default(null),
});
export type StoredPatientAccess = z.infer<typeof storedPatientAccessSchema>;

/**
 * An employer as Connect returned it, with its keys. It is stored apart from its members and stays when they are
 * removed.
 */
const storedEmployerSchema = z.object({
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
/** All Connect data that this computer stores for a workspace, without secret key, username and password. */
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
  /** Like `update`, and removes all backups, so that removed data is in no file. */
  forget(change: (data: ConnectData) => ConnectData): Promise<ConnectData>;
  /**
   * Reads the file from the disk; null where there is none. A damaged file is restored from a backup if there
   * is one.
   */
  check(isFull: boolean): Promise<StoreCheck | null>;
  /** Waits for pending writes; nothing is written afterwards. Never rejects; later calls get `engine.stopped`. */
  close(): Promise<void>;
}

const mark = Buffer.from('cdc1');
const nonceBytes = 12;
const tagBytes = 16;

interface ConnectFilePorts {
  readonly path: string;
  readonly readKey: () => Promise<Buffer>;
  readonly isReadOnly: boolean;
  readonly clock: Clock;
  /** Called when a backup failed; the change itself is written. */
  readonly onBackupFailed: (thrown: unknown) => void;
  /** Called when the damaged file was replaced by a backup. */
  readonly onRestored: () => void;
}
interface OpenFile extends ConnectFilePorts {
  readonly backupsDir: string;
  held: ConnectData | null;
  key: Buffer | null;
}

/**
 * Stores Connect data in one file of the workspace's folder, sealed by AES-256-GCM with a key derived from the key of
 * the records, so that it cannot be read without the keychain. A profile that may not be written to keeps changes in
 * memory. A damaged file is replaced by its newest readable backup.
 * @throws DeskError `profile.damaged`, `profile.unwritable`, `disk.*`, `keychain.*`
 */
export function createConnectFile(ports: ConnectFilePorts): ConnectFile {
  const enqueue = createSerialQueue();
  let isClosed = false;
  const open: OpenFile = { ...ports, ...sideFilesOf(ports.path), held: null, key: null };
  const whileOpen = <T>(act: () => Promise<T>): Promise<T> =>
    enqueue(async () => {
      // A folder that was removed must not be created again.
      if (isClosed) throw new DeskError('engine.stopped');
      return act();
    });
  return {
    read: () => whileOpen(() => load(open)),
    update: (change) =>
      whileOpen(async () => {
        const bytes = await write(open, change);
        if (bytes !== null) await backUp(open, bytes).catch(ports.onBackupFailed);
        return load(open);
      }),
    forget: (change) =>
      whileOpen(async () => {
        if (!existsSync(ports.path)) return load(open);
        const bytes = await write(open, change);
        const kept = bytes === null ? [] : listKept(open.backupsDir, ports.path);
        for (const { name } of kept) await rm(join(open.backupsDir, name), { force: true });
        return load(open);
      }),
    check: (isFull) => whileOpen(() => check(open, isFull)),
    async close() {
      isClosed = true;
      await enqueue(async () => undefined);
      open.key?.fill(0);
      open.held = null;
    },
  };
}

async function keyOf(open: OpenFile): Promise<Buffer> {
  open.key ??= Buffer.from(
    hkdfSync('sha256', await open.readKey(), Buffer.alloc(0), 'claimdesk connect', 32),
  );
  return open.key;
}

async function readFrom(open: OpenFile, path: string): Promise<ConnectData> {
  const bytes = await readFile(path).catch((thrown) => {
    throw toDeskError(thrown);
  });
  return unseal(bytes, await keyOf(open));
}

async function restore(open: OpenFile, damage: unknown): Promise<ConnectData> {
  for (const { name } of listKept(open.backupsDir, open.path)) {
    const backup = join(open.backupsDir, name);
    const data = await readFrom(open, backup).catch(() => null);
    if (data === null) continue;
    if (!open.isReadOnly) {
      await writeFileAtomic(open.path, await readFile(backup));
      open.onRestored();
    }
    return data;
  }
  throw damage;
}

async function load(open: OpenFile): Promise<ConnectData> {
  if (open.held !== null) return open.held;
  if (!existsSync(open.path)) return emptyConnectData();
  const data = await readFrom(open, open.path).catch((thrown: unknown) => {
    // A file that can be decrypted is not damaged: a newer Claimdesk wrote it.
    const isDamage = thrown instanceof DeskError && thrown.code === 'profile.damaged';
    if (isDamage && !(thrown.cause instanceof z.ZodError)) return restore(open, thrown);
    throw thrown;
  });
  // If this process does not write, another one may, so the file is read each time.
  if (!open.isReadOnly) open.held = data;
  return data;
}

/** Backs up after every change, because the file is small. The newest backup of each day is kept. */
async function backUp({ path, backupsDir, clock }: OpenFile, bytes: Buffer): Promise<void> {
  makeFolder(backupsDir);
  await writeFileAtomic(join(backupsDir, nameCopy(path, new Date(clock.now()).toISOString())), bytes);
  for (const name of chooseBackupsToDrop(listKept(backupsDir, path), usualBackupRules))
    await rm(join(backupsDir, name), { force: true });
}

/** Resolves to the bytes that were written; null where this process may not write. */
async function write(open: OpenFile, change: (data: ConnectData) => ConnectData): Promise<Buffer | null> {
  const changed = change(await load(open));
  let bytes: Buffer | null = null;
  if (!open.isReadOnly) {
    bytes = seal(changed, await keyOf(open));
    await mkdir(dirname(open.path), { recursive: true, mode: 0o700 }).catch((thrown) => {
      throw toDeskError(thrown);
    });
    await writeFileAtomic(open.path, bytes);
  }
  open.held = changed;
  return bytes;
}

async function check(open: OpenFile, isFull: boolean): Promise<StoreCheck | null> {
  if (!existsSync(open.path)) return null;
  const begunMs = performance.now();
  const isSound = await readFrom(open, open.path).then(
    () => true,
    (thrown: unknown) => {
      if (thrown instanceof DeskError && thrown.code === 'profile.damaged') return false;
      throw thrown;
    },
  );
  // If the data is in memory, it is written again; otherwise a backup is used.
  if (!isSound) await (open.held !== null ? write(open, (data) => data) : load(open)).catch(() => undefined);
  return {
    at: new Date(open.clock.now()).toISOString(),
    isFull,
    isSound,
    problems: isSound ? 0 : 1,
    seconds: (performance.now() - begunMs) / 1000,
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
