import { isHostile } from '../data/corpus.ts';
import type { GeneratedEmployer } from '../data/employers.ts';
import { createEmployer } from '../data/employers.ts';
import { memberIdentity } from '../data/families.ts';
import { memberId, memberIndex, policyHolderId, policyHolderOf } from '../data/ids.ts';
import { instantText, MS_PER_DAY } from '../data/instants.ts';
import { vendorKeyOf } from '../data/members.ts';
import { hash32 } from '../data/random.ts';
import type { World } from '../data/world.ts';
import type { Tenant } from '../schemas/member.ts';
import type {
  ConnectPerson,
  ConnectTenant,
  Directory,
  KnownConnection,
  PersonNaming,
  SyncedClaims,
} from './directory.ts';

/** Ids of connections made by Connect: below the generated ones, so that they never collide. */
const NEW_CONNECTION_BASE = 15_000_000;
const USER_BASE = 5_000_000;
const MEDICAL_PAYERS = [11, 12, 14] as const;
/** Payers of ordinary data. A plan for drugs only is not the carrier of a doctor's claims. */
const ORDINARY_MEDICAL_PAYERS = [11, 12, 20] as const;
const DENTAL_PAYER = 13;
const MIGRATING_PAYER = 11;
const PROBLEMS = [
  null,
  null,
  'valid',
  'invalid',
  null,
  'needs_two_factor',
  null,
  'sec_question',
  'locked',
  'broken',
  'migrating',
  'inactive',
] as const;

/** The states of sample connections that are not working; `pending` has not finished its first update. */
const SHOWN_STATES = [
  'invalid',
  'needs_two_factor',
  'pending',
  'locked',
  'migrating',
  'pending',
  'sec_question',
] as const;
const MINUTES_PER_DAY = 1440;
const RECENT_DAYS = 30;
const QUIET_ONE_IN = 300;
const shownStatesOf = new WeakMap<World, ReadonlyMap<number, (typeof SHOWN_STATES)[number]>>();

/** The tenants of the data, with the label and the key that requests identify them by. */
export function connectTenants(world: World): readonly ConnectTenant[] {
  const byId = new Map(world.employers.map(({ tenant }) => [tenant.id, tenant]));
  return [...byId.values()].map((tenant) => ({
    id: tenant.id,
    name: tenant.name ?? '',
    label: tenant.vendor_tenants?.[0]?.label ?? '',
    key: `TK-${tenant.id}`,
  }));
}

/** The data of the data API, for Connect to read and add to. */
export function createWorldDirectory(world: World): Directory {
  const newcomers = new Map<string, ConnectPerson>();
  return {
    resolveEmployer: (tenant, naming) => {
      const existing = [...world.employers, ...world.createdEmployers].find(
        (record) => record.tenant.id === tenant.id && record.employerKey === naming.systemKey,
      );
      const record = existing ?? addEmployer(world, tenant, naming);
      const { id, name, support_email_derived } = record.employer;
      return { id, name: name ?? naming.name, supportEmail: support_email_derived };
    },
    resolvePerson: (employer, naming) => {
      const record = world.findEmployer(employer.id) as GeneratedEmployer;
      const generated = findGenerated(world, record, naming);
      if (generated !== -1) return personAt(world, generated);
      const key = `${employer.id} ${naming.email.trim().toLowerCase()}`;
      const person = newcomers.get(key) ?? addPerson(world, record, naming);
      newcomers.set(key, person);
      return person;
    },
    connectionsOf: (person) => knownConnections(world, memberIndex(person.memberId)),
    newConnectionId: () => {
      const id = NEW_CONNECTION_BASE + world.newConnections.size;
      world.newConnections.add(id);
      return id;
    },
    claimsOf: (connectionId) => syncedClaims(world, connectionId),
    addClaims: (connectionId, memberId, count) => {
      for (let n = 0; n < count; n += 1) world.insertCrawledClaim(memberIndex(memberId), connectionId);
    },
    nowText: () => instantText(world.clock.dataNowMs()),
  };
}

/**
 * Returns the service's data about the claims of a connection. Many ordinary members have no claims for
 * months, and the sample would report all their connections as without new claims; it therefore returns old
 * dates for only one in `QUIET_ONE_IN` of them.
 */
