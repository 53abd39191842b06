import type { EmployerRecord } from '../data/employers.ts';
import { memberIdentity } from '../data/families.ts';
import { vendorKeyOf } from '../data/members.ts';
import type { World } from '../data/world.ts';
import { knownConnections } from './world-directory.ts';

/** A made-up member with what a bootstrap of them sends. */
export type SamplePerson = {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly employerName: string;
  readonly systemKey: string;
  readonly vendor: string;
  readonly memberSystemKey: string | null;
};

/** The states that the sample shows: one that works, and three that need a person. */
const shownProblems = [null, 'invalid', 'needs_two_factor', 'locked'] as const;
const searchedMembers = 1000;

/** One current member of the first tenant for each state, so that a newcomer's connections are not empty. */
export function listSamplePeople(world: World): SamplePerson[] {
  const tenantId = world.employers[0]?.tenant.id;
  const people = new Map<string | null, SamplePerson>();
  const limit = Math.min(world.options.members, searchedMembers);
  for (let index = 0; index < limit && people.size < shownProblems.length; index += 1) {
    const record = world.employerOfMember(index);
    const person = personOf(world, index, record);
    if (record.tenant.id !== tenantId || person === null) continue;
    const problems = knownConnections(world, index).map(({ loginProblem }) => loginProblem);
    if (problems.length === 0) continue;
    // Whose connection works has no other that does not.
    const shown = shownProblems.find(
      (one) =>
        !people.has(one) &&
        (one === null ? problems.every((problem) => problem === null) : problems.includes(one)),
    );
    if (shown !== undefined) people.set(shown, person);
  }
  return [...people.values()];
}

function personOf(world: World, index: number, record: EmployerRecord): SamplePerson | null {
  const { firstName, lastName, email } = memberIdentity(world.options.seed, index);
  if (email === null || world.memberAt(index).archived === true) return null;
  return {
    email,
    firstName,
    lastName,
    employerName: record.employer.name ?? '',
    systemKey: record.employerKey,
    vendor: record.vendorTenantLabel,
    memberSystemKey: vendorKeyOf(world.options.seed, index),
  };
}
