import { StatusChip } from '../../components/status-chip.tsx';

/** Who else of the team has the shown claim open; nothing where nobody has. */
export const OpenElsewhere = ({ others }: { others: readonly string[] }) => (
  <span
    role="status"
    title="You can decide it anyway. Next and previous in a worklist pass over claims that others have open."
  >
    {others.length > 0 && <StatusChip label={`Open: ${others.join(', ')}`} tone="caution" />}
  </span>
);
