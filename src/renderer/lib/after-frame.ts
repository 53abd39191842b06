/** Runs a function after the next frame is painted, so that what takes longer than a frame does not delay it. */
export const runAfterFrame = (run: () => unknown): number => requestAnimationFrame(() => setTimeout(run));
