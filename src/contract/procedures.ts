import { z } from 'zod';
import { auditEntrySchema, auditFilterSchema, auditFindings, auditVerdictSchema } from './audit.ts';
import { connectProcedures } from './connect-procedures.ts';
import { doctorResultSchema } from './doctor.ts';
import { exportRequestSchema, printedListSchema } from './export.ts';
import { exportVerdictSchema, verifyRequestSchema } from './export-receipt.ts';
import { cellSchema, groupSchema, listQuerySchema, rowSchema, totalsSchema } from './query.ts';
import { claimSchema, dependentSchema, employerSchema, memberSchema, tenantSchema } from './records.ts';
import { reviewProcedures } from './review-procedures.ts';
import { rotationAnswers, rotationStateSchema } from './rotation.ts';
import { saveTargetRequestSchema } from './save-target.ts';
import {
  removalCountsSchema,
  removalSchema,
  repairReportSchema,
  savedViewSchema,
  storeCheckSchema,
  storeFiles,
  storeStateSchema,
} from './store.ts';
import {
  changeCountsSchema,
  changedRunSchema,
  changeKinds,
  missingMarkSchema,
  narrowResultSchema,
  recordChangeSchema,
  syncStatusSchema,
} from './sync.ts';
import { viewContentSchema } from './views.ts';
import { worklistProcedures } from './worklists.ts';
import {
  appInfoSchema,
  keyDescriptionSchema,
  keyProofSchema,
  keySourceSchema,
  keyTypes,
  settingsSchema,
  sshKeySchema,
  tokenHeaderSchema,
  tokenSchemeSchema,
  workspaceColors,
  workspaceSchema,
} from './workspace.ts';

const nothing = z.object({}).strict();
const done = z.object({ isDone: z.literal(true) });
const workspaceRef = z.object({ workspaceId: z.string() });
const recordRef = workspaceRef.extend({ id: z.number().int() });
/** `isAside`: ahead of being opened, or for its name beside another; `records:noteOpened` follows if it is opened. */
const openedRef = recordRef.extend({ isAside: z.boolean().optional() });

export type { Totals } from './query.ts';

const unlockPassphrase = z.string().min(1).max(1000);
const recoveryCode = z.string().min(1).max(200);
const keyName = z.string().min(1).max(80);
const keyRef = z.object({ keyId: z.string() });
const savedFile = z.object({ displayPath: z.string() });

/**
 * Everything the window can ask for: name → input, output, and which process answers. Each input is parsed
 * where it is answered. There is no procedure that yields a private key, a token or a database key, runs SQL,
 * or calls an address of the caller's choice.
 */
