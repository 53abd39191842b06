import { Link } from '@tanstack/react-router';
import type { WorklistCounts } from '../../../contract/worklist-counts.ts';
import { pageOf, partsOf, type WorklistId } from '../../../rules/worklists/worklist-table.ts';
import { areFinal, claimsIn } from '../../domain/worklist/use-worklist-counts.ts';
import { formatGrowing } from '../../lib/format-value.ts';
import styles from './list-parts.module.css';

/** The parts of a list as chips with their numbers of claims: those that have claims, and the one on screen. */
export function ListParts({ shown, counts }: { shown: WorklistId; counts: WorklistCounts | undefined }) {
  const list = pageOf(shown);
  const parts = partsOf(list).filter(({ id }) => id === shown || claimsIn(counts, id) > 0);
  if (parts.length === 0) return null;
  const chip = (id: WorklistId, name: string) => (
    <Link
      key={id}
      to="/worklists/$worklistId"
      params={{ worklistId: id }}
      className={styles.chip}
      data-open={id === shown || undefined}
    >
      {name}
      <span className={styles.count}>{formatGrowing(claimsIn(counts, id), areFinal(counts))}</span>
    </Link>
  );
  return (
    <nav aria-label="Parts of the list" className={styles.parts} data-screen-only>
      {chip(list, 'All')}
      {parts.map(({ id, name }) => chip(id, name))}
    </nav>
  );
}
