import { createSpotlight } from '@mantine/spotlight';

/** Opens and closes the palette from anywhere; its store has the row that Enter opens. */
export const [paletteStore, palette] = createSpotlight();
