import { SmallPrint } from '../../components/text.tsx';
import type { Figure } from './figures.ts';

/** What figures hold, in small text beside them. `more`: what else is to be known of them here. */
export function FigureNote(props: { of: readonly Figure[]; more?: string | null }) {
  return (
    <SmallPrint>{[...props.of.map(({ holds }) => holds), props.more].filter(Boolean).join(' ')}</SmallPrint>
  );
}
