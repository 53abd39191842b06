import { crc32, deflateSync } from 'node:zlib';

const maxColors = 256;
/**
 * The smallest distance between two colors of a palette, as a sum of squares: first between all colors, then between
 * shades.
 */
const minSquares = { hues: 900, shades: 12 } as const;

const squareBetween = (a: number, b: number): number => {
  const red = (a >> 16) - (b >> 16);
  const green = ((a >> 8) & 255) - ((b >> 8) & 255);
  const blue = (a & 255) - (b & 255);
  return red * red + green * green + blue * blue;
};

/** The index in the palette of the color nearest to a given one. */
function findNearest(palette: readonly number[], color: number): { index: number; square: number } {
  let nearest = { index: 0, square: Number.POSITIVE_INFINITY };
  for (const [index, one] of palette.entries()) {
    const square = squareBetween(one, color);
    if (square < nearest.square) nearest = { index, square };
  }
  return nearest;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(data.length, 0);
  numbers.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([numbers.subarray(0, 4), body, numbers.subarray(4)]);
}

/**
 * Makes a PNG of at most 256 colors, the most frequent ones, which has a third of the bytes of one with all colors.
 *
 * @param pixels red, green, blue and opacity of each, row by row; all are opaque
 */
export function encodePalettePng(width: number, height: number, pixels: Uint8Array): Buffer {
  const colors = new Uint32Array(width * height);
  const counts = new Map<number, number>();
  for (let at = 0; at < colors.length; at += 1) {
    const color =
      ((pixels[at * 4] as number) << 16) |
      ((pixels[at * 4 + 1] as number) << 8) |
      (pixels[at * 4 + 2] as number);
    colors[at] = color;
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const byCount = [...counts].sort(([, a], [, b]) => b - a).map(([color]) => color);
  const palette: number[] = [];
  // First picks colors that differ much: otherwise the rare color of a small icon would lose to the grays at the edges
  // of letters.
  for (const minSquare of [minSquares.hues, minSquares.shades]) {
    for (const color of byCount) {
      if (palette.length < maxColors && findNearest(palette, color).square > minSquare) palette.push(color);
    }
  }
  const places = new Map(byCount.map((color) => [color, findNearest(palette, color).index]));

  const rows = Buffer.alloc((width + 1) * height);
  for (let at = 0; at < colors.length; at += 1)
    rows[at + Math.floor(at / width) + 1] = places.get(colors[at] as number) as number;
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
