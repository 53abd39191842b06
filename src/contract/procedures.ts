import { z } from 'zod';
import { appInfoSchema } from './app-info.ts';
import { auditEntrySchema, auditFilterSchema, auditFindings, auditVerdictSchema } from './audit.ts';
import { connectProcedures } from './connect-procedures.ts';
import { doctorResultSchema } from './doctor.ts';
import { exportRequestSchema, printedListSchema } from './export.ts';
import { keyProcedures } from './key-procedures.ts';
import { lockProcedures } from './lock-procedures.ts';
import { done, inEngine, inMain, keyRef, nothing, pageRef, workspaceRef } from './procedure-parts.ts';
import { recordProcedures } from './record-procedures.ts';
import { reviewProcedures } from './review-procedures.ts';
import { saveTargetRequestSchema } from './save-target.ts';
import { settingsSchema } from './settings.ts';
import {
  removalCountsSchema,
  removalSchema,
  repairReportSchema,
  savedViewSchema,
  storeCheckSchema,
  storeFiles,
  storeStateSchema,
} from './store.ts';
import { viewContentSchema } from './views.ts';
import { worklistProcedures } from './worklist-counts.ts';
import { tokenHeaderSchema, tokenSchemeSchema, workspaceColors, workspaceSchema } from './workspace.ts';

/**
 * Everything the window can ask for: name → input, output, and which process answers. Each input is parsed
 * where it is answered. There is no procedure that yields a private key, a token or a database key, runs SQL,
 * or calls an address of the caller's choice.
 */
