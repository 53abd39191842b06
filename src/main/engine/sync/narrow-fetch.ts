import type { ParsedInput } from '../../../contract/procedures.ts';
import type { ClaimRecord, MemberRecord } from '../../../contract/records.ts';
import type { NarrowResult } from '../../../contract/sync.ts';
import type { Clock } from '../../lib/clock.ts';
import { DeskError } from '../../lib/errors.ts';
import type { DataApi, PageReply } from '../service/data-api.ts';
import type { PageSizes } from '../service/page-sizes.ts';
import { toServiceTime } from '../service/service-clock.ts';
import type { ListKind } from '../store/record/list-kind.ts';
import type { Store } from '../store/threads/store.ts';
import { askInSizes, type PagePosition } from './ask-in-sizes.ts';
import { isLastPage } from './pass-rules.ts';

export type NarrowTarget = ParsedInput<'sync:refreshRecord'>['what'];

/** The most pages that are read of one narrow list, in case the service never ends it. */
const maxNarrowPages = 100;

export interface NarrowOptions {
  readonly store: Store;
  readonly api: DataApi;
  readonly pageSizes: PageSizes;
  readonly clock: Clock;
  readonly syncId: string;
  readonly signal: AbortSignal;
}

interface VendorKeys {
  readonly vendorTenantLabel: string;
  readonly employerKey: string;
  readonly memberKey: string;
}

/**
 * Finds the keys of a member at the vendor: the user enters the employer's key; the member's key and the label come
 * from `vendor_members` where the service sent them (docs/service.md, "Lists and values"). Empty where no key was
 * entered.
 * @throws DeskError `sync.placeUnknown`, `details.missing` lists what must be entered as well
 */
export function findVendorKeys(
  member: MemberRecord,
  typed: {
    employerKey?: string | undefined;
    memberKey?: string | undefined;
    vendorTenantLabel?: string | undefined;
  },
): VendorKeys[] {
  const { employerKey } = typed;
  if (employerKey === undefined) {
    if (typed.memberKey === undefined && typed.vendorTenantLabel === undefined) return [];
    throw new DeskError('sync.placeUnknown', { details: { missing: 'employer key' } });
  }
  const vendorKeys = (member.vendor_members ?? []).map((vendor) => ({
    memberKey: vendor.key ?? null,
    vendorTenantLabel: vendor.vendor_tenant?.label ?? null,
  }));
  const label = typed.vendorTenantLabel;
  const fitting = vendorKeys.filter((keys) => label === undefined || keys.vendorTenantLabel === label);
  const candidates = fitting.length > 0 ? fitting : [{ memberKey: null, vendorTenantLabel: label ?? null }];
  const allKeys = candidates.flatMap((candidate) => {
    const memberKey = typed.memberKey ?? candidate.memberKey;
    const { vendorTenantLabel } = candidate;
    return memberKey === null || vendorTenantLabel === null
      ? []
      : [{ employerKey, memberKey, vendorTenantLabel }];
  });
  if (allKeys.length > 0) return allKeys;
  const isLabelMissing = candidates.every((candidate) => candidate.vendorTenantLabel === null);
  throw new DeskError('sync.placeUnknown', {
    details: { missing: isLabelMissing ? 'vendor tenant label' : 'member key' },
  });
}

/**
 * Reads one member, or the claims of one connection, member or claim, again. Nothing is marked missing, because a
 * narrow list does not show that a record is missing. Routes that ignore `page` and `per_page` are read once
 * (docs/service.md, "Lists and values").
 * @throws DeskError `record.unknown`, `sync.placeUnknown`, `service.*`, `sync.canceled`
 */
