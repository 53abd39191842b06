import { z } from 'zod';
import { accumulatorProcedures } from './accumulator-procedures.ts';
import { appInfoSchema } from './app-info.ts';
import {
  auditEntrySchema,
  auditFilterSchema,
  auditFindings,
  auditForwardingSchema,
  auditVerdictSchema,
} from './audit.ts';
import { backupProcedures } from './backup-procedures.ts';
import { connectProcedures } from './connect-procedures.ts';
import { decisionRuleProcedures } from './decision-rule-procedures.ts';
import { doctorResultSchema } from './doctor.ts';
import { exportRequestSchema, printedListSchema } from './export.ts';
import { keyProcedures } from './key-procedures.ts';
import { leaseProcedures } from './lease-procedures.ts';
import { lockProcedures } from './lock-procedures.ts';
import {
  done,
  inEngine,
  inMain,
  keyRef,
  nothing,
  pageRef,
  withoutRecords,
  workspaceRef,
} from './procedure-parts.ts';
import { recordProcedures } from './record-procedures.ts';
import { reviewProcedures } from './review-procedures.ts';
import { runProcedures } from './run-procedures.ts';
import { saveTargetRequestSchema } from './save-target.ts';
import { settingsSchema } from './settings.ts';
import {
  documentsReportSchema,
  removalCountsSchema,
  removalSchema,
  repairReportSchema,
  savedViewSchema,
  storeCheckSchema,
  storeFiles,
  storeStateSchema,
} from './store.ts';
import { teamProcedures } from './team.ts';
import { viewContentSchema } from './views.ts';
import { worklistProcedures } from './worklist-counts.ts';
import { typedWorkspaceSchema, workspaceSchema } from './workspace.ts';

/**
 * Every procedure that the window can call: name → input, output, and the process that answers. Each input is parsed in
 * that process. No procedure returns a private key, a token or a database key, or runs SQL. The address of a new service
 * is confirmed outside the window, where the shell can.
 */
