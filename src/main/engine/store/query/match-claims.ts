import {
  type CandidateClaim,
  type DocumentFacts,
  type DocumentMatch,
  rankClaims,
  readDocumentFacts,
} from '../../../../rules/match-document.ts';
import type { Database } from '../file/database.ts';

const days = 'range_days(c.date_of_service_start, c.date_of_service_end, c.date_of_service_bounds)';
/** The most claims found through the index of one kind of fact. */
const maxFound = 20_000;
/** The most claims whose rows are read: those on which the most facts agree. */
const maxRead = 4_000;

/** Finds claims by one kind of fact, each by an index alone; `?` is a JSON list of values. A test compares their plans. */
export const candidateSql: Readonly<
  Record<
    string,
    { readonly sql: string; readonly weight: number; readonly of: (facts: DocumentFacts) => unknown }
  >
> = {
  ids: {
    sql: 'SELECT c.id FROM json_each(?) v CROSS JOIN claims c ON c.id=v.value',
    weight: 10,
    of: ({ ids, unsureIds }) => [...ids, ...unsureIds],
  },
  numbers: {
    sql: "SELECT c.id FROM json_each(?) v CROSS JOIN claims c ON c.vendor_system_id=v.value AND c.vendor_system_id<>''",
    weight: 10,
    of: ({ numbers }) => numbers.flatMap((number) => [number, number.replace(/-[^-]{1,3}$/, '')]),
  },
  /** The document lacks the carrier's suffix of a number. */
  longerNumbers: {
    sql: `SELECT c.id FROM json_each(?) v CROSS JOIN claims c
      ON c.vendor_system_id>v.value||'-' AND c.vendor_system_id<v.value||'.' AND c.vendor_system_id<>''`,
    weight: 10,
    of: ({ numbers }) => numbers,
  },
  names: {
    sql: 'SELECT c.id FROM json_each(?) v CROSS JOIN claims c ON c.patient_name=v.value',
    weight: 1,
    of: ({ names }) => names,
  },
  days: {
    sql: `SELECT c.id FROM json_each(?) v CROSS JOIN claims c ON ${days}>=v.value AND ${days}<v.value||'0'`,
    weight: 1,
    of: (facts) => facts.days,
  },
  amounts: {
    sql: 'SELECT c.id FROM json_each(?) v CROSS JOIN claims c ON c.amount_billed=v.value',
    weight: 1,
    of: ({ amounts }) => amounts,
  },
};

const rowSql = `SELECT c.id, c.vendor_system_id, c.patient_name, c.service_provider, c.service_provider_billing_name, ${days},
  c.amount_billed, c.patient_responsibility, c.amount_paid, c.amount_allowed FROM claims c WHERE c.id=?`;

type Row = [
  number,
  string | null,
  string | null,
  string | null,
  string | null,
  string | null,
  ...(number | null)[],
];

/** Finds the claims that agree best with the text of a document. */
export function matchDocument(database: Database, text: string): DocumentMatch[] {
  const facts = readDocumentFacts(text);
  const weights = new Map<number, number>();
  for (const { sql, weight, of } of Object.values(candidateSql)) {
    const matches = database
      .prepare(`${sql} LIMIT ${maxFound}`)
      .pluck()
      .all(JSON.stringify(of(facts))) as number[];
    for (const id of new Set(matches)) weights.set(id, (weights.get(id) ?? 0) + weight);
  }
  const ids = [...weights].sort(([, weight], [, other]) => other - weight).slice(0, maxRead);
  const read = database.prepare(rowSql).raw();
  const claims = ids.map(([id]): CandidateClaim => {
    const [claimId, number, patient, provider, billing, ofClaim, ...amounts] = read.get(id) as Row;
    return { claimId, number, patient, providers: [provider, billing], days: ofClaim, amounts };
  });
  return rankClaims(facts, claims);
}
