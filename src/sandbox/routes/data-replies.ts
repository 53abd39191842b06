import { memberIndex, policyHolderOf } from '../data/ids.ts';
import { vendorKeyOf } from '../data/members.ts';
import type { World } from '../data/world.ts';
import { ApiError } from '../http/api-error.ts';
import type { Envelope, Paging } from '../http/paging.ts';
import { envelopeOf } from '../http/paging.ts';
import type { Claim } from '../schemas/claim.ts';
import type { Member } from '../schemas/member.ts';
import { idTextSchema } from '../schemas/path.ts';

/**
 * A list reply before it is written out. Its records are made one at a time while they are read, so that a page of
 * a thousand is never in memory as objects.
 */
export type ListReply = Envelope & { data: Iterable<Claim | Member> };

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
export function listPolicyHolderClaims(world: World, idText: string, paging: Paging): ListReply {
  const id = readId(idText);
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
  keys: { readonly label: string; readonly employerKey: string; readonly memberKey: string },
  paging: Paging,
): ListReply {
  const employer = [...world.employers, ...world.createdEmployers].find(
    (record) => record.employerKey === keys.employerKey && record.vendorTenantLabel === keys.label,
  );
  const newcomer = employer === undefined ? -1 : world.newcomerWithKey(employer, keys.memberKey);
  if (newcomer !== -1) return pageOf(world, world.claimsOfMember(newcomer), paging);
  const index = /^00\d{6,}$/.test(keys.memberKey) ? Number(keys.memberKey) - 1 : -1;
  const { seed, members } = world.options;
  const isKnown =
    employer !== undefined &&
    index >= 0 &&
    index < members &&
    vendorKeyOf(seed, index) === keys.memberKey &&
    world.employerOfMember(index) === employer;
  if (!isKnown) throw new ApiError(404, NO_SUCH_RECORD);
  return pageOf(world, world.claimsOfMember(index), paging);
}

/**
 * `GET /employer/{employer_id}/member/{member_id}`.
 *
 * @throws ApiError 404 for an unknown or malformed id, and for a member of another employer
 */
export function getMember(world: World, employerIdText: string, memberIdText: string): { data: Member } {
  const employer = world.findEmployer(readId(employerIdText));
  const index = memberIndex(readId(memberIdText));
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

/** docs/service.md, "Errors": a malformed path parameter is 404. */
function readId(text: string): number {
  if (!idTextSchema.safeParse(text).success) throw new ApiError(404, NO_SUCH_RECORD);
  return Number(text);
}
