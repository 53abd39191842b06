import { parseMoment } from '../../../rules/days.ts';
import type { Row } from '../../../rules/query.ts';
import { fullNameOf } from '../../lib/format-name.ts';

/** The columns that name the connections of claims. */
export const connectionColumns = [
  'policy_holder.id',
  'policy_holder.first_name',
  'policy_holder.last_name',
  'carrier',
  'modifieddate',
] as const;

/** A carrier connection as claims name it: without its state, which only Connect knows. */
export interface ClaimedConnection {
  readonly policyHolderId: number;
  readonly subscriber: string;
  /** null: the connection was not read here, and no claim names a carrier. */
  readonly carrier: string | null;
  readonly claims: number;
  /** When the service last changed one of its claims, as sent; null: not reported. */
  readonly lastChangedAt: string | null;
}

const text = (cell: Row[string] | undefined): string => (typeof cell === 'string' ? cell.trim() : '');

/** The connections that claims name, the most recently changed first. */
export function connectionsOfClaims(rows: readonly Row[]): ClaimedConnection[] {
  const connections = new Map<number, ClaimedConnection>();
  for (const row of rows) {
    const policyHolderId = row['policy_holder.id'];
    if (typeof policyHolderId !== 'number') continue;
    const before = connections.get(policyHolderId);
    const name = {
      first_name: text(row['policy_holder.first_name']),
      last_name: text(row['policy_holder.last_name']),
    };
    connections.set(policyHolderId, {
      policyHolderId,
      subscriber: before?.subscriber || fullNameOf(name, ''),
      carrier: before?.carrier ?? (text(row.carrier) || null),
      claims: (before?.claims ?? 0) + 1,
      lastChangedAt: latest(before?.lastChangedAt ?? null, text(row.modifieddate)),
    });
  }
  return [...connections.values()].sort((a, b) => timeOf(b.lastChangedAt) - timeOf(a.lastChangedAt));
}

/** Instants come with and without a zone (then UTC is assumed), so they are compared as times, not as text. */
function timeOf(at: string | null): number {
  const moment = at === null ? null : parseMoment(at);
  if (at === null || moment === null) return 0;
  return Date.parse(moment.zone === null && moment.seconds !== null ? `${at.replace(' ', 'T')}Z` : at) || 0;
}

const latest = (before: string | null, at: string): string | null =>
  timeOf(at) > timeOf(before) ? at : before;
