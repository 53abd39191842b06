import {
  readClaimNumber,
  readDrugCode,
  readName,
  readProcedure,
  readProvider,
} from '../../../../rules/compare-values.ts';
import { readDays } from '../../../../rules/date-range.ts';
import type { Database } from '../file/database.ts';
import { memo } from '../record/memo.ts';
import type { ComparedHead, ComparedLine } from './relate-pair.ts';

type Cell = string | number | null;

export const daysSql = (alias: string): string =>
  `range_days(${alias}.date_of_service_start, ${alias}.date_of_service_end, ${alias}.date_of_service_bounds)`;

/** The first and last day of a range as in a list; an open end counts as the other end. */
export function readSpan(days: string | null): { first: string | null; last: string | null } {
  const span = days === null ? null : readDays(days);
  return { first: span?.first ?? span?.last ?? null, last: span?.last ?? span?.first ?? null };
}

/** Caches results, so that repeated texts are parsed once. */
function memoize<K, T>(read: (from: K) => T, keyOf: (from: K) => unknown = (from) => from): (from: K) => T {
  const cache = new Map<unknown, T>();
  return (from) => memo(cache, keyOf(from), () => read(from), 50_000);
}

/** Reads the compared values of claims, without lines. Claims without days are left out unless requested. */
export function readHeads(
  database: Database,
  ids: readonly number[],
  isDayOptional = false,
): Map<number, ComparedHead> {
  const rows = database
    .prepare(
      `SELECT c.id, p.id, c.patient_name, c.type_name, c.vendor_system_id, c.service_provider_npi_number,
         c.service_provider_number, c.service_provider, c.service_provider_billing_npi_number,
         c.service_provider_billing_number, c.service_provider_billing_name, ${daysSql('c')},
         coalesce(c.amount_billed, c.computed_amount_billed),
         coalesce(c.patient_responsibility, c.computed_patient_responsibility)
       FROM json_each(?) wanted CROSS JOIN claims c ON c.id=wanted.value
       LEFT JOIN policy_holders p ON p.ref=c.policy_holder_ref`,
    )
    .raw()
    .iterate(JSON.stringify(ids)) as Iterable<Cell[]>;
  const name = memoize(readName);
  const provider = memoize(readProvider, (ids) => JSON.stringify(ids));
  const span = memoize(readSpan);
  const heads = new Map<number, ComparedHead>();
  for (const row of rows) {
    const { first, last } = span(row[11] as string | null);
    if (first === null && !isDayOptional) continue;
    heads.set(row[0] as number, {
      id: row[0] as number,
      connection: row[1] as number | null,
      name: name(row[2] as string | null),
      type: row[3] as string | null,
      number: readClaimNumber(row[4] as string | null),
      provider: provider({
        npi: row[5],
        taxId: row[6],
        name: row[7],
        billingNpi: row[8],
        billingTaxId: row[9],
        billingName: row[10],
      }),
      first: first ?? '',
      last: last ?? '',
      billed: row[12] as number | null,
      patientResponsibility: row[13] as number | null,
    });
  }
  return heads;
}

/** The lines of these claims, by claim. */
export function readLines(database: Database, ids: readonly number[]): Map<number, ComparedLine[]> {
  const rows = database
    .prepare(
      `SELECT l.parent, ${daysSql('l')}, l.procedure_code, l.national_drug_code, l.quantity, l.days_supply,
         l.amount_billed
       FROM json_each(?) wanted CROSS JOIN claim_lines l ON l.parent=wanted.value`,
    )
    .raw()
    .iterate(JSON.stringify(ids)) as Iterable<Cell[]>;
  const procedure = memoize(readProcedure);
  const span = memoize(readSpan);
  const lines = new Map<number, ComparedLine[]>();
  for (const row of rows) {
    const claimLines = lines.get(row[0] as number) ?? [];
    lines.set(row[0] as number, claimLines);
    claimLines.push({
      ...span(row[1] as string | null),
      procedure: procedure(row[2] as string | null),
      drug: readDrugCode(row[3] as string | null),
      quantity: row[4] as number | null,
      supplyDays: row[5] as number | null,
      billed: row[6] as number | null,
    });
  }
  return lines;
}