export const procedures = {
  'app:getInfo': inMain(nothing, appInfoSchema),
  'settings:get': inMain(nothing, settingsSchema),
  'settings:set': inMain(
    settingsSchema.omit({ ofTeams: true, backupFolder: true }).partial(),
    settingsSchema,
  ),

  'workspaces:list': inMain(
    nothing,
    z.object({ workspaces: z.array(workspaceSchema), activeId: z.string().nullable() }),
  ),
  'workspaces:add': inMain(
    typedWorkspaceSchema.extend({
      baseUrl: z.string().max(2000),
      email: z.string().max(320),
      awaitsTeam: z.literal(true).optional(),
    }),
    workspaceSchema,
  ),
  'workspaces:activate': inMain(workspaceRef, workspaceSchema),
  /**
   * Changes the given properties. `header` is the name of the token's header, `scheme` the word before the token;
   * `awaitsTeam: false`: the workspace is used without a team.
   */
  'workspaces:update': inMain(
    workspaceRef.extend({ ...typedWorkspaceSchema.shape, awaitsTeam: z.literal(false).optional() }),
    workspaceSchema,
  ),
  /**
   * Accepts a clock of the service that differs much from this computer's: for a day, tokens are signed in its time.
   * The user confirms this outside the page.
   */
  'workspaces:acceptClock': inMain(workspaceRef.extend({ offsetSeconds: z.int() }), workspaceSchema),
  /**
   * Removes a workspace with its records, their key and a rotation. Its SSH key stays, unless `alsoRemovesKeys` is set
   * and no other workspace signs with it; the last working key is removed only with its name typed.
   */
  'workspaces:remove': inMain(
    workspaceRef.extend({
      alsoRemovesKeys: z.boolean().optional(),
      typedKeyName: z.string().max(200).optional(),
    }),
    done.extend({ removedKeyIds: z.array(z.string()) }),
  ),

  /** Starts the sample service as a child process and makes the sample workspace, with its key registered. */
  'sample:open': inMain(nothing, workspaceSchema),
  /** Stops or restarts the sample service, to show the app offline. */
  'sample:setServiceRunning': inMain(
    z.object({ isRunning: z.boolean() }),
    z.object({ isRunning: z.boolean() }),
  ),
  /** `daysLeft`: how often `sample:nextDay` can still be called; the sample's day is then this computer's. */
  'sample:getState': inMain(
    nothing,
    z.object({ isOpen: z.boolean(), isRunning: z.boolean(), daysLeft: z.int() }),
  ),
  /** Advances the sample service by a day, so that the next sync finds changes, also of these claims. */
  'sample:nextDay': inMain(z.object({ claimIds: z.array(z.int()).max(3) }), done),
  /** Starts a team server on this computer, to try a team with the sample. */
  'sample:startTeam': inMain(nothing, z.object({ server: z.string(), setupCode: z.string() })),
  /**
   * Makes a simulated colleague ask to join, who decides these claims once admitted; `computer`: the one to approve.
   */
  'sample:addColleague': inMain(
    z.object({ invitation: z.string().max(2_000), claimIds: z.array(z.int()).max(50) }),
    z.object({ computer: z.string() }),
  ),
  /** Registers a public key on the sample's page for SSH keys, as users do on the page of a real service. */
  'sample:registerKey': inMain(keyRef, done),
  'sample:close': inMain(nothing, done),

  /** Finds why a connection does not work and what to do, in plain words; takes at most five seconds. */
  'doctor:run': inMain(workspaceRef, doctorResultSchema),

  /**
   * Shows a dialog for a file to save to. The path stays in main and the engine; the window gets a name for it, which
   * is valid for one purpose.
   */
  'files:chooseSaveTarget': inMain(
    saveTargetRequestSchema,
    z.object({ targetId: z.string(), displayPath: z.string() }).nullable(),
  ),
  /** Asks the user for a folder. @throws DeskError `app.unavailable` where the shell has no dialog for that */
  'files:chooseFolder': inMain(nothing, z.object({ path: z.string().nullable() })),

  /**
   * The files of a workspace and the user data file: size, last check, backups, and damaged files that repairs stored.
   */
  'store:getState': inEngine(workspaceRef, storeStateSchema, withoutRecords),
  /** Checks the files while they are in use; `full`: also reads every record and document. `connect`: checks what Connect stores; `documents` null: there are none. */
  'store:check': inEngine(
    workspaceRef.extend({ isFull: z.boolean() }),
    z.object({
      records: storeCheckSchema.nullable(),
      userData: storeCheckSchema.nullable(),
      connect: storeCheckSchema.nullable(),
      documents: documentsReportSchema.nullable(),
    }),
    withoutRecords,
  ),
  /** Tries the steps of a repair in order. Without `mayLose`, only steps that lose no data. */
  'store:repair': inEngine(
    workspaceRef.extend({ file: z.enum(storeFiles), mayLose: z.boolean() }),
    repairReportSchema,
    withoutRecords,
  ),
  /** Deletes the damaged files that repairs stored. */
  'store:removeKeptAside': inEngine(workspaceRef, done.extend({ files: z.int() }), withoutRecords),
  /** Counts what a removal would remove. Changes nothing. */
  'data:planRemoval': inEngine(
    workspaceRef.extend({ removal: removalSchema }),
    removalCountsSchema,
    withoutRecords,
  ),
  /** Removes records permanently; a sync does not add them again. `typed` has to repeat the date or the member's ID. */
  'data:remove': inEngine(
    workspaceRef.extend({ removal: removalSchema, typed: z.string().max(200) }),
    removalCountsSchema,
    withoutRecords,
  ),
  /** Drops the rules that removals stored: the next sync adds again what the service still has. */
  'data:liftRetention': inEngine(workspaceRef, done, withoutRecords),
  /** Destroys all secrets and files of this profile. `typed` has to be `remove everything`. */
  'data:removeEverything': inMain(z.object({ typed: z.string().max(200) }), done),

  ...backupProcedures,

  'views:list': inEngine(workspaceRef, z.object({ views: z.array(savedViewSchema) }), withoutRecords),
  'views:save': inEngine(
    workspaceRef.extend({
      id: z.string().max(60).optional(),
      name: z.string().min(1).max(120),
      query: z.string().max(50_000),
    }),
    savedViewSchema,
    withoutRecords,
  ),
  /** Writes a view to a file without filters that could name an individual; `leftOut` counts these. */
  'views:export': inEngine(
    workspaceRef.extend({
      name: z.string().min(1).max(120),
      content: viewContentSchema,
      targetId: z.string(),
    }),
    z.object({ leftOut: z.int() }),
    withoutRecords,
  ),
  'views:remove': inEngine(workspaceRef.extend({ id: z.string() }), done, withoutRecords),

  /** Newest first. */
  'audit:list': inEngine(
    z.object({
      ...pageRef.shape,
      filter: auditFilterSchema.optional(),
    }),
    z.object({ entries: z.array(auditEntrySchema), total: z.int() }),
    withoutRecords,
  ),
  'audit:verify': inEngine(nothing, auditVerdictSchema, withoutRecords),
  /** Null where the policy has no audit target. */
  'audit:readForwarding': inEngine(
    nothing,
    z.object({ forwarding: auditForwardingSchema.nullable() }),
    withoutRecords,
  ),
  /**
   * Accepts the current log, after a restore or a loss, and records this with what was found. `reason` and
   * `firstBad` are what the user was shown. Returns the verdict from there on.
   */
  'audit:accept': inEngine(
    z.object({ reason: z.enum(auditFindings), firstBad: z.int() }),
    auditVerdictSchema,
    withoutRecords,
  ),
  /** Writes every entry as a line of JSON, oldest first, with the hashes of the chain. */
  'audit:export': inEngine(
    z.object({ targetId: z.string() }),
    z.object({ entries: z.int(), sha256: z.string() }),
    withoutRecords,
  ),

  'export:start': inEngine(exportRequestSchema, z.object({ exportId: z.string() }), {
    ...withoutRecords,
    readsFacts: 'byInput',
  }),
  /** Records in the audit log that a list is printed; called before printing. */
  'export:auditPrinted': inEngine(printedListSchema, done, withoutRecords),
  'export:cancel': inEngine(z.object({ exportId: z.string() }), done, withoutRecords),

  ...keyProcedures,
  ...lockProcedures,
  ...recordProcedures,
  ...worklistProcedures,
  ...decisionRuleProcedures,
  ...accumulatorProcedures,
  ...teamProcedures,
  ...leaseProcedures,
  ...connectProcedures,
  ...reviewProcedures,
  ...runProcedures,
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

export type MainHandlers = Partial<Handlers<MainProcedureName>>;
/** Procedures of one domain that the engine answers. */
export type EngineHandlers = Partial<Handlers<EngineProcedureName>>;
