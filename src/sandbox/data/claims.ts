import type { Claim, ClaimMember } from '../schemas/claim.ts';
import { buildLines, serviceRange } from './claim-lines.ts';
import type { ClaimTypeName } from './codes.ts';
import { CLAIM_TYPES } from './codes.ts';
import { isHostile } from './corpus.ts';
import type { GeneratedEmployer } from './employers.ts';
import { dependentIdentity, isCouple, memberAgeDays, memberIdentity, partnerOf } from './families.ts';
import { claimId, memberId, policyHolderId } from './ids.ts';
import { dayNumber, dayText, instantForm, instantText, MS_PER_DAY, planYearStart } from './instants.ts';
import type { Lifecycle, Stage } from './lifecycle.ts';
import { lifecycleOf, stageAt } from './lifecycle.ts';
import { employerOf, vendorKeyOf } from './members.ts';
import { DENIAL_REASONS, genderOfName, ODD_REMARKS, PREVENTIVE_REMARK, REMARKS } from './names.ts';
import { type PricedAmounts, UNITS_PER_DOLLAR } from './priced-amounts.ts';
import { PROVIDERS_PER_KIND, providerAt } from './providers.ts';
import { digitsFrom, hash32, RandomStream, uuidFrom } from './random.ts';
import { PROVIDER_KINDS, type Visit, type VisitingPatient, visitOf } from './visits.ts';

type ClaimContext = {
  readonly seed: number;
  readonly today: number;
  readonly employers: readonly GeneratedEmployer[];
  readonly memberCount: number;
  readonly nowMs: number;
  /** Returns what each generated claim of a member may add to the deductible, by content index. */
  readonly deductiblesOf: (member: number) => ReadonlyMap<number, number>;
};

export type ClaimSource = {
  /** The index that IDs are generated from. */
  readonly index: number;
  /** The index that the content is generated from: another claim's, if this special claim is a duplicate. */
  readonly contentIndex: number;
  readonly member: number;
  readonly createdMs: number;
  /** Replaces the generated lifecycle, for special claims that change. */
  readonly life?: Lifecycle;
};

const TYPE_WEIGHTS = [55, 65, 85, 94] as const;

/** Returns the type of a claim without generating the claim, for the lists of one carrier connection. */
export function claimTypeOf(seed: number, contentIndex: number): (typeof CLAIM_TYPES)[number] {
  const roll = hash32(seed, contentIndex, 61) % 100;
  const typeIndex = TYPE_WEIGHTS.findIndex((limit) => roll < limit);
  return CLAIM_TYPES[typeIndex === -1 ? 4 : typeIndex] as (typeof CLAIM_TYPES)[number];
}

/** Connection 0 has medical, facility and drug claims, connection 1 dental and vision. */
export const connectionOf = (type: ClaimTypeName): 0 | 1 => (type === 'dental' || type === 'vision' ? 1 : 0);

/** Returns whether both members of a couple are on a claim. */
export function namesPartner(
  context: Pick<ClaimContext, 'seed' | 'memberCount'>,
  source: ClaimSource,
): boolean {
  const { seed, memberCount } = context;
  const partner = partnerOf(source.member);
  return (
    partner < memberCount &&
    source.member < memberCount &&
    isCouple(seed, source.member) &&
    hash32(seed, source.contentIndex, 62) % 4 === 0
  );
}

/** The drawn network statuses; most claims are in network. docs/service.md, "What the claim fields mean". */
const NETWORKS = ['IN', 'IN', 'IN', 'IN', 'OUT', 'TIER1', 'TIER2'] as const;
const NULL_COUNTS = [0, 0, 1, 1, 2, 4] as const;

const dollars = (units: number): number => units / UNITS_PER_DOLLAR;

