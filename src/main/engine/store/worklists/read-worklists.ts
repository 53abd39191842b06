import { addDays } from '../../../../contract/days.ts';
import type { FeedWarning } from '../../../../contract/duplicates.ts';
import { fieldsOf } from '../../../../contract/fields.ts';
import type { Row } from '../../../../contract/query.ts';
import { conditionsOn, findWorklist } from '../../../../contract/worklist-table.ts';
import { type WorklistId, type WorklistReason, worklistIds } from '../../../../contract/worklists.ts';
import type { Connection } from '../file/connection.ts';
import { readRows } from '../query/read-rows.ts';
import { readFeedWarning } from './duplicate-pairs.ts';

export interface StoredCounts {
  readonly worklists: { id: WorklistId; claims: number; patientResponsibility: number }[];
  readonly pending: { days30: number; days60: number; days90: number };
  readonly feedWarning: FeedWarning | null;
}

/** Counts of all worklists, as they were last brought up to date. */
export function readWorklistCounts(connection: Connection, day: string): StoredCounts {
  const rows = connection
    .prepare('SELECT worklist, claims, patient_responsibility AS amount FROM worklist_counts')
    .all() as { worklist: number; claims: number; amount: number }[];
  const counts = new Map(rows.map((row) => [row.worklist, row]));
  const countPending = connection
    .prepare('SELECT count(*) FROM claim_worklists WHERE worklist=? AND rank<=?')
    .pluck();
  const pendingFor = (days: number): number =>
    countPending.get(
      worklistIds.indexOf('pending'),
      Number((addDays(day, -days) ?? day).replaceAll('-', '')),
    ) as number;
  return {
    worklists: worklistIds.map((id, index) => ({
      id,
      claims: counts.get(index)?.claims ?? 0,
      patientResponsibility: counts.get(index)?.amount ?? 0,
    })),
    pending: { days30: pendingFor(30), days60: pendingFor(60), days90: pendingFor(90) },
    feedWarning: readFeedWarning(connection),
  };
}

/** The worklists that a claim is in, with what it has for each of their conditions. */
export function readReasons(connection: Connection, claimId: number, day: string): WorklistReason[] {
  const worklists = connection
    .prepare('SELECT worklist FROM claim_worklists WHERE id=? ORDER BY worklist')
    .pluck()
    .all(claimId) as number[];
  const found = worklists.flatMap((index) => worklistIds[index] ?? []);
  const terms = found.map((id) => ({ id, conditions: conditionsOn(findWorklist(id), day) }));
  const fields = [...new Set(terms.flatMap(({ conditions }) => conditions.map(({ field }) => field)))];
  const [row] = readRows(connection, 'claims', [claimId], fields) as [Row];
  return terms.map(({ id, conditions }) => ({
    id,
    terms: conditions.map((condition) => ({
      condition,
      label: fieldsOf.claims.find(({ path }) => path === condition.field)?.label ?? condition.field,
      value: row[condition.field] ?? null,
    })),
  }));
}
