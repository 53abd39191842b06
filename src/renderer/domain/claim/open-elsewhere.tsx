import { StatusChip } from '../../components/status-chip.tsx';
import type { Opener } from './use-lease.ts';

/** Shows who else in the team has the claim open, and who opened it first; nothing where no one does. */
export function OpenElsewhere({ others }: { others: readonly Opener[] }) {
  const emails = (isFirst: boolean): string =>
    [...new Set(others.filter((opener) => opener.isFirst === isFirst).map(({ email }) => email))].join(', ');
  const [first, also] = [emails(true), emails(false)];
  return (
    <span
      role="status"
      title="You can decide it anyway. Next and previous in a worklist skip claims that others have open."
    >
      {first !== '' && <StatusChip label={`${first} opened it first`} tone="caution" />}
      {also !== '' && <StatusChip label={`${also} opened it as well`} tone="caution" />}
    </span>
  );
}