/** Generates a claim at the current time of the data's clock. docs/service.md, "Resources and their fields". */
export function buildClaim(context: ClaimContext, source: ClaimSource): Claim {
  const { seed, nowMs } = context;
  const { index, contentIndex, member } = source;
  const life = source.life ?? lifecycleOf(seed, contentIndex, source.createdMs);
  const stage = stageAt(life, nowMs);
  const type = claimTypeOf(seed, contentIndex);
  const record = employerOf(context, member);
  const r = new RandomStream(hash32(seed, contentIndex, 63));
  const planStart = planYearStart(life.serviceDay, record.planYearMonth);
  const deductiblePercent = Math.max(10, 80 - Math.floor((life.serviceDay - planStart) / 4));
  const providerRoll = r.bits();
  const holder = memberIdentity(seed, member);
  const dependentIndex = drawPatient(r, seed, member);
  const patient =
    dependentIndex < 0 ? holder : dependentIdentity(seed, member, dependentIndex, context.today);
  const visit = isHostile()
    ? null
    : visitOf(seed, contentIndex, type.name, patientOf(context, member, dependentIndex));
  const { lines, total, lastDay } = buildLines({
    visit,
    seed,
    contentIndex,
    idIndex: index,
    type: type.name,
    stage,
    outcome: life.outcome,
    serviceDay: life.serviceDay,
    createdDay: Math.floor(life.createdMs / MS_PER_DAY),
    deductiblePercent,
    deductibleLimit: isHostile()
      ? Number.POSITIVE_INFINITY
      : (context.deductiblesOf(member).get(contentIndex) ?? 0),
  });
  const provider = providerAt(
    seed,
    type.name,
    visit === null ? providerRoll : familyProvider(seed, member, visit, providerRoll),
  );
  const form = instantForm(r.bits());
  const processedDay = life.processedMs === null ? 0 : Math.floor(life.processedMs / MS_PER_DAY);
  const isPriced = stage.isProcessed;
  const isPaid = isPriced && total.paid !== 0;
  // This is drawn even where it is not shown, so that the other random fields do not depend on the status.
  const processedOn = datedText(r, processedDay);
  const latest = isHostile() ? Number.POSITIVE_INFINITY : Math.floor(nowMs / MS_PER_DAY);
  const eobDate = datedText(r, Math.min(processedDay + 1, latest));
  const checkDate = datedText(r, Math.min(processedDay + 2, latest));
  const check = checkNumber(r, stage.isAmended);
  const isIncomplete = r.chance(2);
  const claim: Claim = {
    id: claimId(index),
    uuid: uuidFrom(seed, index, 64),
    dataobject_id: 700_000_000 + index * 3,
    vendor_system_id: vendorSystemId(r, index),
    type: { ...type },
    status: stage.status,
    network: r.pick(NETWORKS),
    is_incomplete: isIncomplete,
    recrawl_requested: r.chance(3),
    date_of_service: serviceRange(r, life.serviceDay, lastDay),
    processed_on: isPriced ? processedOn : null,
    eob_date: isPriced ? eobDate : null,
    check_date: isPaid ? checkDate : null,
    check_number: isPaid ? check : null,
    createddate: instantText(life.createdMs, form),
    modifieddate: instantText(stage.modifiedMs, form),
    date_column: instantText(life.serviceDay * MS_PER_DAY, form),
    last_updated_status: instantText(stage.statusMs, form),
    ...claimAmounts(total, isPriced),
    group_name: record.groupName,
    group_number: record.groupNumber,
    patient_name: isIncomplete ? null : patientName(r, patient.firstName, patient.lastName),
    patient_account_number: `0${digitsFrom(r, 9)}`,
    patient_payer_number: r.chance(2) ? digitsFrom(r, 24) : `W${digitsFrom(r, 9)}-0${dependentIndex + 1}`,
    remarks: visit === null ? remarks(r, stage.isAmended) : ordinaryRemarks(r, stage, visit),
    policy_holder: {
      first_name: holder.firstName,
      id: policyHolderId(member, connectionOf(type.name)),
      last_name: holder.lastName,
    },
    service_provider: provider.name,
    service_provider_address: provider.address,
    service_provider_number: provider.taxId,
    service_provider_npi_number: provider.npi,
    service_provider_billing_name: provider.billingName,
    service_provider_billing_address: provider.billingAddress,
    service_provider_billing_number: provider.billingTaxId,
    service_provider_billing_phone: provider.billingPhone,
    service_provider_billing_npi_number: provider.billingNpi,
    members: claimMembers(context, source, record),
    claim_medical_lines: lines,
  };
  if (isHostile()) nullSome(claim, r);
  else if (contentIndex % 61 === 29) leaveUnsplit(claim);
  return claim;
}