export function syncedClaims(world: World, connectionId: number): SyncedClaims {
  const isNew = world.newConnections.has(connectionId);
  const { member, connection } = policyHolderOf(connectionId);
  const claims = isNew
    ? world.claimsOfNewConnection(connectionId)
    : world.claimsOfConnection(member, connection);
  const days = claims.map((index) => world.claimAt(index).date_of_service?.start?.slice(0, 10) ?? '');
  const newest = days.sort().at(-1) || null;
  const isReported =
    isNew ||
    isHostile() ||
    hash32(world.options.seed, connectionId, 83) % QUIET_ONE_IN === 0 ||
    (newest ?? '') >= instantText(world.clock.dataNowMs() - RECENT_DAYS * MS_PER_DAY).slice(0, 10);
  return { count: claims.length, newestDate: isReported ? newest : null };
}

function addEmployer(
  world: World,
  tenant: ConnectTenant,
  naming: { readonly vendor: string; readonly systemKey: string; readonly name: string },
): GeneratedEmployer {
  const full = world.employers.find((record) => record.tenant.id === tenant.id)?.tenant as Tenant;
  const vendorTenants = full.vendor_tenants ?? [];
  const named = vendorTenants.find(({ label, vendor }) => [label, vendor?.code].includes(naming.vendor));
  const record = createEmployer(
    full,
    { ...naming, vendorTenantLabel: named?.label ?? tenant.label },
    world.createdEmployers.length,
  );
  world.createdEmployers.push(record);
  return record;
}

/** The generated member of this employer with this email, or with this key and no email; -1 if there is none. */
function findGenerated(world: World, record: GeneratedEmployer, naming: PersonNaming): number {
  const { seed } = world.options;
  const isHere = (index: number): boolean =>
    world.members.has(index) && world.employerOfMember(index) === record;
  const byEmail = /(\d{1,9})@/.exec(naming.email.trim());
  const index = byEmail === null ? -1 : Number(byEmail[1]);
  const email = index === -1 ? null : memberIdentity(seed, index).email;
  if (email?.toLowerCase() === naming.email.trim().toLowerCase() && isHere(index)) return index;
  const byKey = /^00(\d{6,9})$/.exec(naming.systemKey ?? '');
  const keyed = byKey === null ? -1 : Number(byKey[1]) - 1;
  if (keyed < 0 || !isHere(keyed) || vendorKeyOf(seed, keyed) !== naming.systemKey) return -1;
  return memberIdentity(seed, keyed).email === null ? keyed : -1;
}

function personAt(world: World, index: number): ConnectPerson {
  const { firstName, lastName } = memberIdentity(world.options.seed, index);
  return { userId: USER_BASE + index, memberId: memberId(index), firstName, lastName };
}

/** Adds a new member at their employer to the member list. */
function addPerson(world: World, record: GeneratedEmployer, naming: PersonNaming): ConnectPerson {
  const { firstName, lastName, systemKey } = naming;
  const vendorTenant = record.tenant.vendor_tenants?.find(({ label }) => label === record.vendorTenantLabel);
  const index = world.insertNewcomer(
    { employer: record, memberKey: systemKey },
    {
      first_name: firstName,
      last_name: lastName,
      first_name_derived: firstName,
      last_name_derived: lastName,
      full_name_derived: `${firstName} ${lastName}`,
      email: naming.email,
      address: null,
      ssn: null,
      partner_key: null,
      date_of_birth: naming.dateOfBirth,
      archived: false,
      archived_date: null,
      can_make_claim_requests: true,
      can_use_portal: false,
      unread_count: 0,
      createddate: instantText(world.clock.dataNowMs()),
      accounts: [],
      dependents: [],
      employer: record.employer,
      tenant: record.tenant,
      vendor_members:
        systemKey === null || vendorTenant === undefined
          ? []
          : [
              {
                key: systemKey,
                vendor_tenant: {
                  id: vendorTenant.id,
                  label: vendorTenant.label,
                  vendor: vendorTenant.vendor,
                },
              },
            ],
      gender: null,
      phone_mobile: naming.phone,
      hire_term_daterange: null,
    },
  );
  return { userId: USER_BASE + index, memberId: memberId(index), firstName, lastName };
}

