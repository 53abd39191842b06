import { z } from 'zod';
import { cellSchema, groupSchema, listQuerySchema, rowSchema, totalsSchema } from '../rules/query.ts';
import { reasonSchema } from './export.ts';
import {
  done,
  inEngine,
  pageRef,
  recordRef,
  withoutRecords,
  withRecords,
  workspaceRef,
} from './procedure-parts.ts';
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
  changedSyncSchema,
  changeKinds,
  missingSinceSchema,
  narrowResultSchema,
  recordChangeSchema,
  syncStatusSchema,
} from './sync.ts';

/**
 * A record to open. `isLookup`: it is loaded in advance, or for its name on another page, which is not
 * recorded in the audit log. `records:auditOpened` follows if the user opens it.
 */
const openedRef = recordRef.extend({ isLookup: z.boolean().optional() });

/** The first and the last of some positions in a list. */
const placeSchema = z.tuple([z.int().min(0), z.int().min(0)]);
const placesSchema = z.array(placeSchema).min(1).max(5000);

const firstRowsOf = workspaceRef.extend({
  query: listQuerySchema,
  limit: z.int().min(1).max(1000),
  fields: z.array(z.string()).max(200).optional(),
  /**
   * The list is shown with other records, as the claims of a member are: it is not recorded in the audit log as a
   * search.
   */
  isLookup: z.boolean().optional(),
});

/** An employer or a tenant with its counts and sums. */
const organizationSchema = z.object({
  id: z.int(),
  name: z.string().nullable(),
  members: z.int(),
  archivedMembers: z.int(),
  claims: totalsSchema,
});