/** All amounts except the billed one are null until the claim is processed. */
function claimAmounts(total: PricedAmounts, isPriced: boolean) {
  const shown = (units: number): number | null => (isPriced ? dollars(units) : null);
  const allowed = shown(total.allowed);
  const paid = shown(total.paid);
  const reduction = shown(total.reduction);
  const copayment = shown(total.copayment);
  const coinsurance = shown(total.coinsurance);
  const patient = shown(total.patient);
  return {
    amount_billed: dollars(total.billed),
    discount: shown(total.discount),
    amount_allowed: allowed,
    amount_paid: paid,
    amount_paid_other: shown(total.paidOther),
    amount_not_covered: shown(total.notCovered),
    reduction,
    copayment,
    coinsurance_patient: coinsurance,
    patient_responsibility: patient,
    incurred_value: allowed,
    computed_amount_allowed: allowed,
    computed_amount_billed: dollars(total.billed),
    computed_amount_paid: paid,
    computed_coinsurance_patient: coinsurance,
    computed_copayment: copayment,
    computed_patient_responsibility: patient,
    computed_reduction: reduction,
  } satisfies Partial<Claim>;
}

/** Most visits of a family are to one provider of each kind, some to a second one. */
function familyProvider(seed: number, member: number, { type, by }: Visit, roll: number): number {
  const kind = PROVIDER_KINDS[type].indexOf(by);
  const position = roll % 5 === 0 ? 1 : 0;
  // The lower of two random numbers gives some providers many more families than others.
  const number = Math.min(
    hash32(seed, member * 2 + position, 66 + kind) % PROVIDERS_PER_KIND,
    hash32(seed, member * 2 + position, 166 + kind) % PROVIDERS_PER_KIND,
  );
  return kind + number * PROVIDER_KINDS[type].length;
}

const DAYS_PER_YEAR = 365.25;

/** Describes the treated patient, in the ordinary corpus. */
function patientOf(
  { seed, today }: Pick<ClaimContext, 'seed' | 'today'>,
  member: number,
  dependentIndex: number,
): VisitingPatient {
  const key = hash32(seed, member * 8 + dependentIndex, 93);
  if (dependentIndex < 0) {
    const gender = genderOfName(memberIdentity(seed, member).firstName);
    return { key, gender, ageYears: Math.floor(memberAgeDays(seed, member) / DAYS_PER_YEAR) };
  }
  const { firstName, dateOfBirth } = dependentIdentity(seed, member, dependentIndex, today);
  const ageYears = (today - dayNumber(dateOfBirth)) / DAYS_PER_YEAR;
  return { key, gender: genderOfName(firstName), ageYears: Math.floor(ageYears) };
}

/** Chooses the patient: -1 is the member, otherwise the number of a dependent. */
const drawPatient = (r: RandomStream, seed: number, member: number): number =>
  r.below(memberIdentity(seed, member).dependentCount + 1) - 1;

const YEARLY_DEDUCTIBLE_UNITS = 1_500 * UNITS_PER_DOLLAR;
const DEDUCTIBLE_DOLLARS = [80, 150, 250, 400, 600] as const;

/**
 * Returns what each claim of a member may add to the deductible, in ten-thousandths of a dollar, by content
 * index. Claims add to it in the order of service, until the patient's yearly deductible is met.
 */
export function shareDeductibles(
  { seed, employers }: Pick<ClaimContext, 'seed' | 'employers'>,
  member: number,
  sources: readonly ClaimSource[],
): ReadonlyMap<number, number> {
  const { planYearMonth } = employerOf({ seed, employers }, member);
  const claims = sources.map(({ contentIndex, createdMs, life }) => ({
    contentIndex,
    serviceDay: (life ?? lifecycleOf(seed, contentIndex, createdMs)).serviceDay,
  }));
  claims.sort((a, b) => a.serviceDay - b.serviceDay || a.contentIndex - b.contentIndex);
  const left = new Map<string, number>();
  const shares = new Map<number, number>();
  for (const { contentIndex, serviceDay } of claims) {
    const r = new RandomStream(hash32(seed, contentIndex, 63));
    r.bits();
    const person = `${drawPatient(r, seed, member)} ${planYearStart(serviceDay, planYearMonth)}`;
    const before = left.get(person) ?? YEARLY_DEDUCTIBLE_UNITS;
    const dollars = DEDUCTIBLE_DOLLARS[hash32(seed, contentIndex, 68) % DEDUCTIBLE_DOLLARS.length] as number;
    const share = Math.min(before, dollars * UNITS_PER_DOLLAR);
    shares.set(contentIndex, share);
    left.set(person, before - share);
  }
  return shares;
}

/** Some carriers send the patient's responsibility without its parts. */
function leaveUnsplit(claim: Claim): void {
  for (const part of ['reduction', 'copayment', 'coinsurance_patient'] as const) {
    claim[part] = null;
    claim[`computed_${part}`] = null;
    for (const line of claim.claim_medical_lines ?? []) line[part] = null;
  }
}