/**
 * The members of the sample whose medical connection is not working, distributed over the list; none with hostile data.
 */
export function shownStates(world: World): ReadonlyMap<number, (typeof SHOWN_STATES)[number]> {
  const cached = shownStatesOf.get(world);
  if (cached !== undefined) return cached;
  const made = new Map<number, (typeof SHOWN_STATES)[number]>();
  const { members } = world.options;
  const step = Math.max(1, Math.floor(members / SHOWN_STATES.length));
  let index = 0;
  for (const [position, state] of isHostile() ? [] : SHOWN_STATES.entries()) {
    index = Math.max(index, position * step);
    while (index < members && !isShowable(world, index)) index += 1;
    if (index < members) made.set(index, state);
    index += 1;
  }
  shownStatesOf.set(world, made);
  return made;
}

const isShowable = (world: World, member: number): boolean =>
  world.claimsOfConnection(member, 0).length > 0 && !world.isArchived(member);

/** The connections of a generated member, from their claims. */
export function knownConnections(world: World, member: number): KnownConnection[] {
  if (member < 0 || member >= world.options.members) return [];
  return [0, 1]
    .filter((connection) => world.claimsOfConnection(member, connection).length > 0)
    .map((connection) =>
      isHostile()
        ? hostileConnection(world, member, connection)
        : ordinaryConnection(world, member, connection),
    );
}

function hostileConnection(world: World, member: number, connection: number): KnownConnection {
  const roll = hash32(world.options.seed, member * 2 + connection, 81);
  const nowMs = world.clock.dataNowMs();
  const loginProblem = PROBLEMS[roll % PROBLEMS.length] ?? null;
  const crawledMs = nowMs - ((roll >>> 8) % 30) * MS_PER_DAY - ((roll >>> 16) % MS_PER_DAY);
  return {
    id: policyHolderId(member, connection),
    payerId: payerOf(connection, loginProblem, roll >>> 4),
    username: connection === 1 ? `dental.member${member}` : `member${member}`,
    loginProblem,
    lastCrawlEnd: loginProblem === 'inactive' ? null : instantText(crawledMs),
    createdDate: instantText(nowMs - 400 * MS_PER_DAY),
  };
}

/** A working connection was updated within two days; one that is not working last worked more than a week ago. */
function ordinaryConnection(world: World, member: number, connection: number): KnownConnection {
  const { seed } = world.options;
  const roll = hash32(seed, member * 2 + connection, 81);
  const nowMs = world.clock.dataNowMs();
  const state = connection === 0 ? shownStates(world).get(member) : undefined;
  const ended = world.isArchived(member) ? 'inactive' : null;
  const loginProblem = state === undefined || state === 'pending' ? ended : state;
  const { firstName, lastName } = memberIdentity(seed, member);
  const idleDays = state === undefined ? (roll >>> 8) % 2 : 8 + ((roll >>> 8) % 20);
  const medical =
    state === 'migrating'
      ? MIGRATING_PAYER
      : ORDINARY_MEDICAL_PAYERS[(roll >>> 4) % ORDINARY_MEDICAL_PAYERS.length];
  return {
    id: policyHolderId(member, connection),
    payerId: connection === 1 ? DENTAL_PAYER : (medical as number),
    username: `${firstName[0]}${lastName}`.toLowerCase(),
    loginProblem,
    lastCrawlEnd:
      state === 'pending'
        ? null
        : instantText(nowMs - idleDays * MS_PER_DAY - ((roll >>> 10) % MINUTES_PER_DAY) * 60_000),
    createdDate: instantText(nowMs - (state === 'pending' ? 1 : 30 + ((roll >>> 12) % 370)) * MS_PER_DAY),
  };
}

/** Returns a connection's carrier; only one carrier has another in its group that members can move to. */
function payerOf(connection: number, loginProblem: string | null, roll: number): number {
  if (connection === 1) return DENTAL_PAYER;
  return loginProblem === 'migrating' ? MIGRATING_PAYER : (MEDICAL_PAYERS[roll % 3] as number);
}