export async function fetchNarrow(target: NarrowTarget, options: NarrowOptions): Promise<NarrowResult> {
  const { store, api, signal } = options;
  if (target.kind === 'claim') return fetchNarrow(await findClaimTarget(target.claimId, store), options);
  const result = { syncId: options.syncId, records: 0, added: 0, changed: 0, requests: 0, requestId: null };
  if (target.kind === 'connection') {
    return readList(result, options, ({ page, perPage }) =>
      api.readPolicyHolderClaimPage(target.policyHolderId, page, perPage, signal),
    );
  }
  const [text] = await store.read('readRecords', {
    entity: 'members',
    keys: [target.memberId],
    isSsnShown: false,
  });
  if (text == null) throw new DeskError('record.unknown');
  const member = JSON.parse(text) as MemberRecord;
  const allKeys = findVendorKeys(member, target);
  const reply = await fetchMember(member, options);
  let sum: NarrowResult = await keep(result, options, 'members', reply, 1).then(({ sum }) => sum);
  for (const id of await store.read('listConnectionsOf', { memberId: target.memberId })) {
    sum = await readList(sum, options, ({ page, perPage }) =>
      api.readPolicyHolderClaimPage(id, page, perPage, signal),
    );
  }
  for (const keys of allKeys) {
    sum = await readList(sum, options, ({ page, perPage }) =>
      api.readVendorClaimPage(keys, page, perPage, signal),
    );
  }
  return sum;
}

/** Finds what to read to refresh one claim: the service has no route for a single claim. */
async function findClaimTarget(claimId: number, store: Store): Promise<NarrowTarget> {
  const [text] = await store.read('readRecords', { entity: 'claims', keys: [claimId], isSsnShown: false });
  if (text == null) throw new DeskError('record.unknown');
  const { policy_holder: holder, members } = JSON.parse(text) as ClaimRecord;
  if (typeof holder?.id === 'number') return { kind: 'connection', policyHolderId: holder.id };
  const memberId = members?.find((member) => typeof member?.id === 'number')?.id;
  if (typeof memberId !== 'number')
    throw new DeskError('sync.placeUnknown', { details: { missing: 'member ID' } });
  return { kind: 'member', memberId };
}

/** Reads a member by the employer's `employer_id`, and by its `id` where a service means that one. */
async function fetchMember(member: MemberRecord, { api, signal }: NarrowOptions): Promise<PageReply> {
  const { employer } = member;
  const ids = [...new Set([employer?.employer_id, employer?.id])].filter((id) => typeof id === 'number');
  const [first, second] = ids;
  if (first === undefined) throw new DeskError('sync.placeUnknown', { details: { missing: 'employer ID' } });
  try {
    return await api.readMember(first, member.id, signal);
  } catch (thrown) {
    const isElsewhere = thrown instanceof DeskError && thrown.code === 'service.notFound';
    if (second === undefined || !isElsewhere) throw thrown;
    return api.readMember(second, member.id, signal);
  }
}

/** Writes a page that was read outside of a full sync. */
export const writeSinglePage = (
  { store, api, clock, syncId }: NarrowOptions,
  kind: ListKind,
  { body, requestId }: PageReply,
  page: number,
) =>
  store.write(
    'ingestPage',
    {
      kind,
      body,
      pass: 0,
      page,
      requestId,
      isPartOfPass: false,
      seenAt: new Date(clock.now()).toISOString(),
      readAt: toServiceTime(api.serviceClock, clock.now()),
      changes: { syncId, keepsNew: true },
    },
    [body.buffer],
  );

async function keep(
  sum: NarrowResult,
  options: NarrowOptions,
  kind: ListKind,
  reply: PageReply,
  page: number,
) {
  const outcome = await writeSinglePage(options, kind, reply, page);
  return {
    outcome,
    sum: {
      ...sum,
      records: sum.records + outcome.records,
      added: sum.added + outcome.added,
      changed: sum.changed + outcome.changed,
      requests: sum.requests + 1,
      requestId: reply.requestId,
    },
  };
}

async function readList(
  begun: NarrowResult,
  options: NarrowOptions,
  fetchPage: (position: PagePosition) => Promise<PageReply>,
): Promise<NarrowResult> {
  let sum = begun;
  let before = Buffer.alloc(0);
  let perPage = options.pageSizes.known;
  for (let page = 1; page <= maxNarrowPages; page += 1) {
    const asked = await askInSizes({ page, perPage }, options, fetchPage);
    ({ page, perPage } = asked);
    const { reply } = asked;
    const body = Buffer.from(reply.body);
    // The same bytes again, or another page number than requested: the service ignores `page` and sent everything at
    // once.
    if (before.equals(body)) return sum;
    const kept = await keep(sum, options, 'claims', reply, page);
    sum = kept.sum;
    before = body;
    const { outcome } = kept;
    if (outcome.page !== null && outcome.page !== page) return sum;
    if (isLastPage({ ...outcome, page, perPage: outcome.perPage ?? perPage, pages: outcome.pages }))
      return sum;
  }
  return sum;
}
