import type { z } from 'zod';
import type { Confirmation, MemberPlan, newMemberSchema } from '../../../contract/connect-members.ts';
import { DeskError } from '../../lib/errors.ts';
import { hasEmployerId, isSameName, type KnownEmployer } from './known-employers.ts';

export type NewMember = z.output<typeof newMemberSchema>;

/** The employer under which a member with this email is already known. */
export interface KnownMember {
  readonly employerId: number;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

export interface KnownBefore {
  readonly employers: readonly KnownEmployer[];
  /** Members with the requested email. */
  readonly members: readonly KnownMember[];
  /** Whether the integration's tenant is known: from an earlier answer, or from the settings. */
  readonly isTenantKnown: boolean;
}

export interface PlannedMember {
  readonly plan: MemberPlan;
  /** null: the service would create it. */
  readonly employer: KnownEmployer | null;
  /** The values with which the data API can check the employer's key; null: it cannot. */
  readonly keyToCheck: { vendorTenantLabel: string; employerKey: string; memberKey: string } | null;
}

/**
 * Plans a bootstrap before anything is sent: the service looks an employer up by its key, and silently creates one if
 * it does not have the key (docs/service.md, "Connect calls").
 *
 * @throws DeskError `connect.employerUnknown`, `connect.employerAmbiguous`, `connect.employerExists`,
 * `connect.employerKeyNeeded`, `connect.employerKeyTaken`, `connect.memberElsewhere`; `details.employerId` is the other
 * employer where there is one
 */
export function planMember(input: NewMember, roster: KnownBefore): PlannedMember {
  const isConfirmed = (what: Confirmation): boolean => input.confirmed?.includes(what) === true;
  const employer = findEmployer(input, roster.employers, isConfirmed('sameName'));
  const { systemKey, vendor } = findKeys(input, employer, roster.employers);
  const match =
    employer === null
      ? undefined
      : roster.members.find(({ employerId }) => hasEmployerId(employer, employerId));
  const elsewhere = match === undefined ? roster.members[0] : undefined;
  if (elsewhere !== undefined && !isConfirmed('otherEmployer')) {
    const { employerId } = elsewhere;
    const other = roster.employers.find((candidate) => hasEmployerId(candidate, employerId));
    throw new DeskError('connect.memberElsewhere', { details: { employerId: other?.id ?? employerId } });
  }
  const name = employer?.name ?? nameOf(input);
  const given = `${input.firstName} ${input.lastName}`;
  const memberName = match === undefined ? given : nameOfKnown(match) || given;
  const label = employer?.memberKeys.find((memberKey) => memberKey.label === vendor);
  return {
    employer,
    plan: {
      memberName,
      isMemberKnown: match !== undefined,
      employer: { id: employer?.id ?? null, name },
      systemKey,
      vendor,
      sentence: describe({
        memberName,
        employerName: name,
        isEmployerKnown: employer !== null,
        match,
        elsewhere,
      }),
      warning: warnOfTenant(employer, roster),
    },
    // A stored key was accepted before.
    keyToCheck:
      label === undefined || employer?.systemKey === systemKey || isConfirmed('unknownKey')
        ? null
        : { vendorTenantLabel: label.label, employerKey: systemKey, memberKey: label.memberKey },
  };
}

/**
 * Compares the service's answer with the plan. Only this detects a key that was mistyped or belongs to another
 * employer.
 *
 * @throws DeskError `connect.employerMismatch`, with the actual employer in `details.employerId`
 */
export function checkAnswer(
  planned: PlannedMember,
  answered: { readonly id: number; readonly name: string },
  employers: readonly KnownEmployer[],
): void {
  const { employer, plan } = planned;
  const isAsPlanned =
    employer !== null
      ? hasEmployerId(employer, answered.id)
      : !employers.some((candidate) => hasEmployerId(candidate, answered.id)) &&
        (answered.name === '' || isSameName(answered.name, plan.employer.name));
  if (!isAsPlanned) throw new DeskError('connect.employerMismatch', { details: { employerId: answered.id } });
}

const nameOf = ({ employer }: NewMember): string => (employer.kind === 'known' ? '' : employer.name);

function findEmployer(
  { employer: pick }: NewMember,
  employers: readonly KnownEmployer[],
  isSameNameWanted: boolean,
): KnownEmployer | null {
  if (pick.kind === 'new') {
    const sameNamed = employers.find(({ name }) => isSameName(name, pick.name));
    if (sameNamed !== undefined && !isSameNameWanted)
      throw new DeskError('connect.employerExists', { details: { employerId: sameNamed.id } });
    return null;
  }
  const matches = employers.filter((candidate) =>
    pick.kind === 'known' ? candidate.id === pick.id : isSameName(candidate.name, pick.name),
  );
  const ownEmployers = matches.filter(({ isOfOtherTenant }) => !isOfOtherTenant);
  if (ownEmployers.length > 1)
    throw new DeskError('connect.employerAmbiguous', { details: { count: ownEmployers.length } });
  const [employer] = ownEmployers;
  if (employer === undefined)
    throw new DeskError('connect.employerUnknown', { details: { isOfOtherTenant: matches.length > 0 } });
  return employer;
}

/** The keys as entered, else as stored. With several vendors, none is chosen automatically. */
function findKeys(
  input: NewMember,
  employer: KnownEmployer | null,
  employers: readonly KnownEmployer[],
): { systemKey: string; vendor: string } {
  const onlyLabel = employer?.vendorLabels.length === 1 ? employer.vendorLabels[0] : undefined;
  const systemKey = input.systemKey ?? employer?.systemKey ?? undefined;
  const vendor = input.vendor ?? employer?.vendor ?? onlyLabel;
  if (systemKey === undefined || vendor === undefined) throw new DeskError('connect.employerKeyNeeded');
  const holder = employers.find(
    (candidate) =>
      candidate.systemKey === systemKey && candidate.vendor === vendor && candidate.id !== employer?.id,
  );
  if (holder !== undefined && employer?.systemKey !== systemKey)
    throw new DeskError('connect.employerKeyTaken', { details: { employerId: holder.id } });
  return { systemKey, vendor };
}

const nameOfKnown = ({ firstName, lastName }: KnownMember): string =>
  [firstName, lastName].filter(Boolean).join(' ');

function describe(what: {
  memberName: string;
  employerName: string;
  isEmployerKnown: boolean;
  match: KnownMember | undefined;
  elsewhere: KnownMember | undefined;
}): string {
  const { memberName, employerName } = what;
  if (what.match !== undefined)
    return `${endSentence(`Existing member matched: ${memberName}, employer ${employerName}`)} Nothing new is created.`;
  const again = what.elsewhere === undefined ? '' : ' This email is already known under another employer.';
  return what.isEmployerKnown
    ? endSentence(`Creates member ${memberName} under existing employer ${employerName}`) + again
    : `Creates new employer ${employerName}, and member ${memberName} under it.${again}`;
}

/** "Inc." already ends with a full stop. */
const endSentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);

/** Warns about the tenant: before the first answer the token's tenant is unknown, and the records may have several. */
function warnOfTenant(employer: KnownEmployer | null, roster: KnownBefore): string | null {
  const tenants = new Set(roster.employers.flatMap(({ tenantNames }) => tenantNames));
  if (employer === null || roster.isTenantKnown || tenants.size < 2) return null;
  return `${employer.name} belongs to ${employer.tenantNames.join(', ') || 'an unknown tenant'}. Make sure this integration is set up for that tenant; otherwise the claims service creates a second employer.`;
}
