import { createSpotlight } from '@mantine/spotlight';

/** The palette, opened and closed from anywhere; its store tells which row Enter takes. */
export const [paletteStore, palette] = createSpotlight();