/** The synced records: lists of them, and each. */
export const recordProcedures = {
  'sync:start': inEngine(workspaceRef, z.object({ syncId: z.string() }), withRecords),
  'sync:cancel': inEngine(workspaceRef, done, withRecords),
  'sync:getStatus': inEngine(workspaceRef, syncStatusSchema, withRecords),
  /** Pauses after the current page; `sync:start` continues, also after the app was closed. */
  'sync:pause': inEngine(workspaceRef, done, withRecords),
  /** Reads only the newest changes, where the service lists the newest records first. The result is not verified. */
  'sync:refresh': inEngine(workspaceRef, z.object({ syncId: z.string() }), withRecords),
  /**
   * Answers the question about many records that are suddenly missing: `accept` marks them as missing, `decline` does
   * not.
   */
  'sync:answerLoss': inEngine(
    workspaceRef.extend({ answer: z.enum(['accept', 'decline']) }),
    done,
    withRecords,
  ),
  /**
   * Reads one member, a carrier connection's claims or a member's claims again. With a member, the claims of the
   * connections in its claims are read and, where the keys are given, those of its vendor.
   */
  'sync:refreshRecord': inEngine(
    workspaceRef.extend({
      what: z.discriminatedUnion('kind', [
        z.object({
          kind: z.literal('member'),
          memberId: z.int(),
          /**
           * The vendor-tenant route needs these (docs/service.md, "Lists and values"); its other parameters
           * are in the member's record.
           */
          employerKey: z.string().min(1).max(200).optional(),
          memberKey: z.string().min(1).max(200).optional(),
          vendorTenantLabel: z.string().min(1).max(200).optional(),
        }),
        z.object({ kind: z.literal('connection'), policyHolderId: z.int() }),
        /** Also reads the other claims of its connection or, where it has none, of its member. */
        z.object({ kind: z.literal('claim'), claimId: z.int() }),
      ]),
    }),
    narrowResultSchema,
    withRecords,
  ),
  /** Lists what a sync changed. No `syncId`: the newest sync that changed anything. */
  'sync:listChanges': inEngine(
    workspaceRef.extend({
      syncId: z.string().max(100).optional(),
      change: z.enum(changeKinds).optional(),
      /**
       * `logged`: as they were recorded, which stays the same while pages are read; else first what concerns the person of
       * the workspace, by the decisions at that moment.
       */
      order: z.literal('logged').optional(),
      ...pageRef.shape,
    }),
    z.object({
      syncId: z.string().nullable(),
      counts: changeCountsSchema,
      /** The number of changes that are recorded individually and are of the requested kind. */
      total: z.int(),
      changes: z.array(recordChangeSchema),
      /** The latest syncs that changed anything, newest first. */
      syncs: z.array(changedSyncSchema),
    }),
    withRecords,
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
    withRecords,
  ),
  /** Makes a list of IDs for one query; its rows are then read by position. */
  'records:open': inEngine(
    workspaceRef.extend({ query: listQuerySchema }),
    z.object({ snapshotId: z.string(), total: z.int(), totals: totalsSchema.nullable() }),
    { ...withRecords, readsFacts: 'byInput' },
  ),
  /** The count and the sums of a query's rows, without a list that stays open. */
  'records:getTotals': inEngine(
    workspaceRef.extend({ query: listQuerySchema.omit({ sort: true }) }),
    z.object({ total: z.int(), totals: totalsSchema.nullable() }),
    { ...withRecords, readsFacts: 'byInput' },
  ),
  /**
   * Opens a list like `records:open`, but returns the first rows as soon as they are found. `total` is null
   * until all IDs are listed; `records:getCount` waits for them, and so does `records:getWindow` for later
   * rows. `isBehind`: facts are still being updated, so the list may be older; `worklists:changed` follows.
   */
  'records:begin': inEngine(
    firstRowsOf,
    z.object({
      snapshotId: z.string(),
      rows: z.array(rowSchema),
      total: z.int().nullable(),
      totals: totalsSchema.nullable(),
      isBehind: z.boolean(),
      /** No record has the words of the search: these have words spelled like them. */
      isSimilar: z.boolean(),
    }),
    { ...withRecords, readsFacts: 'byInput' },
  ),
  /** The first rows of a query. No list is made, unless a search by an identifier has to be recorded with its hits. */
  'records:readFirst': inEngine(firstRowsOf, z.object({ rows: z.array(rowSchema) }), {
    ...withRecords,
    readsFacts: 'byInput',
  }),
  /**
   * Another `snapshotId` is returned where the list does not begin with the first rows, because records were written
   * after these were read: its rows are read again. Under the one that was given, places still mean the first rows.
   */
  'records:getCount': inEngine(
    workspaceRef.extend({ snapshotId: z.string() }),
    z.object({ snapshotId: z.string(), total: z.int(), totals: totalsSchema.nullable() }),
    withRecords,
  ),
  /**
   * Where the records at some places of a list are in another list; those that it does not have are left out. Null for
   * lists of parts of records, whose rows have no ID of their own.
   */
  'records:findRanges': inEngine(
    workspaceRef.extend({ snapshotId: z.string(), places: placesSchema, inSnapshotId: z.string() }),
    z.object({ places: z.array(placeSchema).nullable() }),
    withRecords,
  ),
  /** `isStale`: there are newer data than when the list was made; the positions of rows do not change. */
  'records:getWindow': inEngine(
    workspaceRef.extend({
      snapshotId: z.string(),
      ...pageRef.shape,
      fields: z.array(z.string()).max(200).optional(),
    }),
    z.object({ rows: z.array(rowSchema), isStale: z.boolean() }),
    withRecords,
  ),
  /**
   * Rows as tab-separated text for the clipboard, with SSNs masked and formulas guarded. The copy is recorded in the
   * audit log before the text is returned. `places` are ranges of positions in the list, both ends included.
   */
  'records:copy': inEngine(
    workspaceRef.extend({
      snapshotId: z.string(),
      places: placesSchema,
      fields: z.array(z.string().max(80)).min(1).max(200),
      /** Required for more rows than `copiedWithoutReason` where the columns name people. */
      reason: reasonSchema,
    }),
    z.object({ text: z.string(), rows: z.int() }),
    { ...withRecords, readsFacts: 'byInput' },
  ),
  /**
   * Groups a list by a column, by the month of service, or by what a claim's members are linked to (`members.id`,
   * `members.employer.id`, `members.tenant.id`; a claim of two members is in both groups). `total` counts all groups.
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
    { ...withRecords, readsFacts: 'byInput' },
  ),
  /**
   * The values of a column that contain `search`, with the number of rows of each. `within`: counts only rows of a
   * list, with its search and its conditions on other columns. A newer call for the same column ends this one, which
   * then fails with `snapshot.expired`.
   */
  'records:listValues': inEngine(
    workspaceRef.extend({
      entity: listQuerySchema.shape.entity,
      field: z.string().max(80),
      search: z.string().max(200).optional(),
      within: listQuerySchema.omit({ entity: true, sort: true }).optional(),
      /** The order is by value where it is absent; `count`: the most frequent first. */
      order: z.enum(['value', 'count']).optional(),
      limit: z.int().min(1).max(1000).optional(),
    }),
    z.object({
      values: z.array(z.object({ value: cellSchema, count: z.int() })),
      /** Number of all values that contain `search`. */
      total: z.int(),
    }),
    { ...withRecords, readsFacts: 'byInput' },
  ),
  /**
   * Employers by the service's ID, with the name that was received last, their members and the claims linked to them.
   */
  'records:listEmployers': inEngine(
    workspaceRef,
    z.object({
      employers: z.array(organizationSchema),
    }),
    withRecords,
  ),
  /** Tenants, as in `records:listEmployers`, with the number of employers that have members under each. */
  'records:listTenants': inEngine(
    workspaceRef,
    z.object({
      tenants: z.array(organizationSchema.extend({ employers: z.int() })),
    }),
    withRecords,
  ),
  /** An employer as last received in a member's record, and the tenants of its members. */
  'records:getEmployer': inEngine(
    recordRef,
    z.object({
      employer: employerSchema,
      tenants: z.array(z.object({ id: z.int(), name: z.string().nullable() })),
      unknownFields: z.array(z.string()),
    }),
    withRecords,
  ),
  /** A tenant as last received in a member's record, and the employers of its members. */
  'records:getTenant': inEngine(
    recordRef,
    z.object({
      tenant: tenantSchema,
      employers: z.array(z.object({ id: z.int(), name: z.string().nullable(), members: z.int() })),
      unknownFields: z.array(z.string()),
    }),
    withRecords,
  ),
  'records:close': inEngine(workspaceRef.extend({ snapshotId: z.string() }), done, withRecords),
  /**
   * A record that was loaded in advance is now shown: recorded in the audit log, as the three procedures below do, once
   * a day.
   */
  'records:auditOpened': inEngine(
    recordRef.extend({ list: z.enum(['members', 'dependents', 'claims']) }),
    done,
    withRecords,
  ),
  /** Records in the audit log that a claim file is printed; called before printing. */
  'records:auditPrinted': inEngine(recordRef, done, withRecords),
  /** A member with dependents, SSNs masked, and the claims linked to it; `unknownFields` are paths. */
  'records:getMember': inEngine(
    openedRef,
    z.object({
      member: memberSchema,
      setAside: z.array(setAsideItemSchema),
      unknownFields: z.array(z.string()),
      /** Null: the service still returns it. */
      missing: missingSinceSchema.nullable(),
    }),
    withRecords,
  ),
  'records:getDependent': inEngine(
    openedRef,
    z.object({
      dependent: dependentSchema,
      memberId: z.int(),
      unknownFields: z.array(z.string()),
      /** `missing` of the member, since a dependent is a part of its record. */
      missing: missingSinceSchema.nullable(),
    }),
    withRecords,
  ),
  /** One full SSN, recorded in the audit log before it is returned; null where the service sent none. */
  'records:revealSsn': inEngine(
    recordRef.extend({ entity: z.enum(['members', 'dependents']) }),
    z.object({ ssn: z.string().nullable() }),
    withoutRecords,
  ),
  /**
   * A claim with every field and its lines, as the service sent it; items of its lists that are no lines or members are
   * in `setAside`.
   */
  'records:getClaim': inEngine(
    openedRef,
    z.object({
      claim: claimSchema,
      setAside: z.array(setAsideItemSchema),
      /** The carrier of the claim's connection, null where that was never read; no part of the record. */
      carrier: z.string().nullable(),
      unknownFields: z.array(z.string()),
      missing: missingSinceSchema.nullable(),
    }),
    withRecords,
  ),
  /** Lists what the service sent as records but could not be read as such, with the reason. */
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
    withRecords,
  ),
  /**
   * Fields of claims or lines that the service has sent and that have no column, in the form in which files can have
   * them.
   */
  'records:listUnknownFields': inEngine(
    workspaceRef.extend({ list: z.enum(['claims', 'lines']) }),
    z.object({ fields: z.array(z.string()) }),
    withRecords,
  ),
} as const;
