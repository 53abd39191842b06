import type { SamplePerson } from '../../contract/sample-person.ts';
import { memberIdentity } from '../data/families.ts';
import { vendorKeyOf } from '../data/members.ts';
import { hash32 } from '../data/random.ts';
import type { World } from '../data/world.ts';
import type { Connect } from './connect.ts';
import { findPayer } from './payers.ts';
import { correctionFor } from './realm.ts';
import { knownConnections, shownStates, syncedClaims } from './world-directory.ts';

const CONNECTED_PERCENT = 80;
/**
 * The members of the data that are searched. The startup output lists all added people, and more would not show
 * anything new.
 */
const SEARCHED_MEMBERS = 4000;

/**
 * Adds about four of five members with claims, as colleagues would have over the years, and returns them: the
 * sample shows their connections from the start. One of each state in `shownStates` is among them.
 */
export function addSamplePeople(world: World, { integrations, production }: Connect): SamplePerson[] {
  const { single } = integrations;
  const [tenant] = single.tenants;
  if (tenant === undefined) return [];
  const { seed, members } = world.options;
  const people: SamplePerson[] = [];
  for (let index = 0; index < Math.min(members, SEARCHED_MEMBERS); index += 1) {
    const isChosen = shownStates(world).has(index) || hash32(seed, index, 82) % 100 < CONNECTED_PERCENT;
    const record = world.employerOfMember(index);
    if (!isChosen || record.tenant.id !== tenant.id) continue;
    const connections = knownConnections(world, index);
    if (connections.length === 0) continue;
    const { firstName, lastName, email } = memberIdentity(seed, index);
    if (email === null) continue;
    const { employer } = production.bootstrap(
      single,
      tenant,
      { vendor: record.vendorTenantLabel, systemKey: record.employerKey, name: record.employer.name ?? '' },
      { email, firstName, lastName, dateOfBirth: null, phone: null, systemKey: vendorKeyOf(seed, index) },
    );
    people.push({
      email,
      firstName,
      lastName,
      systemKey: record.employerKey,
      vendor: record.vendorTenantLabel,
      memberSystemKey: vendorKeyOf(seed, index),
      employer,
      tenant: { id: tenant.id, name: tenant.name },
      connections: connections.map((connection) => {
        const { count, newestDate } = syncedClaims(world, connection.id);
        return {
          ...connection,
          payerName: findPayer(connection.payerId)?.name ?? '',
          payerGroupId: findPayer(connection.payerId)?.groupId ?? null,
          correctionMessage: correctionFor(connection.loginProblem),
          claimsSynced: count,
          newestClaimOn: newestDate,
        };
      }),
    });
  }
  return people;
}
