import { createSpotlight } from '@mantine/spotlight';

/** Opens and closes the palette from anywhere; its store has the row that Enter would open. */
export const [paletteStore, palette] = createSpotlight();

/** Whether a command's label has each typed word, in any order. */
export const matchesLabel = (label: string, typed: string): boolean =>
  typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => label.toLowerCase().includes(word));
