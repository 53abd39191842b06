import type { Employer, Tenant } from '../schemas/member.ts';
import { isHostile } from './corpus.ts';
import { LAST_NAMES } from './names.ts';
import { hash32, RandomStream } from './random.ts';

/** The carriers. The last two are test carriers of docs/service.md, "Connect calls". */
export const PAYERS: readonly { readonly id: number; readonly name: string; readonly short_name: string }[] =
  [
    { id: 11, name: 'Northern Mutual Health', short_name: 'NMH' },
    { id: 12, name: 'Lakeshore Health Plan', short_name: 'LHP' },
    { id: 13, name: 'Bluestem Dental & Vision', short_name: 'BDV' },
    { id: 14, name: 'Cascade Rx', short_name: 'CRX' },
    { id: 15, name: 'Test Carrier', short_name: 'TEST' },
    { id: 16, name: 'Test Two Factor Carrier', short_name: 'TEST2FA' },
  ];

/** Returns the carriers of the data; test carriers are only in the hostile corpus. */
const eligiblePayers = () => (isHostile() ? PAYERS : PAYERS.filter(({ name }) => !name.startsWith('Test ')));

const VENDORS = [
  { code: 'benefitdesk', id: 71, name: 'Benefit Desk' },
  { code: 'hris', id: 72, name: 'People Records, Inc.' },
] as const;

const TENANT_COUNT = 3;
const ORDINARY_EMPLOYERS = ['Harbor Freight Lines', 'Maple Grove Schools', 'Riverside Foods'] as const;
const EMPLOYER_BASE_ID = 200;
const TENANT_BASE_ID = 30;

/** Returns the number of employers: about one for every 400 members, from 4 to 250; three in the ordinary corpus. */
function employerCount(memberCount: number): number {
  if (!isHostile()) return ORDINARY_EMPLOYERS.length;
  return Math.min(250, Math.max(4, Math.ceil(memberCount / 400)));
}

export type GeneratedEmployer = {
  readonly index: number;
  readonly employer: Employer;
  readonly tenant: Tenant;
  /** Set at bootstrap and not returned by the data API (docs/service.md, "Lists and values"). */
  readonly employerKey: string;
  /** The month (1 to 12) in which its plan year starts. */
  readonly planYearMonth: number;
  readonly groupName: string;
  readonly groupNumber: string;
  /** The code of the vendor whose keys its members have, and that vendor tenant's label. */
  readonly vendorCode: string;
  readonly vendorTenantLabel: string;
};

/** All employers of a seed, made once. */
export function makeEmployers(seed: number, memberCount: number): readonly GeneratedEmployer[] {
  const tenants = Array.from({ length: TENANT_COUNT }, (_, index) => makeTenant(index));
  return Array.from({ length: employerCount(memberCount) }, (_, index) =>
    makeEmployer(seed, index, tenants[isHostile() ? index % TENANT_COUNT : 0] as Tenant),
  );
}

function makeTenant(index: number): Tenant {
  const id = TENANT_BASE_ID + index;
  const labels = ['northwind-benefits', 'acme benefits & co', isHostile() ? 'Ünïted/HR' : 'united-hr'];
  return {
    partner_key_enabled: index !== 1,
    id,
    tenant_id: id,
    name:
      ['Northwind Benefits', 'Acme Benefits & Co', isHostile() ? 'Ünïted HR' : 'United HR'][index] ?? null,
    vendor_tenants: VENDORS.slice(0, index === 2 ? 1 : 2).map((vendor, v) => ({
      id: id * 10 + v,
      key_enabled: v === 0,
      label: v === 0 ? (labels[index] as string) : `${vendor.code}-${id}`,
      vendor: { ...vendor },
    })),
  };
}

function makeEmployer(seed: number, index: number, tenant: Tenant): GeneratedEmployer {
  const r = new RandomStream(hash32(seed, index, 11));
  const id = EMPLOYER_BASE_ID + index;
  const name = employerName(r, index);
  const payers = PAYERS.slice(0, 3 + (index % 2));
  const label = tenant.vendor_tenants?.[0]?.label ?? '';
  return {
    index,
    tenant,
    employer: {
      archived: index > 3 && index % 17 === 0,
      email_automation: index % 4 === 3 ? null : index % 2 === 0,
      eligible_payers: eligiblePayers().map((payer) => ({
        ...payer,
        retriever: `${payer.short_name.toLowerCase()}_portal`,
      })),
      payers: payers.map((payer) => ({ ...payer })),
      employer_id: id,
      id,
      name,
      slug: index % 4 === 2 ? null : name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
      support_email_derived: index % 4 === 1 ? null : `support@employer${id}.example`,
      support_phone_derived:
        index % 4 === 3 ? null : `+1 216 555 0${String(100 + (index % 900)).slice(0, 3)}`,
      tenant_logo_derived: index % 3 === 2 ? null : `https://logos.example/${tenant.id}.png`,
      tenant_name_derived: tenant.name,
    },
    employerKey: index === 1 && isHostile() ? 'ACME & Söhne/07' : `E${String(1000 + index)}`,
    planYearMonth: [1, 1, 7, 10][index % 4] as number,
    groupName: `${name} Group Health`,
    groupNumber: `00${String(4000 + index * 13)}`,
    vendorCode: VENDORS[0].code,
    vendorTenantLabel: label,
  };
}

const CREATED_BASE_ID = 10_000;

/** Makes an employer that is new to the service from a bootstrap (docs/service.md, "Connect calls"). */
export function createEmployer(
  tenant: Tenant,
  naming: { readonly systemKey: string; readonly name: string; readonly vendorTenantLabel: string },
  position: number,
): GeneratedEmployer {
  const id = CREATED_BASE_ID + position;
  return {
    index: id,
    tenant,
    employer: {
      archived: false,
      email_automation: null,
      eligible_payers: eligiblePayers().map((payer) => ({
        ...payer,
        retriever: `${payer.short_name.toLowerCase()}_portal`,
      })),
      payers: [],
      employer_id: id,
      id,
      name: naming.name,
      slug: null,
      support_email_derived: null,
      support_phone_derived: null,
      tenant_logo_derived: null,
      tenant_name_derived: tenant.name,
    },
    employerKey: naming.systemKey,
    planYearMonth: 1,
    groupName: `${naming.name} Group Health`,
    groupNumber: String(id),
    vendorCode:
      tenant.vendor_tenants?.find(({ label }) => label === naming.vendorTenantLabel)?.vendor?.code ?? '',
    vendorTenantLabel: naming.vendorTenantLabel,
  };
}

function employerName(r: RandomStream, index: number): string {
  const hostile = ['Harbor Freight Lines', "O'Malley & Sons, LLC", '"Best" Bakery, Inc.', '=SUM Analytics'];
  const fixed = (isHostile() ? hostile : ORDINARY_EMPLOYERS)[index];
  return (
    fixed ??
    `${r.pick(LAST_NAMES)} ${r.pick(['Foods', 'Logistics', 'Schools', 'Steel', 'Software', 'Farms'])}`
  );
}

/** Returns the index of the employer with this ID, or -1. */
export function employerIndexOf(id: number, count: number): number {
  const index = id - EMPLOYER_BASE_ID;
  return Number.isInteger(index) && index >= 0 && index < count ? index : -1;
}
