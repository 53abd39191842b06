import type { ClaimMedicalLine, ServiceDays } from '../schemas/claim.ts';
import type { ClaimTypeName } from './codes.ts';
import { DIAGNOSES, DRUGS, type Drug, PRESCRIPTION_TYPES, PROCEDURES } from './codes.ts';
import { isHostile } from './corpus.ts';
import { lineId } from './ids.ts';
import { dayText } from './instants.ts';
import type { Stage } from './lifecycle.ts';
import type { PricedAmounts } from './priced-amounts.ts';
import {
  addAmounts,
  billedUnits,
  priceLine,
  reversalOf,
  UNITS_PER_DOLLAR,
  zeroAmounts,
} from './priced-amounts.ts';
import { hash32, RandomStream, uuidFrom } from './random.ts';
import type { PricedService, Visit } from './visits.ts';

type LinePlanning = {
  /** What the claim is for, in the ordinary corpus; null for random services. */
  readonly visit: Visit | null;
  readonly seed: number;
  /** The index that the content is generated from: the original's, if this special claim is a duplicate. */
  readonly contentIndex: number;
  /** The index that IDs are generated from. */
  readonly idIndex: number;
  readonly type: ClaimTypeName;
  readonly stage: Stage;
  readonly outcome: string;
  readonly serviceDay: number;
  /** The day on which the claim was created: an ordinary stay ends before it. */
  readonly createdDay: number;
  readonly deductiblePercent: number;
  /** The most that the whole claim may add to the deductible, in ten-thousandths of a dollar. */
  readonly deductibleLimit: number;
};

type BuiltLines = {
  readonly lines: ClaimMedicalLine[];
  readonly total: PricedAmounts;
  readonly lastDay: number;
};

const LINE_COUNTS: Readonly<Record<ClaimTypeName, readonly number[]>> = {
  medical: [1, 1, 2, 2, 3, 4],
  facility: [2, 3, 4, 5, 6, 8],
  rx: [1, 1, 1, 1, 2],
  dental: [1, 1, 2, 3],
  vision: [1, 2, 2, 3],
};

const STAY_DAYS = [0, 0, 1, 2, 3, 6, 14] as const;
const SUPPLY_DAYS = [7, 14, 30, 30, 90] as const;
const DRUG_QUANTITIES = [1, 2.5, 14, 30, 60, 90] as const;
const QUANTITIES = [1, 1, 1, 1, 2, 4, 0.5] as const;

/** Generates the lines of a claim and their sum. docs/service.md, "Resources and their fields". */
export function buildLines(planning: LinePlanning): BuiltLines {
  const { seed, contentIndex, type, stage } = planning;
  const r = new RandomStream(hash32(seed, contentIndex, 51));
  const { visit } = planning;
  const count = visit?.services.length ?? r.pick(LINE_COUNTS[type]);
  const stay = visit?.nights ?? (type === 'facility' ? r.pick(STAY_DAYS) : 0);
  const stayDays = isHostile() ? stay : Math.min(stay, planning.createdDay - planning.serviceDay);
  const diagnosis = visit?.diagnosis ?? r.pick(DIAGNOSES[type]);
  const total = zeroAmounts();
  const lines: ClaimMedicalLine[] = [];
  let first: PricedAmounts | undefined;
  let deductibleLimit = planning.deductibleLimit;
  for (let position = 0; position < count; position += 1) {
    const service = visit?.services[position];
    const billed = service === undefined ? billedUnits(r, type) : priceOf(r, service);
    const day = planning.serviceDay + (stayDays === 0 ? 0 : r.below(stayDays + 1));
    const diagnosisHere = visit !== null || r.chance(80) ? diagnosis : r.pick(DIAGNOSES[type]);
    const isDenied =
      planning.outcome === 'Rejected' ||
      (planning.outcome === 'Partially Approved' && position % 2 === (count === 1 ? 0 : 1));
    const pricing = new RandomStream(hash32(seed, contentIndex * 16 + position, stage.isAdjusted ? 53 : 52));
    const amounts = priceLine(pricing, billed, {
      type,
      isFirst: position === 0,
      isDenied,
      deductiblePercent: planning.deductiblePercent,
      deductibleLimit,
    });
    deductibleLimit -= amounts.reduction;
    first ??= amounts;
    addAmounts(total, amounts);
    lines.push(makeLine(planning, position, day, diagnosisHere, amounts));
  }
  if (stage.isAdjusted && first !== undefined && count > 1 && contentIndex % 3 === 0) {
    const reversal = reversalOf(first);
    addAmounts(total, reversal);
    lines.push({
      ...makeLine(planning, count, planning.serviceDay, diagnosis, reversal),
      procedure_name: 'Reversal',
    });
  }
  return { lines, total, lastDay: planning.serviceDay + stayDays };
}

