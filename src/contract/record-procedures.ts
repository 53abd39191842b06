import { z } from 'zod';
import { done, inEngine, pageRef, recordRef, workspaceRef } from './procedure-parts.ts';
import { cellSchema, groupSchema, listQuerySchema, rowSchema, totalsSchema } from './query.ts';
import {
  claimSchema,
  dependentSchema,
  employerSchema,
  memberSchema,
  setAsideItemSchema,
  tenantSchema,
} from './records.ts';
import {
  changeCountsSchema,
  changedRunSchema,
  changeKinds,
  missingMarkSchema,
  narrowResultSchema,
  recordChangeSchema,
  syncStatusSchema,
} from './sync.ts';

/** `isLookup`: read ahead of being opened, or for its name on another page; `records:noteOpened` follows if it is opened. */
const openedRef = recordRef.extend({ isLookup: z.boolean().optional() });

/** Syncs, and the records that they brought. */
export const recordProcedures = {
  'sync:start': inEngine(workspaceRef, z.object({ runId: z.string() })),
  'sync:cancel': inEngine(workspaceRef, done),
  'sync:getStatus': inEngine(workspaceRef, syncStatusSchema),
  /** Stops between two pages; `sync:start` continues, also after the app was closed. */
  'sync:pause': inEngine(workspaceRef, done),
  /** Reads what came since, where the newest come first. Proves nothing. */
  'sync:refresh': inEngine(workspaceRef, z.object({ runId: z.string() })),
  /** Answers the question that a sudden loss asks: `accept` marks what is missing, `decline` marks nothing. */
  'sync:answerLoss': inEngine(workspaceRef.extend({ answer: z.enum(['accept', 'decline']) }), done),
  /**
   * Reads one member, a carrier connection's claims or a member's claims again. A member comes with the claims
   * of the connections its claims name, and through its vendor where the keys are given.
   */
  'sync:refreshRecord': inEngine(
    workspaceRef.extend({
      what: z.discriminatedUnion('kind', [
        z.object({
          kind: z.literal('member'),
          memberId: z.int(),
          /** Of the vendor-tenant route (docs/service.md, "Lists and values"); the others are known from the member's record. */
          employerKey: z.string().min(1).max(200).optional(),
          memberKey: z.string().min(1).max(200).optional(),
          vendorTenantLabel: z.string().min(1).max(200).optional(),
        }),
        z.object({ kind: z.literal('connection'), policyHolderId: z.int() }),
        /** With it come the other claims of its connection or, where it names none, of its member. */
        z.object({ kind: z.literal('claim'), claimId: z.int() }),
      ]),
    }),
    narrowResultSchema,
  ),
  /** What a sync changed: the newest one that changed anything, unless `runId` names another. */
  'sync:listChanges': inEngine(
    workspaceRef.extend({
      runId: z.string().max(100).optional(),
      change: z.enum(changeKinds).optional(),
      ...pageRef.shape,
    }),
    z.object({
      runId: z.string().nullable(),
      counts: changeCountsSchema,
      /** Of those recorded singly, and of the wanted kind. */
      total: z.int(),
      changes: z.array(recordChangeSchema),
      /** The last syncs that changed anything, newest first. */
      runs: z.array(changedRunSchema),
    }),
  ),

  'records:getSummary': inEngine(
    workspaceRef,
    z.object({
      members: z.int(),
      archivedMembers: z.int(),
      dependents: z.int(),
      claims: z.int(),
      lines: z.int(),
      setAside: z.int(),
    }),
  ),
  /** Makes a list of ids once, for one filter and sort; rows are then asked for by position. */
  'records:open': inEngine(
    workspaceRef.extend({ query: listQuerySchema }),
    z.object({ snapshotId: z.string(), total: z.int(), totals: totalsSchema.nullable() }),
  ),
  /**
   * The same, answered with the first rows as soon as they are found. `total` is null while the list of ids is
   * still being made; `records:getCount` then waits for it, and so does a window further down.
   */
  'records:begin': inEngine(
    workspaceRef.extend({
      query: listQuerySchema,
      limit: z.int().min(1).max(1000),
      fields: z.array(z.string()).max(200).optional(),
      /** Beside other records: a member whose claims these are was not opened, and nobody was looked for by `id`. */
      isLookup: z.boolean().optional(),
    }),
    z.object({
      snapshotId: z.string(),
      rows: z.array(rowSchema),
      total: z.int().nullable(),
      totals: totalsSchema.nullable(),
    }),
  ),
  /** `isOutdated`: a sync wrote between the first rows and the list of ids; ask for the rows again. */
  'records:getCount': inEngine(
    workspaceRef.extend({ snapshotId: z.string() }),
    z.object({ total: z.int(), totals: totalsSchema.nullable(), isOutdated: z.boolean() }),
  ),
  /** `isStale`: newer data exist than when the list was made; the rows keep their places. */
  'records:getWindow': inEngine(
    workspaceRef.extend({
      snapshotId: z.string(),
      ...pageRef.shape,
      fields: z.array(z.string()).max(200).optional(),
    }),
    z.object({ rows: z.array(rowSchema), isStale: z.boolean() }),
  ),
  /**
   * Rows as tab-separated text for the clipboard: SSNs masked, texts that a spreadsheet would run guarded. It
   * goes into the audit log before it is answered. `places` are ranges of the snapshot, both ends included.
   */
  'records:copy': inEngine(
    workspaceRef.extend({
      snapshotId: z.string(),
      places: z
        .array(z.tuple([z.int().min(0), z.int().min(0)]))
        .min(1)
        .max(5000),
      fields: z.array(z.string().max(80)).min(1).max(200),
    }),
    z.object({ text: z.string(), rows: z.int() }),
  ),
  /**
   * Groups a list by a column, the month of service, or what a claim's members are linked to (`members.id`,
   * `members.employer.id`, `members.tenant.id`; a claim of two members is in both groups). `total` counts all
   * groups.
   */
  'records:group': inEngine(
    workspaceRef.extend({
      query: listQuerySchema.omit({ sort: true }),
      by: z.string().max(80),
      order: z.enum(['value', 'count', 'billed', 'allowed', 'paid', 'patientResponsibility']).optional(),
      direction: z.enum(['asc', 'desc']).optional(),
      offset: z.int().min(0).optional(),
      limit: z.int().min(1).max(1000).optional(),
    }),
    z.object({ groups: z.array(groupSchema), total: z.int() }),
  ),
  /**
   * The values that a column has, with how many rows have each; those that contain `search`. `within` counts in a
   * list: its search and its conditions on other columns. A newer call for the same column ends the one before, which
   * fails with `snapshot.expired`.
   */
  'records:listValues': inEngine(
    workspaceRef.extend({
      entity: listQuerySchema.shape.entity,
      field: z.string().max(80),
      search: z.string().max(200).optional(),
      within: listQuerySchema.omit({ entity: true, sort: true }).optional(),
      /** By value unless said; by count, the commonest first. */
      order: z.enum(['value', 'count']).optional(),
      limit: z.int().min(1).max(1000).optional(),
    }),
    z.object({
      values: z.array(z.object({ value: cellSchema, count: z.int() })),
      /** Of all that contain it. */
      total: z.int(),
    }),
  ),
  /** Employers by the service's id, named as last seen, with their members and what claims name them. */
  'records:listEmployers': inEngine(
    workspaceRef,
    z.object({
      employers: z.array(
        z.object({
          id: z.int(),
          name: z.string().nullable(),
          members: z.int(),
          archivedMembers: z.int(),
          claims: totalsSchema,
        }),
      ),
    }),
  ),
  /** Tenants the same way, with how many employers have members under each. */
  'records:listTenants': inEngine(
    workspaceRef,
    z.object({
      tenants: z.array(
        z.object({
          id: z.int(),
          name: z.string().nullable(),
          employers: z.int(),
          members: z.int(),
          archivedMembers: z.int(),
          claims: totalsSchema,
        }),
      ),
    }),
  ),
  /** An employer as its members' records last had it, and the tenants of those members. */
  'records:getEmployer': inEngine(
    recordRef,
    z.object({
      employer: employerSchema,
      tenants: z.array(z.object({ id: z.int(), name: z.string().nullable() })),
      unknownFields: z.array(z.string()),
    }),
  ),
  /** A tenant as its members' records last had it, and the employers of those members. */
  'records:getTenant': inEngine(
    recordRef,
    z.object({
      tenant: tenantSchema,
      employers: z.array(z.object({ id: z.int(), name: z.string().nullable(), members: z.int() })),
      unknownFields: z.array(z.string()),
    }),
  ),
  'records:close': inEngine(workspaceRef.extend({ snapshotId: z.string() }), done),
  /** A record that was fetched ahead is on screen: written down once a day, as the three below do themselves. */
  'records:noteOpened': inEngine(
    recordRef.extend({ list: z.enum(['members', 'dependents', 'claims']) }),
    done,
  ),
  /** A claim file is about to be printed: written down before it is. */
  'records:notePrinted': inEngine(recordRef, done),
  /** A member with dependents, the SSNs masked; what claims link to it; `unknownFields` are paths. */
  'records:getMember': inEngine(
    openedRef,
    z.object({
      member: memberSchema,
      setAside: z.array(setAsideItemSchema),
      unknownFields: z.array(z.string()),
      /** null: the service returns it. */
      missing: missingMarkSchema.nullable(),
    }),
  ),
  'records:getDependent': inEngine(
    openedRef,
    z.object({
      dependent: dependentSchema,
      memberId: z.int(),
      unknownFields: z.array(z.string()),
      /** Of the member, with whom a dependent comes. */
      missing: missingMarkSchema.nullable(),
    }),
  ),
  /** One whole SSN, written down before it is answered; null where the service sent none. */
  'records:revealSsn': inEngine(
    recordRef.extend({ entity: z.enum(['members', 'dependents']) }),
    z.object({ ssn: z.string().nullable() }),
  ),
  /** A claim with every field and its lines, as the service sent it; what is no line or member is in `setAside`. */
  'records:getClaim': inEngine(
    openedRef,
    z.object({
      claim: claimSchema,
      setAside: z.array(setAsideItemSchema),
      /** Of the claim's connection, where it was read; no part of the record. */
      carrier: z.string().nullable(),
      unknownFields: z.array(z.string()),
      missing: missingMarkSchema.nullable(),
    }),
  ),
  /** Records that could not be kept as what they should be, with the reason. */
  'records:listSetAside': inEngine(
    workspaceRef,
    z.object({
      items: z.array(
        z.object({
          kind: z.string(),
          reason: z.string(),
          recordId: z.string().nullable(),
          seenAt: z.string(),
        }),
      ),
    }),
  ),
  /** The fields of claims or lines that came so far and that no column has, as a file can have them. */
  'records:listUnknownFields': inEngine(
    workspaceRef.extend({ list: z.enum(['claims', 'lines']) }),
    z.object({ fields: z.array(z.string()) }),
  ),
} as const;