export const procedures = {
  'app:getInfo': inMain(nothing, appInfoSchema),
  'settings:get': inMain(nothing, settingsSchema),
  'settings:set': inMain(settingsSchema.partial(), settingsSchema),

  'workspaces:list': inMain(
    nothing,
    z.object({ workspaces: z.array(workspaceSchema), activeId: z.string().nullable() }),
  ),
  'workspaces:add': inMain(
    z.object({
      baseUrl: z.string().max(2000),
      email: z.string().max(320),
      name: z.string().min(1).max(80).optional(),
      color: z.enum(workspaceColors).optional(),
    }),
    workspaceSchema,
  ),
  'workspaces:activate': inMain(workspaceRef, workspaceSchema),
  /** Changes what is given. `header` is the header of the token, `scheme` the word before it. */
  'workspaces:update': inMain(
    workspaceRef.extend({
      name: z.string().min(1).max(80).optional(),
      color: z.enum(workspaceColors).optional(),
      header: tokenHeaderSchema.optional(),
      scheme: tokenSchemeSchema.optional(),
    }),
    workspaceSchema,
  ),
  /** Signs by a clock of the service that is so far from this computer's, for a day; a person confirms it outside the page. */
  'workspaces:acceptClock': inMain(workspaceRef.extend({ offsetSeconds: z.int() }), workspaceSchema),
  /**
   * Removes a workspace with everything of it: records, their key, a rotation. Its SSH key stays, unless
   * `alsoRemovesKeys` and no other workspace signs with it; the last working key only with its name typed.
   */
  'workspaces:remove': inMain(
    workspaceRef.extend({
      alsoRemovesKeys: z.boolean().optional(),
      typedKeyName: z.string().max(200).optional(),
    }),
    done.extend({ removedKeyIds: z.array(z.string()) }),
  ),

  /** Starts the sample service as a child and makes the sample workspace, its key registered. */
  'sample:open': inMain(nothing, workspaceSchema),
  /** Stops or restarts the sample service, to see the app offline. */
  'sample:setServiceRunning': inMain(
    z.object({ isRunning: z.boolean() }),
    z.object({ isRunning: z.boolean() }),
  ),
  'sample:getState': inMain(nothing, z.object({ isOpen: z.boolean(), isRunning: z.boolean() })),
  /** A day passes at the sample service: the next sync has news. */
  'sample:nextDay': inMain(nothing, done),
  /** Puts a public key into the sample's page for SSH keys, as a person would at a real service. */
  'sample:registerKey': inMain(keyRef, done),
  'sample:close': inMain(nothing, done),

  /** Says in plain words why a connection does not work and what to do; takes at most five seconds. */
  'doctor:run': inMain(workspaceRef, doctorResultSchema),

  /** Asks where to save. The path stays with main and the engine; the window gets a name for it, good for one purpose. */
  'files:chooseSaveTarget': inMain(
    saveTargetRequestSchema,
    z.object({ targetId: z.string(), displayPath: z.string() }).nullable(),
  ),

  /** The files of a workspace and of what people wrote: size, last check, backups, damaged files that repairs kept. */
  'store:getState': inEngine(workspaceRef, storeStateSchema),
  /** Checks the files while they are used; full: each record read whole as well. `connect`: what Connect stores. */
  'store:check': inEngine(
    workspaceRef.extend({ isFull: z.boolean() }),
    z.object({
      records: storeCheckSchema.nullable(),
      userData: storeCheckSchema.nullable(),
      connect: storeCheckSchema.nullable(),
    }),
  ),
  /** Tries the steps of a repair in their order. Without `mayLose`, only steps that lose nothing. */
  'store:repair': inEngine(
    workspaceRef.extend({ file: z.enum(storeFiles), mayLose: z.boolean() }),
    repairReportSchema,
  ),
  /** Deletes the damaged files that repairs kept. */
  'store:removeKeptAside': inEngine(workspaceRef, done.extend({ files: z.int() })),
  /** What a removal would take. Changes nothing. */
  'data:planRemoval': inEngine(workspaceRef.extend({ removal: removalSchema }), removalCountsSchema),
  /** Removes for good. `typed` is the date or the member's id once more. A sync does not bring it back. */
  'data:remove': inEngine(
    workspaceRef.extend({ removal: removalSchema, typed: z.string().max(200) }),
    removalCountsSchema,
  ),
  /** Lifts what removals left behind: the next sync brings back what the service still has. */
  'data:liftRetention': inEngine(workspaceRef, done),
  /** Destroys every secret and file of this profile. `typed` is the words `remove everything`. */
  'data:removeEverything': inMain(z.object({ typed: z.string().max(200) }), done),

  'views:list': inEngine(workspaceRef, z.object({ views: z.array(savedViewSchema) })),
  'views:save': inEngine(
    workspaceRef.extend({
      id: z.string().max(60).optional(),
      name: z.string().min(1).max(120),
      query: z.string().max(50_000),
    }),
    savedViewSchema,
  ),
  /** Writes a view as a file that names nobody: `leftOut` counts the filters that could. */
  'views:export': inEngine(
    workspaceRef.extend({
      name: z.string().min(1).max(120),
      content: viewContentSchema,
      targetId: z.string(),
    }),
    z.object({ leftOut: z.int() }),
  ),
  'views:remove': inEngine(workspaceRef.extend({ id: z.string() }), done),

  /** Newest first. */
  'audit:list': inEngine(
    z.object({
      ...pageRef.shape,
      filter: auditFilterSchema.optional(),
    }),
    z.object({ entries: z.array(auditEntrySchema), total: z.int() }),
  ),
  'audit:verify': inEngine(nothing, auditVerdictSchema),
  /**
   * Accepts the log as it is, which is written down with what was found: after a restore or a loss. `reason` and
   * `firstBad` are what the person was shown. Answers with the verdict from there on.
   */
  'audit:accept': inEngine(
    z.object({ reason: z.enum(auditFindings), firstBad: z.int() }),
    auditVerdictSchema,
  ),
  /** Writes every entry as a line of JSON, oldest first, with the hashes of the chain. */
  'audit:export': inEngine(
    z.object({ targetId: z.string() }),
    z.object({ entries: z.int(), sha256: z.string() }),
  ),

  'export:start': inEngine(exportRequestSchema, z.object({ exportId: z.string() })),
  /** A list is about to be printed: written down before it is. */
  'export:notePrinted': inEngine(printedListSchema, done),
  'export:cancel': inEngine(z.object({ exportId: z.string() }), done),

  ...keyProcedures,
  ...lockProcedures,
  ...recordProcedures,
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
