import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { writeFileAtomic } from '../../lib/atomic-file.ts';

const boundsSchema = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().min(1).max(100_000),
  height: z.number().int().min(1).max(100_000),
});
const stateSchema = z.object({ bounds: boundsSchema, isMaximized: z.boolean() });

type Bounds = z.infer<typeof boundsSchema>;
export type WindowState = z.infer<typeof stateSchema>;

export const minSize = { width: 900, height: 600 } as const;
const firstSize = { width: 1280, height: 800 } as const;
/** The part of a window that must be on a screen, so that the user can reach it. */
const minVisible = { width: 200, height: 100 } as const;

/** Returns where the window opens: at its last position, if enough of it is on a connected screen. */
export function chooseWindowState(
  stored: WindowState | null,
  workAreas: readonly Bounds[],
): { bounds: Partial<Bounds>; isMaximized: boolean } {
  if (stored === null) return { bounds: { ...firstSize }, isMaximized: false };
  const size = {
    width: Math.max(stored.bounds.width, minSize.width),
    height: Math.max(stored.bounds.height, minSize.height),
  };
  const isVisible = workAreas.some((area) => isReachableOn(area, stored.bounds));
  return { bounds: isVisible ? { ...stored.bounds, ...size } : size, isMaximized: stored.isMaximized };
}

function isReachableOn(area: Bounds, bounds: Bounds): boolean {
  const width = Math.min(area.x + area.width, bounds.x + bounds.width) - Math.max(area.x, bounds.x);
  const height = Math.min(area.y + area.height, bounds.y + bounds.height) - Math.max(area.y, bounds.y);
  // Its top must be on the screen too: a window cannot be moved without its title bar.
  return width >= minVisible.width && height >= minVisible.height && bounds.y >= area.y;
}

/** Reads the saved position and size; null where there is none or the file cannot be parsed. */
export function readWindowState(path: string): WindowState | null {
  try {
    return stateSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

/** Saves position and size. If that fails, the window opens in the middle next time. */
export async function writeWindowState(path: string, state: WindowState): Promise<void> {
  await writeFileAtomic(path, `${JSON.stringify(state)}\n`).catch(() => undefined);
}
