import { memberIndex, policyHolderOf } from '../data/ids.ts';
import { vendorKeyOf } from '../data/members.ts';
import type { World } from '../data/world.ts';
import { ApiError } from '../http/api-error.ts';
import type { Paging } from '../http/paging.ts';
import { envelopeOf } from '../http/paging.ts';
import type { Claim } from '../schemas/claim.ts';
import type { Member } from '../schemas/member.ts';
import { idTextSchema } from '../schemas/path.ts';
import type { Envelope } from '../schemas/reply.ts';

/**
 * A list reply before it is written. Each record is made when it is written, so that a page of a thousand is never in
 * memory as objects.
 */
export type ListReply = Envelope & { data: Iterable<Claim | Member> };

/** Parameters by their documented names; an endpoint uses only those in its path. */
export type PathParameters = Readonly<
  Record<
    'vendor_tenant_label' | 'employer_key' | 'member_key' | 'policy_holder_id' | 'employer_id' | 'member_id',
    string
  >
>;

const NO_SUCH_RECORD = 'No such record';

/** `GET /claims`. docs/service.md, "Data API". */
export function listClaims(world: World, paging: Paging): ListReply {
  const indices = world.claims.slice((paging.page - 1) * paging.perPage, paging.perPage);
  return {
    data: eachOf(indices, (index) => world.claimAt(index)),
    ...envelopeOf(paging, world.claims.length),
  };
}

/** `GET /member`: the member list of the account (docs/service.md, "Lists and values"). */
export function listMembers(world: World, paging: Paging): ListReply {
  const indices = world.members.slice((paging.page - 1) * paging.perPage, paging.perPage);
  return {
    data: eachOf(indices, (index) => world.memberAt(index)),
    ...envelopeOf(paging, world.members.length),
  };
}

/**
 * `GET /policy_holder/{id}/claims`.
 *
 * @throws ApiError 404 for an unknown or malformed id
 */
export function listPolicyHolderClaims(
  world: World,
  paging: Paging,
  { policy_holder_id }: PathParameters,
): ListReply {
  const id = readId(policy_holder_id);
  if (world.newConnections.has(id)) return pageOf(world, world.claimsOfNewConnection(id), paging);
  const { member, connection } = policyHolderOf(id);
  if (member < 0 || member >= world.options.members) throw new ApiError(404, NO_SUCH_RECORD);
  return pageOf(world, world.claimsOfConnection(member, connection), paging);
}

/**
 * `GET /vendor-tenant/{label}/employer/{key}/member/{key}/claims`.
 *
 * @throws ApiError 404 when the three do not belong together
 */
export function listVendorMemberClaims(
  world: World,
  paging: Paging,
  { vendor_tenant_label: label, employer_key: employerKey, member_key: memberKey }: PathParameters,
): ListReply {
  const employer = [...world.employers, ...world.createdEmployers].find(
    (record) => record.employerKey === employerKey && record.vendorTenantLabel === label,
  );
  const newcomer = employer === undefined ? -1 : world.newcomerWithKey(employer, memberKey);
  if (newcomer !== -1) return pageOf(world, world.claimsOfMember(newcomer), paging);
  const index = /^00\d{6,}$/.test(memberKey) ? Number(memberKey) - 1 : -1;
  const { seed, members } = world.options;
  const isKnown =
    employer !== undefined &&
    index >= 0 &&
    index < members &&
    vendorKeyOf(seed, index) === memberKey &&
    world.employerOfMember(index) === employer;
  if (!isKnown) throw new ApiError(404, NO_SUCH_RECORD);
  return pageOf(world, world.claimsOfMember(index), paging);
}

/**
 * `GET /employer/{employer_id}/member/{member_id}`.
 *
 * @throws ApiError 404 for an unknown or malformed id, and for a member of another employer
 */
export function getMember(world: World, { employer_id, member_id }: PathParameters): { data: Member } {
  const employer = world.findEmployer(readId(employer_id));
  const index = memberIndex(readId(member_id));
  const isThere =
    employer !== undefined && world.members.has(index) && world.employerOfMember(index) === employer;
  if (!isThere) throw new ApiError(404, NO_SUCH_RECORD);
  return { data: world.memberAt(index) };
}

function pageOf(world: World, indices: readonly number[], paging: Paging): ListReply {
  const from = (paging.page - 1) * paging.perPage;
  const page = indices.slice(from, from + paging.perPage);
  return { data: eachOf(page, (index) => world.claimAt(index)), ...envelopeOf(paging, indices.length) };
}

function* eachOf<T>(indices: readonly number[], make: (index: number) => T): Generator<T> {
  for (const index of indices) yield make(index);
}

/** Reads a path parameter; a malformed one is 404. docs/service.md, "Errors". */
function readId(text: string): number {
  if (!idTextSchema.safeParse(text).success) throw new ApiError(404, NO_SUCH_RECORD);
  return Number(text);
}
