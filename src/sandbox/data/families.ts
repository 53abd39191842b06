import { isHostile } from './corpus.ts';
import { dayText } from './instants.ts';
import {
  ACCENTED_FIRST_NAMES,
  ACCENTED_LAST_NAMES,
  FIRST_NAMES,
  genderOfName,
  LAST_NAMES,
  namesOfGender,
  ODD_FIRST_NAMES,
  ODD_LAST_NAMES,
} from './names.ts';
import { hash32, RandomStream } from './random.ts';

/** The name of a member or dependent; claims need only this part. */
type Person = { readonly firstName: string; readonly lastName: string };

type MemberIdentity = Person & { readonly email: string | null; readonly dependentCount: number };

const ODD_PERCENT = 6;
const rareFirstNames = () => (isHostile() ? ODD_FIRST_NAMES : ACCENTED_FIRST_NAMES);
const rareLastNames = () => (isHostile() ? ODD_LAST_NAMES : ACCENTED_LAST_NAMES);
const CACHE_SIZE = 4096;
const identities = new Map<number, MemberIdentity>();
let cachedSeed = Number.NaN;

/** Generates member `index`. Members 2i and 2i+1 with `isCouple` are married and share a last name. */
export function memberIdentity(seed: number, index: number): MemberIdentity {
  if (seed !== cachedSeed || identities.size >= CACHE_SIZE) {
    identities.clear();
    cachedSeed = seed;
  }
  const cached = identities.get(index);
  if (cached !== undefined) return cached;
  const r = new RandomStream(hash32(seed, index, 21));
  const family = isCouple(seed, index) ? Math.floor(index / 2) * 2 : index;
  const f = new RandomStream(hash32(seed, family, 22));
  const lastName = f.chance(ODD_PERCENT) ? f.pick(rareLastNames()) : f.pick(LAST_NAMES);
  const firstName = r.chance(ODD_PERCENT) ? r.pick(rareFirstNames()) : r.pick(FIRST_NAMES);
  const hostileEmail = r.chance(3) ? null : `member${index}@${r.chance(50) ? 'mail' : 'Post'}.example`;
  const email = isHostile() ? hostileEmail : plainEmail(firstName, lastName, index);
  const made = { firstName, lastName, email, dependentCount: r.pick([0, 0, 0, 1, 1, 2, 2, 3, 4, 5]) };
  identities.set(index, made);
  return made;
}

const plainEmail = (firstName: string, lastName: string, index: number): string => {
  const letters = (name: string) =>
    name
      .normalize('NFD')
      .toLowerCase()
      .replaceAll('ł', 'l')
      .replaceAll(/[^a-z]/g, '');
  return `${letters(firstName)}.${letters(lastName)}${index}@mail.example`;
};

/** Returns whether this member and their partner are both employees, so that claims can have both as members. */
export const isCouple = (seed: number, index: number): boolean =>
  hash32(seed, Math.floor(index / 2), 23) % 20 === 0;

/** Returns the index of the other member of a couple. */
export const partnerOf = (index: number): number => (index % 2 === 0 ? index + 1 : index - 1);

type DependentIdentity = Person & {
  readonly middleName: string | null;
  readonly relationship: 'spouse' | 'child' | 'stepchild' | 'domestic partner';
  readonly gender: string;
  readonly dateOfBirth: string;
};

/** Returns a member's age in days in the ordinary corpus; the ages of dependents depend on it. */
export const memberAgeDays = (seed: number, index: number): number =>
  new RandomStream(hash32(seed, index, 26)).between(22 * 365, 66 * 365);

/** Returns the usual gender of the first name, sometimes X. */
export const genderOf = (r: RandomStream, firstName: string): string =>
  r.chance(1) ? 'X' : genderOfName(firstName);

/** Claims go back two years; a younger child would be born after its claims. */
const YOUNGEST_CHILD_DAYS = 760;

/** Generates a plausible dependent: a partner of about the member's age, or a child a generation younger. */
function ordinaryDependent(seed: number, member: number, position: number, today: number): DependentIdentity {
  const r = new RandomStream(hash32(seed, member * 8 + position, 27));
  const parent = memberIdentity(seed, member);
  const parentDays = memberAgeDays(seed, member);
  const isPartner = position === 0 && r.chance(65);
  const parentGender = genderOfName(parent.firstName);
  const otherGender = parentGender === 'F' ? 'M' : 'F';
  const partnerGender = r.chance(95) ? otherGender : parentGender;
  const nameGender = isPartner ? partnerGender : r.pick(['F', 'M'] as const);
  const isNamesake = !isPartner && r.chance(2);
  const firstName = isNamesake
    ? parent.firstName
    : r.pick(namesOfGender(nameGender, r.chance(ODD_PERCENT) ? ACCENTED_FIRST_NAMES : FIRST_NAMES));
  const keepsName = r.chance(isPartner ? 75 : 95);
  const gender = genderOf(r, firstName);
  const ageDays = isPartner
    ? Math.max(21 * 365, parentDays + r.between(-6 * 365, 6 * 365))
    : r.between(YOUNGEST_CHILD_DAYS, Math.min(25 * 365, parentDays - 19 * 366));
  return {
    firstName,
    lastName: keepsName ? parent.lastName : r.pick(LAST_NAMES),
    middleName: r.chance(60) ? r.pick(namesOfGender(genderOfName(firstName), FIRST_NAMES)) : null,
    relationship: isPartner
      ? r.chance(90)
        ? 'spouse'
        : 'domestic partner'
      : r.chance(5)
        ? 'stepchild'
        : 'child',
    gender,
    dateOfBirth: dayText(today - ageDays),
  };
}

/** Generates dependent number `position`. Some families have two with one first name (father and son). */
export function dependentIdentity(
  seed: number,
  member: number,
  position: number,
  today: number,
): DependentIdentity {
  if (!isHostile()) return ordinaryDependent(seed, member, position, today);
  const r = new RandomStream(hash32(seed, member * 8 + position, 24));
  const parent = memberIdentity(seed, member);
  const isPartner = position === 0 && r.chance(65);
  const keepsName = r.chance(isPartner ? 75 : 92);
  const isNamesake = !isPartner && r.chance(4);
  const firstName = isNamesake
    ? parent.firstName
    : r.chance(ODD_PERCENT)
      ? r.pick(rareFirstNames())
      : r.pick(FIRST_NAMES);
  const ageDays = isPartner ? r.between(24 * 365, 66 * 365) : r.between(30, 25 * 365);
  return {
    firstName,
    lastName: keepsName ? parent.lastName : r.pick(LAST_NAMES),
    middleName: r.chance(60) ? r.pick(FIRST_NAMES) : null,
    relationship: isPartner
      ? r.pick(['spouse', 'spouse', 'domestic partner'])
      : r.pick(['child', 'child', 'stepchild']),
    gender: r.pick(['F', 'M', 'F', 'M', 'X']),
    dateOfBirth: dayText(today - ageDays),
  };
}
