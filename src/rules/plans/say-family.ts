import type { FamilyMeter } from './accumulators.ts';
import { mainDeductible } from './explain-deductible.ts';

/** The main out-of-pocket maximum: in network if that is counted separately. */
export const mainOutOfPocket = ({ meters }: Pick<FamilyMeter, 'meters'>) =>
  meters.find(({ meter, network }) => meter === 'outOfPocket' && network !== 'out') ?? null;

const joinNames = (names: readonly string[]): string =>
  names.length < 3 ? names.join(' and ') : `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`;

/** The first names, or whole names if two first names are the same; null: claims whose patient is unknown. */
export function nameFamily(persons: readonly { readonly name: string | null }[]): (string | null)[] {
  const firstOf = (name: string): string => name.trim().split(/\s+/)[0] ?? name;
  const firsts = persons.map(({ name }) => (name === null ? null : firstOf(name)));
  return persons.map(({ name }, at) =>
    firsts.filter((firstName) => firstName === firsts[at]).length > 1 ? name : (firsts[at] ?? null),
  );
}

const isMet = (meter: { family: { limit: number | null; remaining: number | null } } | null): boolean =>
  meter !== null && meter.family.limit !== null && meter.family.remaining === 0;

/** Describes one person's progress toward the out-of-pocket maximum; null: unknown, or nothing has to be paid first. */
function sayPerson(
  name: string,
  { planPays }: Pick<FamilyMeter['persons'][number], 'planPays'>,
  deductibleLeft: number | null,
  format: (amount: number) => string,
): string | null {
  if (planPays === null || planPays.amount === 0) return null;
  const { payer, amount, isAtMost } = planPays;
  const most = amount === null ? '' : `${isAtMost ? 'at most ' : ''}${format(amount)}`;
  if (payer === 'shared') {
    const coinsurance = `coinsurance applies${most === '' ? '' : `, for ${most} more`}`;
    return deductibleLeft === null
      ? `For ${name} ${coinsurance}.`
      : `${name} has met the deductible; ${coinsurance}.`;
  }
  if (payer !== 'member' || amount === null) return null;
  return deductibleLeft !== null && deductibleLeft > amount
    ? `${name} has ${most} left to the out-of-pocket maximum.`
    : `${name} has ${most} of the deductible left.`;
}

/** Who pays the next amount that the reimbursement rules count, if there is an account; null: unknown. */
function sayAccount(
  name: string,
  { accountPays }: Pick<FamilyMeter['persons'][number], 'accountPays'>,
  format: (amount: number) => string,
): string | null {
  if (accountPays === null) return null;
  const { payer, amount, isAtMost } = accountPays;
  const who = payer === 'account' ? 'The account' : name;
  if (amount === null) return `${who} pays from here.`;
  return `${who} pays the next ${format(amount)}${isAtMost ? ', or less' : ''}.`;
}

/** Describes the progress of the family: those who met the maximum, then the member, if not among them. */
function sayStanding(family: FamilyMeter, format: (amount: number) => string): string[] {
  const names = nameFamily(family.persons);
  const [deductible, outOfPocket] = [mainDeductible(family), mainOutOfPocket(family)];
  const network = outOfPocket?.network === 'in' ? 'in-network ' : '';
  const rest = `the ${network}out-of-pocket maximum; the plan should pay from here.`;
  if (family.isFamily && isMet(outOfPocket)) return [`The family has met ${rest}`];
  const met = family.persons.flatMap(({ planPays }, at) =>
    planPays?.payer === 'plan' && names[at] != null ? [at] : [],
  );
  const all = met.map((at) => names[at] as string);
  const said = met.length === 0 ? [] : [`${joinNames(all)} ${met.length === 1 ? 'has' : 'have'} met ${rest}`];
  const [member] = family.persons;
  const name = names[0];
  if (member === undefined || name == null || met.includes(0)) return said;
  const ofMember =
    family.meters.length === 0
      ? sayAccount(name, member, format)
      : sayPerson(name, member, deductible?.persons[0]?.remaining ?? null, format);
  return ofMember === null ? said : [...said, ofMember];
}

/** Lists charges above the out-of-pocket maximum by person, or otherwise what was applied above the deductible. */
function sayOver({ claims, persons }: FamilyMeter, format: (amount: number) => string): string[] {
  const names = nameFamily(persons);
  const sumOf = (kind: FamilyMeter['claims'][number]['disagreements'][number]['kind']) =>
    persons.flatMap((_person, at) => {
      const amount = claims
        .filter(({ person }) => person === at)
        .flatMap(({ disagreements }) => disagreements.filter((disagreement) => disagreement.kind === kind))
        .reduce((sum, disagreement) => sum + disagreement.amount, 0);
      return amount === 0 ? [] : [{ name: names[at] ?? 'a patient who is not known', amount }];
    });
  const charged = sumOf('outOfPocketOver');
  if (charged.length > 0)
    return [
      `The carrier charged ${joinNames(charged.map(({ name, amount }) => `${name} ${format(amount)}`))} too much.`,
    ];
  const applied = sumOf('deductibleOver').reduce((sum, { amount }) => sum + amount, 0);
  return applied === 0 ? [] : [`The carrier applied ${format(applied)} too much to the deductible.`];
}

/**
 * Describes the progress of a family in words that can be read aloud: "Jerry has met the out-of-pocket maximum; the
 * plan should pay from here. The carrier charged Jerry $1,460.06 too much." Null: nothing is known. `format` gets
 * ten-thousandths of a dollar.
 */
export const sayFamily = (family: FamilyMeter, format: (amount: number) => string): string | null =>
  [...sayStanding(family, format), ...sayOver(family, format)].join(' ') || null;
