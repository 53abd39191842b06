import { createSpotlight } from '@mantine/spotlight';

/** Opens and closes the palette from anywhere; its store has the row that Enter would open. */
export const [paletteStore, palette] = createSpotlight();
