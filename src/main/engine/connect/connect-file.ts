import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import {
  connectMemberSchema,
  connectPayerSchema,
  connectSettingsSchema,
} from '../../../contract/connect-views.ts';
import { writeFileAtomic } from '../../lib/atomic-file.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';
import { createSerialQueue } from '../../lib/serial-queue.ts';

/** Under which token, tenant and kind of data something is known: members of one are unknown to another. */
const scoped = { scope: z.string() };

export const storedConnectionSchema = z.object({
  ...scoped,
  policyHolderId: z.number().int(),
  email: z.string(),
  payerId: z.number().int().nullable(),
  payerName: z.string().nullable(),
  /** The carrier of the same group is where the members of a migrating one go. */
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
  readAt: z.string(),
});
export type StoredConnection = z.infer<typeof storedConnectionSchema>;

/** A carrier of the list that the bootstrap gives. */
const storedPayerSchema = connectPayerSchema.extend({
  groupId: z.number().int().nullable().default(null),
});

/** A validation under way: enough to find it again through its policy holder. No token, no login. */
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

/** A sign-in at a carrier's page. `stateId` names the member's session to the service. */
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
   * The member's connections to this carrier that worked before it began, where the service does not tell how the
   * sign-in goes: one more is how it succeeds. null: the service tells.
   */
  workedBefore: z.array(z.number().int()).nullable().default(null),
});
export type StoredPatientAccess = z.infer<typeof storedPatientAccessSchema>;

/**
 * An employer as Connect named it, with what the service knows it by. Kept apart from its members: it stays when they
 * are forgotten.
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
  /** Version 0.1 kept none. */
  employers: z.array(storedEmployerSchema).default([]),
  payers: z.array(z.object({ ...scoped, payers: z.array(storedPayerSchema) })),
  connections: z.array(storedConnectionSchema),
  validations: z.array(storedValidationSchema),
  patientAccess: z.array(storedPatientAccessSchema),
});
/** All that this computer remembers of a workspace's Connect. No secret key, username or password is in it. */
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
  /** Changes one after the other; what `change` gives is written before it resolves. */
  update(change: (data: ConnectData) => ConnectData): Promise<ConnectData>;
  /** Waits for what is being written; from then on nothing is. @throws nothing; later calls `engine.stopped` */
  close(): Promise<void>;
}

const mark = Buffer.from('cdc1');
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Keeps what is remembered in one file of the workspace's folder, sealed by AES-256-GCM under a key made from
 * the key of the records: it goes with the folder, and says nothing without the keychain. A profile that may
 * not be written to keeps changes in memory.
 * @throws DeskError `profile.damaged`, `profile.unwritable`, `disk.*`, `keychain.*`
 */
export function createConnectFile(ports: {
  readonly path: string;
  readonly readKey: () => Promise<Buffer>;
  readonly isReadOnly: boolean;
}): ConnectFile {
  const { path } = ports;
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
      // A folder that was removed must not come back.
      if (isClosed) throw new DeskError('engine.stopped');
      return act();
    });

  const load = async (): Promise<ConnectData> => {
    if (held !== null) return held;
    if (!existsSync(path)) return emptyConnectData();
    const bytes = await readFile(path).catch((thrown) => {
      throw toDeskError(thrown);
    });
    const data = unseal(bytes, await ownKey());
    // In a process that does not write, another one does.
    if (!ports.isReadOnly) held = data;
    return data;
  };

  return {
    read: () => whileOpen(load),
    update: (change) =>
      whileOpen(async () => {
        const changed = change(await load());
        if (!ports.isReadOnly) {
          const bytes = seal(changed, await ownKey());
          await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch((thrown) => {
            throw toDeskError(thrown);
          });
          await writeFileAtomic(path, bytes);
        }
        held = changed;
        return changed;
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
