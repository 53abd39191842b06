import { stat } from 'node:fs/promises';

/** How often this process is expected to get a turn; an idle computer misses no such turn. */
const turnMs = 25;
/** Below this share of the expected turns, this process had too little time. */
const enoughTurns = 0.5;

/** Watches whether this process gets its turns, and whether its thread pool, which looks up names, is free. */
export function watchLoad(): { isBusy(): boolean; end(): void } {
  const began = performance.now();
  let turns = 0;
  let isPoolFree = false;
  const timer = setInterval(() => {
    turns += 1;
  }, turnMs);
  const poolIsFree = (): void => {
    isPoolFree = true;
  };
  stat('.').then(poolIsFree, poolIsFree);
  return {
    isBusy: () => !isPoolFree || turns < (enoughTurns * (performance.now() - began)) / turnMs - 1,
    end: () => clearInterval(timer),
  };
}
