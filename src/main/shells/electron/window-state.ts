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

export type Bounds = z.infer<typeof boundsSchema>;
export type WindowState = z.infer<typeof stateSchema>;

export const minSize = { width: 900, height: 600 } as const;
const firstSize = { width: 1280, height: 800 } as const;
/** So much of a window has to be on a screen for a person to get hold of it. */
const minVisible = { width: 200, height: 100 } as const;

/** Pure: where the window opens: where it was, if enough of that is on a screen that is there now. */
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
  // The title bar too: a window whose top is above the screen cannot be moved.
  return width >= minVisible.width && height >= minVisible.height && bounds.y >= area.y;
}

/** What was kept; null where there is nothing or nothing that can be understood. */
export function readWindowState(path: string): WindowState | null {
  try {
    return stateSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

/** Keeps it. Where that fails, the window opens in the middle next time. */
export async function writeWindowState(path: string, state: WindowState): Promise<void> {
  await writeFileAtomic(path, `${JSON.stringify(state)}\n`).catch(() => undefined);
}