/** docs/service.md, "Lists and values": fields called dates can arrive as date-times, with or without zone. */
function datedText(r: RandomStream, day: number): string {
  const roll = r.below(30);
  if (roll === 0) return `${dayText(day)}T00:00:00Z`;
  if (roll === 1) return `${dayText(day)}T00:00:00`;
  return roll === 2 ? `${dayText(day)}T00:00:00.000000+00:00` : dayText(day);
}

function checkNumber(r: RandomStream, isReissued: boolean): string {
  const number = r.chance(3) ? digitsFrom(r, 20) : `00${digitsFrom(r, 7)}`;
  return isReissued ? `${number}R` : number;
}

function vendorSystemId(r: RandomStream, index: number): string {
  const base = `C${String(index).padStart(9, '0')}`;
  return r.chance(10) ? `${base}-0${r.between(1, 3)}` : base;
}

function remarks(r: RandomStream, isAmended: boolean): string | null {
  const roll = r.below(100);
  const text = roll < 55 ? null : roll < 95 ? r.pick(REMARKS) : r.pick(ODD_REMARKS);
  if (!isAmended) return text;
  return text === null ? 'Check reissued.' : `${text} Check reissued.`;
}

/**
 * Generates a reason for an amount that was not paid, sometimes a remark on a paid one. An open claim may ask for
 * information. Carriers call many checkups preventive, and sometimes other visits.
 */
function ordinaryRemarks(r: RandomStream, stage: Stage, { type, diagnosis }: Visit): string | null {
  const [roll, reason, remark] = [r.below(100), r.pick(DENIAL_REASONS), r.pick(REMARKS)];
  if (!stage.isProcessed) return roll < 8 ? 'Additional information requested from the provider.' : null;
  if (stage.status === 'Rejected' || stage.status === 'Partially Approved') return roll < 92 ? reason : null;
  if (roll < 40 && type === 'medical' && /^Z(00|01|12|23)/.test(diagnosis)) return PREVENTIVE_REMARK;
  return roll < 12 && !/not covered|Duplicate|requested/.test(remark) ? remark : null;
}

/** Carriers spell patients' names differently; clients have to match them within the family. */
function patientName(r: RandomStream, first: string, last: string): string {
  const roll = r.below(20);
  if (roll < 12) return `${first} ${last}`;
  if (roll < 16) return `${last}, ${first}`.toUpperCase();
  return roll < 19 ? `${first.toUpperCase()} ${last.toUpperCase()}` : `${first}  ${last} `;
}

function claimMembers(context: ClaimContext, source: ClaimSource, record: GeneratedEmployer): ClaimMember[] {
  const member = claimMember(context.seed, source.member, record);
  return namesPartner(context, source)
    ? [member, claimMember(context.seed, partnerOf(source.member), record)]
    : [member];
}

function claimMember(seed: number, member: number, record: GeneratedEmployer): ClaimMember {
  const person = memberIdentity(seed, member);
  const key = vendorKeyOf(seed, member);
  return {
    email: person.email,
    first_name: person.firstName,
    last_name: person.lastName,
    id: memberId(member),
    employer: { id: record.employer.id, name: record.employer.name },
    system_key: key === null ? null : { [record.vendorCode]: key },
  };
}

/** Sets some fields to null, except `members` and `policy_holder`, which decide the lists that a claim is in. */
const NULLABLE = (
  'uuid dataobject_id vendor_system_id type status network is_incomplete recrawl_requested ' +
  'date_of_service processed_on eob_date createddate modifieddate date_column last_updated_status ' +
  'amount_billed discount amount_allowed amount_paid amount_paid_other amount_not_covered reduction ' +
  'copayment coinsurance_patient patient_responsibility incurred_value computed_amount_billed ' +
  'computed_amount_allowed computed_amount_paid computed_reduction group_name group_number ' +
  'patient_name patient_account_number patient_payer_number service_provider service_provider_address ' +
  'service_provider_number service_provider_npi_number service_provider_billing_name ' +
  'service_provider_billing_address service_provider_billing_number service_provider_billing_phone ' +
  'service_provider_billing_npi_number computed_coinsurance_patient computed_copayment ' +
  'computed_patient_responsibility'
).split(' ') as (keyof Claim)[];

function nullSome(claim: Claim, r: RandomStream): void {
  const count = r.pick(NULL_COUNTS);
  for (let i = 0; i < count; i += 1) claim[r.pick(NULLABLE)] = null;
}
