import { z } from 'zod';
import { appInfoSchema } from './app-info.ts';
import { auditEntrySchema, auditFilterSchema, auditFindings, auditVerdictSchema } from './audit.ts';
import { connectProcedures } from './connect-procedures.ts';
import { doctorResultSchema } from './doctor.ts';
import { exportRequestSchema, printedListSchema } from './export.ts';
import { keyProcedures } from './key-procedures.ts';
import { lockProcedures } from './lock-procedures.ts';
import { done, keyRef, nothing, workspaceRef } from './procedure-parts.ts';
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
import { worklistProcedures } from './worklists.ts';
import { tokenHeaderSchema, tokenSchemeSchema, workspaceColors, workspaceSchema } from './workspace.ts';

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

  /** Says in plain words why a connection does not work and what to do; takes at most five seconds. */
  'doctor:run': { answeredBy: 'main', input: workspaceRef, output: doctorResultSchema },

  /** Asks where to save. The path stays with main and the engine; the window gets a name for it, good for one purpose. */
  'files:chooseSaveTarget': {
    answeredBy: 'main',
    input: saveTargetRequestSchema,
    output: z.object({ targetId: z.string(), displayPath: z.string() }).nullable(),
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
  /** A list is about to be printed: written down before it is. */
  'export:notePrinted': {
    answeredBy: 'engine',
    input: printedListSchema,
    output: done,
  },
  'export:cancel': { answeredBy: 'engine', input: z.object({ exportId: z.string() }), output: done },

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
