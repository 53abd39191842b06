import type { AnyEvent } from '../../../contract/events.ts';
import { describeStoreProgress } from '../../../contract/store.ts';
import type { Clock } from '../../lib/clock.ts';

/** Short work says nothing, and long work only so often. */
const gapMs = 2_000;

/** Returns what writes a line for people, at most every two seconds, of how far long work on a file is. */
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
