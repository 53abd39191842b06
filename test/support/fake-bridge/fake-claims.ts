import type { ClaimLineRecord, ClaimRecord, MemberRecord } from '../../../src/contract/records.ts';
import { pick } from './fake-people.ts';

const providers = [
  'Miami Valley Orthopedics',
  'Dayton Family Medicine',
  'Riverside Imaging',
  'Five Rivers Dental Group',
  'Corner Pharmacy 118',
];
const procedures = [
  ['99213', 'Office visit, established patient'],
  ['73030', 'X-ray of the shoulder'],
  ['80053', 'Comprehensive metabolic panel'],
  ['97110', 'Therapeutic exercises'],
] as const;

type Dice = (sides: number) => number;
const cents = (amount: number) => Math.round(amount * 100) / 100;

function day(offset: number): string {
  return new Date(Date.UTC(2025, 0, 1) + offset * 86_400_000).toISOString().slice(0, 10);
}

function makeLine(dice: Dice, id: number, start: number): ClaimLineRecord {
  const [code, name] = pick(dice, procedures);
  const billed = cents(40 + dice(90_000) / 100);
  const allowed = cents(billed * 0.62);
  return {
    id,
    date_of_service: { bounds: '[)', start: day(start), end: day(start + 1) },
    procedure_code: code,
    procedure_name: name,
    diagnosis_code: pick(dice, ['M25.511', 'J06.9', 'E11.9', null]),
    national_drug_code: null,
    days_supply: null,
    quantity: 1,
    amount_billed: billed,
    discount: cents(billed - allowed),
    amount_allowed: allowed,
    amount_paid: cents(allowed * 0.8),
    amount_paid_other: null,
    amount_not_covered: null,
    copayment: dice(3) === 0 ? 20 : null,
    coinsurance_patient: cents(allowed - cents(allowed * 0.8)),
    reduction: null,
    patient_responsibility: cents(allowed - cents(allowed * 0.8)),
    total_patient_responsibility: cents(allowed - cents(allowed * 0.8)),
    prescription_type_id: null,
    prescription_type_str: null,
    vendor_system_id: `L${id}`,
    uuid: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  };
}

function sum(lines: readonly ClaimLineRecord[], field: keyof ClaimLineRecord): number {
  return cents(lines.reduce((total, line) => total + Number(line[field] ?? 0), 0));
}

/** A claim like those of the service: some amounts missing, some only computed, some negative. */
export function makeClaim(dice: Dice, id: number, member: MemberRecord): ClaimRecord {
  const start = dice(420);
  const lines = Array.from({ length: 1 + dice(3) }, (_, index) => makeLine(dice, id * 10 + index, start));
  const isAdjusted = dice(25) === 0;
  const family = [member, ...(member.dependents ?? [])];
  const patient = pick(dice, family);
  const hasNoPatientAmount = dice(6) === 0;
  const responsibility = sum(lines, 'patient_responsibility');
  const provider = pick(dice, providers);
  return {
    id,
    status: isAdjusted
      ? 'Adjusted'
      : pick(dice, ['Processed', 'Processed', 'In Process', 'Partially Approved', 'Rejected']),
    patient_name: `${patient.first_name} ${patient.last_name}`,
    network: pick(dice, ['IN', 'IN', 'OUT', 'TIER1', null]),
    date_of_service:
      dice(15) === 0
        ? { bounds: '[]', start: day(start), end: day(start + 3) }
        : { bounds: '[)', start: day(start), end: day(start + 1) },
    type: { name: pick(dice, ['medical', 'facility', 'rx', 'dental']), type_id: 1 },
    policy_holder: { id: 700 + (member.id % 40), first_name: member.first_name, last_name: member.last_name },
    members: [
      {
        id: member.id,
        email: member.email,
        first_name: member.first_name,
        last_name: member.last_name,
        employer: { id: member.employer?.id, name: member.employer?.name },
        system_key: { hrx: `HRX-${member.id}` },
      },
    ],
    claim_medical_lines: lines,
    is_incomplete: dice(14) === 0,
    recrawl_requested: false,
    amount_billed: isAdjusted
      ? -sum(lines, 'amount_billed')
      : sum(lines, 'amount_billed') + (dice(20) === 0 ? 10 : 0),
    discount: sum(lines, 'discount'),
    amount_allowed: sum(lines, 'amount_allowed'),
    amount_paid: dice(8) === 0 ? 0 : sum(lines, 'amount_paid'),
    amount_paid_other: null,
    amount_not_covered: dice(9) === 0 ? 12.3456 : null,
    copayment: null,
    coinsurance_patient: sum(lines, 'coinsurance_patient'),
    reduction: null,
    patient_responsibility: hasNoPatientAmount ? null : responsibility,
    computed_patient_responsibility: responsibility,
    computed_amount_billed: sum(lines, 'amount_billed'),
    computed_copayment: 20,
    incurred_value: null,
    processed_on: day(start + 20),
    eob_date: dice(4) === 0 ? `${day(start + 22)}T00:00:00` : day(start + 22),
    check_date: null,
    check_number: dice(3) === 0 ? null : String(80_000 + dice(9999)),
    group_name: 'Ohio Benefits Trust',
    group_number: 'OBT-77',
    patient_account_number: `PA${id}`,
    patient_payer_number: null,
    remarks: dice(5) === 0 ? 'Coordination of benefits pending.' : null,
    service_provider: provider,
    service_provider_address: '400 Main Street, Dayton, OH',
    service_provider_number: '31-1234567',
    service_provider_npi_number: 1_234_567_893,
    service_provider_billing_name: `${provider} Billing`,
    service_provider_billing_address: 'PO Box 9, Dayton, OH',
    service_provider_billing_number: '31-7654321',
    service_provider_billing_phone: '555-0111',
    service_provider_billing_npi_number: null,
    vendor_system_id: `BHP${id}-01`,
    uuid: `10000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
    dataobject_id: 5_000_000 + id,
    createddate: `${day(start + 20)}T10:11:12.131Z`,
    modifieddate: `${day(start + 25)}T10:11:12+00:00`,
    date_column: `${day(start)}T00:00:00`,
    last_updated_status: `${day(start + 21)}T08:00:00Z`,
    accumulator_hint: { family: 120.5, individual: null },
  };
}
