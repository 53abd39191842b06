import { SmallPrint } from '../../components/text.tsx';
import type { Figure } from './figures.ts';

/** Explains figures in small text beside them. `more`: a further explanation for this page; `title`: one as a tooltip. */
export const FigureNote = (props: { of: readonly Figure[]; more?: string | null; title?: string }) => (
  <SmallPrint title={props.title}>
    {[...props.of.map(({ holds }) => holds), props.more].filter(Boolean).join(' ')}
  </SmallPrint>
);