/** Returns the billed price of a service, in whole cents as ten-thousandths of a dollar. */
const priceOf = (r: RandomStream, { low, high }: PricedService): number =>
  r.between(low * 100, high * 100) * (UNITS_PER_DOLLAR / 100);

const dollars = (units: number): number => units / UNITS_PER_DOLLAR;

function makeLine(
  planning: LinePlanning,
  position: number,
  day: number,
  diagnosis: string,
  amounts: PricedAmounts,
): ClaimMedicalLine {
  const { seed, contentIndex, idIndex, type } = planning;
  const r = new RandomStream(hash32(seed, contentIndex * 16 + position, 54));
  const isPriced = planning.stage.isProcessed;
  const isDrug = type === 'rx';
  const anyDrug = r.pick(DRUGS);
  const anyProcedure = isDrug ? null : r.pick(PROCEDURES[type]);
  const { services = [] } = planning.visit ?? {};
  // A reversal comes after the last service and reverses the first one.
  const service = services[position % services.length];
  const drug: Drug = service === undefined ? anyDrug : [service.code, service.name];
  const procedure = isDrug || service === undefined ? anyProcedure : ([service.code, service.name] as const);
  const hasJointCode = r.chance(8) && isHostile();
  const prescription = r.pick(PRESCRIPTION_TYPES);
  const id = lineId(idIndex, position);
  const line: ClaimMedicalLine = {
    amount_allowed: isPriced ? dollars(amounts.allowed) : null,
    amount_billed: dollars(amounts.billed),
    amount_not_covered: isPriced ? dollars(amounts.notCovered) : null,
    amount_paid: isPriced ? dollars(amounts.paid) : null,
    amount_paid_other: isPriced ? dollars(amounts.paidOther) : null,
    coinsurance_patient: isPriced ? dollars(amounts.coinsurance) : null,
    copayment: isPriced ? dollars(amounts.copayment) : null,
    discount: isPriced ? dollars(amounts.discount) : null,
    patient_responsibility: isPriced ? dollars(amounts.patient) : null,
    reduction: isPriced ? dollars(amounts.reduction) : null,
    total_patient_responsibility: isPriced ? dollars(amounts.patient) : null,
    date_of_service: serviceRange(r, day, day),
    days_supply: isDrug ? r.pick(SUPPLY_DAYS) : null,
    prescription_type_id: isDrug ? prescription[0] : null,
    diagnosis_code: isDrug && r.chance(50) ? null : diagnosis,
    national_drug_code: isDrug ? (r.chance(20) ? drug[0].replaceAll('-', '') : drug[0]) : null,
    prescription_type_str: isDrug ? prescription[1] : null,
    procedure_code:
      procedure === null ? null : hasJointCode ? `${procedure[0]} - ${procedure[1]}` : procedure[0],
    procedure_name: procedure === null ? drug[1] : hasJointCode ? null : procedure[1],
    vendor_system_id: r.chance(90) ? String(position + 1).padStart(3, '0') : null,
    quantity: quantityOf(r, isDrug, service),
    uuid: r.chance(97) ? uuidFrom(seed, idIndex * 16 + position, 55) : null,
  };
  if (hash32(seed, contentIndex, 56) % 50 === 0) line.claim_medical_line_id = id;
  else line.id = id;
  if (r.chance(4) && isHostile()) nullOne(line, r);
  return line;
}

const NULLABLE_ODDITIES = [
  'date_of_service',
  'amount_billed',
  'quantity',
  'diagnosis_code',
  'procedure_code',
] as const;

function quantityOf(r: RandomStream, isDrug: boolean, service: PricedService | undefined): number {
  if (service !== undefined && !isDrug) return 1;
  const quantity = isDrug ? r.pick(DRUG_QUANTITIES) : r.pick(QUANTITIES);
  return isHostile() ? quantity : Math.ceil(quantity);
}

function nullOne(line: ClaimMedicalLine, r: RandomStream): void {
  line[r.pick(NULLABLE_ODDITIES)] = null;
}

/** Returns a PostgreSQL date range from the first to the last day, inclusive; some have an open end. */
export function serviceRange(r: RandomStream, first: number, last: number): ServiceDays {
  const roll = r.below(200);
  if (!isHostile()) return { bounds: '[)', start: dayText(first), end: dayText(last + 1) };
  if (roll === 0) return { bounds: '[)', start: dayText(first), end: null };
  if (roll === 1) return { bounds: '(]', start: null, end: dayText(last) };
  if (roll === 2) return { bounds: '()', start: dayText(first - 1), end: dayText(last + 1) };
  if (roll === 3) return { bounds: '(]', start: dayText(first - 1), end: dayText(last) };
  if (roll < 60) return { bounds: '[]', start: dayText(first), end: dayText(last) };
  return { bounds: '[)', start: dayText(first), end: dayText(last + 1) };
}
