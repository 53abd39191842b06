import type { Workspace } from '../../../contract/workspace.ts';

const names = {
  blue: 'Blue',
  teal: 'Teal',
  grape: 'Purple',
  orange: 'Orange',
  gray: 'Gray',
} as const satisfies Record<Workspace['color'], string>;

/** The common name of a color. */
export const nameColor = (color: Workspace['color']): string => names[color];