export const procedures = {
  'app:getInfo': { answeredBy: 'main', input: nothing, output: appInfoSchema },
  'settings:get': { answeredBy: 'main', input: nothing, output: settingsSchema },
  'settings:set': { answeredBy: 'main', input: settingsSchema.partial(), output: settingsSchema },

  'workspaces:list': {
    answeredBy: 'main',
    input: nothing,
    output: z.object({ workspaces: z.array(workspaceSchema), activeId: z.string().nullable() }),
  },
  'workspaces:add': {
    answeredBy: 'main',
    input: z.object({
      baseUrl: z.string().max(2000),
      email: z.string().max(320),
      name: z.string().min(1).max(80).optional(),
      color: z.enum(workspaceColors).optional(),
    }),
    output: workspaceSchema,
  },
  'workspaces:activate': { answeredBy: 'main', input: workspaceRef, output: workspaceSchema },
  /** Changes what is given. `header` is where the token travels, `scheme` what stands before it there. */
  'workspaces:update': {
    answeredBy: 'main',
    input: workspaceRef.extend({
      name: z.string().min(1).max(80).optional(),
      color: z.enum(workspaceColors).optional(),
      header: tokenHeaderSchema.optional(),
      scheme: tokenSchemeSchema.optional(),
    }),
    output: workspaceSchema,
  },
  /** Signs by a clock of the service that is so far from this computer's, for a day; a person confirms it outside the page. */
  'workspaces:acceptClock': {
    answeredBy: 'main',
    input: workspaceRef.extend({ offsetSeconds: z.number().int() }),
    output: workspaceSchema,
  },
  /**
   * Removes a workspace with everything of it: records, their key, a rotation. Its SSH key stays, unless
   * `alsoRemovesKeys` and no other workspace signs with it; the last working key only with its name typed.
   */
  'workspaces:remove': {
    answeredBy: 'main',
    input: workspaceRef.extend({
      alsoRemovesKeys: z.boolean().optional(),
      typedKeyName: z.string().max(200).optional(),
    }),
    output: done.extend({ removedKeyIds: z.array(z.string()) }),
  },

  /** Starts the sample service as a child and makes the sample workspace, its key registered. */
  'sample:open': { answeredBy: 'main', input: nothing, output: workspaceSchema },
  /** Stops or restarts the sample service, to see the app offline. */
  'sample:setServiceRunning': {
    answeredBy: 'main',
    input: z.object({ isRunning: z.boolean() }),
    output: z.object({ isRunning: z.boolean() }),
  },
  'sample:getState': {
    answeredBy: 'main',
    input: nothing,
    output: z.object({ isOpen: z.boolean(), isRunning: z.boolean() }),
  },
  /** A day passes at the sample service: the next sync has news. */
  'sample:nextDay': { answeredBy: 'main', input: nothing, output: done },
  /** Puts a public key into the sample's page for SSH keys, as a person would at a real service. */
  'sample:registerKey': { answeredBy: 'main', input: keyRef, output: done },
  'sample:close': { answeredBy: 'main', input: nothing, output: done },

  'keys:list': { answeredBy: 'main', input: nothing, output: z.object({ keys: z.array(sshKeySchema) }) },
  'keys:generate': {
    answeredBy: 'main',
    input: z.object({
      type: z.enum(keyTypes),
      name: z.string().min(1).max(80).optional(),
      workspaceId: z.string().optional(),
    }),
    output: sshKeySchema,
  },
  'keys:use': {
    answeredBy: 'main',
    input: workspaceRef.extend({ keyId: z.string() }),
    output: workspaceSchema,
  },
  /** Puts the public key on the clipboard where the shell can; else the window does it with what it has. */
  'keys:copyPublic': {
    answeredBy: 'main',
    input: z.object({ keyId: z.string() }),
    output: z.object({ isCopied: z.boolean() }),
  },
  /** Opens the service's page for SSH keys in the system's browser where the shell can. */
  'keys:openRegistration': {
    answeredBy: 'main',
    input: workspaceRef,
    output: z.object({ url: z.string(), isOpened: z.boolean() }),
  },
  /** Proves by one signed request that the service accepts the key. */
  'keys:check': {
    answeredBy: 'main',
    input: workspaceRef.extend({ keyId: z.string().optional() }),
    output: keyProofSchema,
  },
  /** null: the person chose no file. The passphrase opens the file and is not kept. */
  'keys:import': {
    answeredBy: 'main',
    input: z.object({
      source: keySourceSchema,
      passphrase: z.string().max(1000).optional(),
      name: keyName.optional(),
      workspaceId: z.string().optional(),
    }),
    output: sshKeySchema.nullable(),
  },
  /** Writes the private key as an OpenSSH file under a passphrase, and reads it back before it says so. */
  'keys:backUp': {
    answeredBy: 'main',
    input: keyRef.extend({ passphrase: z.string().max(1000), targetId: z.string() }),
    output: savedFile.extend({ keyId: z.string(), fingerprint: z.string() }),
  },
  'keys:savePublic': {
    answeredBy: 'main',
    input: keyRef.extend({ targetId: z.string() }),
    output: savedFile,
  },
  'keys:describe': { answeredBy: 'main', input: keyRef, output: keyDescriptionSchema },
  'keys:rename': { answeredBy: 'main', input: keyRef.extend({ name: keyName }), output: sshKeySchema },
  /** Keys whose files are there and cannot be read. They go by `keys:retire`, their id typed where they sign. */
  'keys:listDamaged': {
    answeredBy: 'main',
    input: nothing,
    output: z.object({
      keys: z.array(z.object({ id: z.string(), workspaceIds: z.array(z.string()) })),
    }),
  },
  /** Removes a key for good. One that signs for a workspace, or the last working one: its name must be typed. */
  'keys:retire': {
    answeredBy: 'main',
    input: keyRef.extend({ typedName: z.string().max(200).optional() }),
    output: done,
  },

  /** Begins to replace the key of a workspace, and goes as far as it can without a person. */
  'rotation:begin': {
    answeredBy: 'main',
    input: workspaceRef.extend({ type: z.enum(keyTypes).optional() }),
    output: rotationStateSchema,
  },
  /** null: none is under way. Changes nothing. */
  'rotation:get': { answeredBy: 'main', input: workspaceRef, output: rotationStateSchema.nullable() },
  /** A person has done their part; goes on as far as it can. */
  'rotation:answer': {
    answeredBy: 'main',
    input: workspaceRef.extend({ answer: z.enum(rotationAnswers) }),
    output: rotationStateSchema,
  },
  /** Tries once more what Claimdesk does itself. null: none is under way. */
  'rotation:resume': { answeredBy: 'main', input: workspaceRef, output: rotationStateSchema.nullable() },

  /** Says in plain words why a connection does not work and what to do; takes at most five seconds. */
  'doctor:run': { answeredBy: 'main', input: workspaceRef, output: doctorResultSchema },

  'lock:getState': {
    answeredBy: 'main',
    input: nothing,
    output: z.object({
      isLocked: z.boolean(),
      needsPassphrase: z.boolean(),
      /** A recovery code opens it as well. */
      hasRecoveryCode: z.boolean(),
    }),
  },
  'lock:lock': { answeredBy: 'main', input: nothing, output: done },
  'lock:unlock': {
    answeredBy: 'main',
    input: z.object({ passphrase: unlockPassphrase.optional() }),
    output: done,
  },
  /** The window tells that a person did something; idle time is counted from the last one. */
  'lock:noteActivity': { answeredBy: 'main', input: nothing, output: done },

  'unlock:getState': {
    answeredBy: 'main',
    input: nothing,
    output: z.object({
      hasPassphrase: z.boolean(),
      hasRecoveryCode: z.boolean(),
      /** The passphrase that opened the profile is shorter than a new one may be. */
      isPassphraseShort: z.boolean(),
    }),
  },
  /**
   * Sets the unlock passphrase, or changes it (`current`). The recovery code that comes with a new one is shown to a
   * person once and never again; null where the passphrase was only changed, and the old code stays good.
   */
  'unlock:setPassphrase': {
    answeredBy: 'main',
    input: z.object({ passphrase: unlockPassphrase, current: unlockPassphrase.optional() }),
    output: z.object({ recoveryCode: z.string().nullable() }),
  },
  /** From then on the keychain alone opens the profile. */
  'unlock:removePassphrase': {
    answeredBy: 'main',
    input: z.object({ current: unlockPassphrase }),
    output: done,
  },
  /** The old recovery code opens nothing any more. */
  'unlock:renewRecoveryCode': {
    answeredBy: 'main',
    input: z.object({ current: unlockPassphrase.optional() }),
    output: z.object({ recoveryCode: z.string() }),
  },
  /** Unlocks with the recovery code and sets a new passphrase. */
  'unlock:recover': {
    answeredBy: 'main',
    input: z.object({ code: recoveryCode, passphrase: unlockPassphrase }),
    output: done,
  },

  /** Asks where to save. The path stays with main and the engine; the window gets a name for it, good for one purpose. */
  'files:chooseSaveTarget': {
    answeredBy: 'main',
    input: saveTargetRequestSchema,
    output: z.object({ targetId: z.string(), displayPath: z.string() }).nullable(),
  },

  'sync:start': { answeredBy: 'engine', input: workspaceRef, output: z.object({ runId: z.string() }) },
  'sync:cancel': { answeredBy: 'engine', input: workspaceRef, output: done },
  'sync:getStatus': { answeredBy: 'engine', input: workspaceRef, output: syncStatusSchema },
  /** Stops between two pages; sync:start goes on. Survives the end of the app. */
  'sync:pause': { answeredBy: 'engine', input: workspaceRef, output: done },
  /** Reads what came since, where the newest come first. Proves nothing. */
  'sync:refresh': { answeredBy: 'engine', input: workspaceRef, output: z.object({ runId: z.string() }) },
  /** Answers the question that a sudden loss asks: `accept` marks what is missing, `decline` marks nothing. */
  'sync:answerLoss': {
    answeredBy: 'engine',
    input: workspaceRef.extend({ answer: z.enum(['accept', 'decline']) }),
    output: done,
  },
  /**
   * Reads one member, a carrier connection's claims or a member's claims again. A member comes with the claims
   * of the connections its claims name, and through its vendor where the keys are given.
   */
  'sync:refreshRecord': {
    answeredBy: 'engine',
    input: workspaceRef.extend({
      what: z.discriminatedUnion('kind', [
        z.object({
          kind: z.literal('member'),
          memberId: z.number().int(),
          /** Of the vendor-tenant route (docs/service.md, "Lists and values"); the others are known from the member's record. */
          employerKey: z.string().min(1).max(200).optional(),
          memberKey: z.string().min(1).max(200).optional(),
          vendorTenantLabel: z.string().min(1).max(200).optional(),
        }),
        z.object({ kind: z.literal('connection'), policyHolderId: z.number().int() }),
      ]),
    }),
    output: narrowResultSchema,
  },
  /** What a sync changed: the newest one that changed anything, unless `runId` names another. */
  'sync:listChanges': {
    answeredBy: 'engine',
    input: workspaceRef.extend({
      runId: z.string().max(100).optional(),
      change: z.enum(changeKinds).optional(),
      offset: z.number().int().min(0),
      limit: z.number().int().min(1).max(1000),
    }),
    output: z.object({
      runId: z.string().nullable(),
      counts: changeCountsSchema,
      /** Of those recorded singly, and of the wanted kind. */
      total: z.number().int(),
      changes: z.array(recordChangeSchema),
      /** The last syncs that changed anything, newest first. */
      runs: z.array(changedRunSchema),
    }),
  },

  'records:getSummary': {
    answeredBy: 'engine',
    input: workspaceRef,
    output: z.object({
      members: z.number().int(),
      archivedMembers: z.number().int(),
      dependents: z.number().int(),
      claims: z.number().int(),
      lines: z.number().int(),
      setAside: z.number().int(),
    }),
  },
  /** Makes a list of ids once, for one filter and sort; rows are then asked for by position. */
  'records:open': {
    answeredBy: 'engine',
    input: workspaceRef.extend({ query: listQuerySchema }),
    output: z.object({ snapshotId: z.string(), total: z.number().int(), totals: totalsSchema.nullable() }),
  },
  /**
   * The same, answered with the first rows as soon as they are found. `total` is null while the list of ids is
   * still being made; `records:getCount` then waits for it, and so does a window further down.
   */
  'records:begin': {
    answeredBy: 'engine',
    input: workspaceRef.extend({
      query: listQuerySchema,
      limit: z.number().int().min(1).max(1000),
      fields: z.array(z.string()).max(200).optional(),
      /** Beside other records: a member whose claims these are was not opened, and nobody was looked for by `id`. */
      isAside: z.boolean().optional(),
    }),
    output: z.object({
      snapshotId: z.string(),
      rows: z.array(rowSchema),
      total: z.number().int().nullable(),
      totals: totalsSchema.nullable(),
    }),
  },
  /** `isMoved`: a sync wrote between the first rows and the list of ids; ask for the rows again. */
  'records:getCount': {
    answeredBy: 'engine',
    input: workspaceRef.extend({ snapshotId: z.string() }),
    output: z.object({ total: z.number().int(), totals: totalsSchema.nullable(), isMoved: z.boolean() }),
  },
  /** `isStale`: newer data exist than when the list was made; the rows keep their places. */
  'records:getWindow': {
    answeredBy: 'engine',
    input: workspaceRef.extend({
      snapshotId: z.string(),
      offset: z.number().int().min(0),
      limit: z.number().int().min(1).max(1000),
      fields: z.array(z.string()).max(200).optional(),
    }),
    output: z.object({ rows: z.array(rowSchema), isStale: z.boolean() }),
  },
  /**
   * Rows as tab-separated text for the clipboard: SSNs masked, texts that a spreadsheet would run guarded. It
   * goes into the audit log before it is answered. `places` are ranges of the snapshot, both ends included.
   */
  'records:copy': {
    answeredBy: 'engine',
    input: workspaceRef.extend({
      snapshotId: z.string(),
      places: z
        .array(z.tuple([z.number().int().min(0), z.number().int().min(0)]))
        .min(1)
        .max(5000),
      fields: z.array(z.string().max(80)).min(1).max(200),
    }),
    output: z.object({ text: z.string(), rows: z.number().int() }),
  },
  /**
   * Groups a list by a column, the month of service, or what a claim's members are linked to (`members.id`,
   * `members.employer.id`, `members.tenant.id`; a claim of two members is in both groups). `total` counts all
   * groups.
   */
  'records:group': {
    answeredBy: 'engine',
    input: workspaceRef.extend({
      query: listQuerySchema.omit({ sort: true }),
      by: z.string().max(80),
      order: z.enum(['value', 'count', 'billed', 'allowed', 'paid', 'patientResponsibility']).optional(),
      direction: z.enum(['asc', 'desc']).optional(),
      offset: z.number().int().min(0).optional(),
      limit: z.number().int().min(1).max(1000).optional(),
    }),
    output: z.object({ groups: z.array(groupSchema), total: z.number().int() }),
  },
  /**
   * The values that a column has, with how many rows have each; those that contain `search`. `within` counts in a
   * list: its search and its conditions on other columns. A newer call for the same column ends the one before, which
   * fails with `snapshot.expired`.
   */
  'records:listValues': {
    answeredBy: 'engine',
    input: workspaceRef.extend({
      entity: listQuerySchema.shape.entity,
      field: z.string().max(80),
      search: z.string().max(200).optional(),
      within: listQuerySchema.omit({ entity: true, sort: true }).optional(),
      /** By value unless said; by count, the commonest first. */
      order: z.enum(['value', 'count']).optional(),
      limit: z.number().int().min(1).max(1000).optional(),
    }),
    output: z.object({
      values: z.array(z.object({ value: cellSchema, count: z.number().int() })),
      /** Of all that contain it. */
      total: z.number().int(),
    }),
  },
  /** Employers by the service's id, named as last seen, with their members and what claims name them. */
  'records:listEmployers': {
    answeredBy: 'engine',
    input: workspaceRef,
    output: z.object({
      employers: z.array(
        z.object({
          id: z.number().int(),
          name: z.string().nullable(),
          members: z.number().int(),
          archivedMembers: z.number().int(),
          claims: totalsSchema,
        }),
      ),
    }),
  },
  /** Tenants the same way, with how many employers have members under each. */
  'records:listTenants': {
    answeredBy: 'engine',
    input: workspaceRef,
    output: z.object({
      tenants: z.array(
        z.object({
          id: z.number().int(),
          name: z.string().nullable(),
          employers: z.number().int(),
          members: z.number().int(),
          archivedMembers: z.number().int(),
          claims: totalsSchema,
        }),
      ),
    }),
  },
  /** An employer as its members' records last had it, and the tenants of those members. */
  'records:getEmployer': {
    answeredBy: 'engine',
    input: recordRef,
    output: z.object({
      employer: employerSchema,
      tenants: z.array(z.object({ id: z.number().int(), name: z.string().nullable() })),
      unknownFields: z.array(z.string()),
    }),
  },
  /** A tenant as its members' records last had it, and the employers of those members. */
  'records:getTenant': {
    answeredBy: 'engine',
    input: recordRef,
    output: z.object({
      tenant: tenantSchema,
      employers: z.array(
        z.object({ id: z.number().int(), name: z.string().nullable(), members: z.number().int() }),
      ),
      unknownFields: z.array(z.string()),
    }),
  },
  'records:close': {
    answeredBy: 'engine',
    input: workspaceRef.extend({ snapshotId: z.string() }),
    output: done,
  },
  /** A record that was fetched ahead is on screen: written down once a day, as the three below do themselves. */
  'records:noteOpened': {
    answeredBy: 'engine',
    input: recordRef.extend({ list: z.enum(['members', 'dependents', 'claims']) }),
    output: done,
  },
  /** A claim file is about to be printed: written down before it is. */
  'records:notePrinted': { answeredBy: 'engine', input: recordRef, output: done },
  /** A member with dependents, the SSNs masked; what claims link to it; `unknownFields` are paths. */
  'records:getMember': {
    answeredBy: 'engine',
    input: openedRef,
    output: z.object({
      member: memberSchema,
      claims: totalsSchema,
      unknownFields: z.array(z.string()),
      /** null: the service returns it. */
      missing: missingMarkSchema.nullable(),
    }),
  },
  'records:getDependent': {
    answeredBy: 'engine',
    input: openedRef,
    output: z.object({
      dependent: dependentSchema,
      memberId: z.number().int(),
      unknownFields: z.array(z.string()),
      /** Of the member, with whom a dependent comes. */
      missing: missingMarkSchema.nullable(),
    }),
  },
  /** One whole SSN, written down before it is answered; null where the service sent none. */
  'records:revealSsn': {
    answeredBy: 'engine',
    input: recordRef.extend({ entity: z.enum(['members', 'dependents']) }),
    output: z.object({ ssn: z.string().nullable() }),
  },
  /** A claim with every field and its lines, as the service sent it. */
  'records:getClaim': {
    answeredBy: 'engine',
    input: openedRef,
    output: z.object({
      claim: claimSchema,
      /** Of the claim's connection, where it was read; no part of the record. */
      carrier: z.string().nullable(),
      unknownFields: z.array(z.string()),
      missing: missingMarkSchema.nullable(),
    }),
  },
  /** Records that could not be kept as what they should be, with the reason. */
  'records:listSetAside': {
    answeredBy: 'engine',
    input: workspaceRef,
    output: z.object({
      items: z.array(
        z.object({
          kind: z.string(),
          reason: z.string(),
          recordId: z.string().nullable(),
          seenAt: z.string(),
        }),
      ),
    }),
  },

  /** The files of a workspace and of what people wrote: size, last check, backups, what was kept aside. */
  'store:getState': { answeredBy: 'engine', input: workspaceRef, output: storeStateSchema },
  /** Checks the files while they are used; full: each record read whole as well. `connect`: what Connect stores. */
  'store:check': {
    answeredBy: 'engine',
    input: workspaceRef.extend({ isFull: z.boolean() }),
    output: z.object({
      records: storeCheckSchema.nullable(),
      userData: storeCheckSchema.nullable(),
      connect: storeCheckSchema.nullable(),
    }),
  },
  /** Climbs the ladder of repairs. Without `mayLose`, only what loses nothing is done. */
  'store:repair': {
    answeredBy: 'engine',
    input: workspaceRef.extend({ file: z.enum(storeFiles), mayLose: z.boolean() }),
    output: repairReportSchema,
  },
  /** Removes the damaged files that repairs kept aside. */
  'store:removeKeptAside': {
    answeredBy: 'engine',
    input: workspaceRef,
    output: done.extend({ files: z.number().int() }),
  },
  /** What a removal would take. Changes nothing. */
  'data:planRemoval': {
    answeredBy: 'engine',
    input: workspaceRef.extend({ removal: removalSchema }),
    output: removalCountsSchema,
  },
  /** Removes for good. `typed` is the date or the member's id once more. A sync does not bring it back. */
  'data:remove': {
    answeredBy: 'engine',
    input: workspaceRef.extend({ removal: removalSchema, typed: z.string().max(200) }),
    output: removalCountsSchema,
  },
  /** Lifts what removals left behind: the next sync brings back what the service still has. */
  'data:liftRetention': { answeredBy: 'engine', input: workspaceRef, output: done },
  /** Destroys every secret and file of this profile. `typed` is the words `remove everything`. */
  'data:removeEverything': {
    answeredBy: 'main',
    input: z.object({ typed: z.string().max(200) }),
    output: done,
  },

  'views:list': {
    answeredBy: 'engine',
    input: workspaceRef,
    output: z.object({ views: z.array(savedViewSchema) }),
  },
  'views:save': {
    answeredBy: 'engine',
    input: workspaceRef.extend({
      id: z.string().max(60).optional(),
      name: z.string().min(1).max(120),
      query: z.string().max(50_000),
    }),
    output: savedViewSchema,
  },
  /** Writes a view as a file that names nobody: `leftOut` counts the filters that could. */
  'views:export': {
    answeredBy: 'engine',
    input: workspaceRef.extend({
      name: z.string().min(1).max(120),
      content: viewContentSchema,
      targetId: z.string(),
    }),
    output: z.object({ leftOut: z.number().int() }),
  },
  'views:remove': { answeredBy: 'engine', input: workspaceRef.extend({ id: z.string() }), output: done },

  /** Newest first. */
  'audit:list': {
    answeredBy: 'engine',
    input: z.object({
      offset: z.number().int().min(0),
      limit: z.number().int().min(1).max(1000),
      filter: auditFilterSchema.optional(),
    }),
    output: z.object({ entries: z.array(auditEntrySchema), total: z.number().int() }),
  },
  'audit:verify': { answeredBy: 'engine', input: nothing, output: auditVerdictSchema },
  /**
   * Accepts the log as it is, which is written down with what was found: after a restore or a loss. `reason` and
   * `firstBad` are what the person was shown. Answers with the verdict from there on.
   */
  'audit:accept': {
    answeredBy: 'engine',
    input: z.object({ reason: z.enum(auditFindings), firstBad: z.number().int() }),
    output: auditVerdictSchema,
  },
  /** Writes every entry as a line of JSON, oldest first, with the hashes of the chain. */
  'audit:export': {
    answeredBy: 'engine',
    input: z.object({ targetId: z.string() }),
    output: z.object({ entries: z.number().int(), sha256: z.string() }),
  },

  'export:start': {
    answeredBy: 'engine',
    input: exportRequestSchema,
    output: z.object({ exportId: z.string() }),
  },
  /** Compares files with their receipt, and the receipt with the records of now. Writes nothing. */
  'export:verify': { answeredBy: 'engine', input: verifyRequestSchema, output: exportVerdictSchema },
  /** A list is about to be printed: written down before it is. */
  'export:notePrinted': {
    answeredBy: 'engine',
    input: printedListSchema,
    output: done,
  },
  'export:cancel': { answeredBy: 'engine', input: z.object({ exportId: z.string() }), output: done },

  ...worklistProcedures,
  ...connectProcedures,
  ...reviewProcedures,
} as const satisfies Record<string, { answeredBy: 'main' | 'engine'; input: z.ZodType; output: z.ZodType }>;

export type Procedures = typeof procedures;
export type ProcedureName = keyof Procedures;
export type Input<P extends ProcedureName> = z.input<Procedures[P]['input']>;
export type ParsedInput<P extends ProcedureName> = z.output<Procedures[P]['input']>;
export type Output<P extends ProcedureName> = z.output<Procedures[P]['output']>;

export type MainProcedureName = {
  [P in ProcedureName]: Procedures[P]['answeredBy'] extends 'main' ? P : never;
}[ProcedureName];
export type EngineProcedureName = Exclude<ProcedureName, MainProcedureName>;

export type Handlers<Names extends ProcedureName> = {
  readonly [P in Names]: (input: ParsedInput<P>) => Promise<Output<P>> | Output<P>;
};
