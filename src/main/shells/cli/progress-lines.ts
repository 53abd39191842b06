import type { AnyEvent } from '../../../contract/events.ts';
import { describeStoreProgress } from '../../../contract/store.ts';
import type { Clock } from '../../lib/clock.ts';

/** The time without output at the start, and between two lines. */
const gapMs = 2_000;

/** Returns a function that prints the progress of long work on a file, at most every two seconds. */
export function createProgressLines(write: (line: string) => void, clock: Clock): (event: AnyEvent) => void {
  let lastMs: number | null = null;
  return (event) => {
    if (event.name !== 'store:progress' && event.name !== 'store:opening') return;
    const progress = event.name === 'store:progress' ? event.payload : event.payload.progress;
    if (progress === null) return;
    lastMs ??= clock.now();
    if (clock.now() - lastMs < gapMs) return;
    lastMs = clock.now();
    write(describeStoreProgress(progress));
  };
}
