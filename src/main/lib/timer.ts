/** Calls `look` at an interval after it is started; does not keep the process running. */
export function createTimer(everyMs: number, look: () => void) {
  let timer: NodeJS.Timeout | null = null;
  return {
    start(): void {
      timer ??= setInterval(look, everyMs);
      timer.unref();
    },
    stop(): void {
      if (timer !== null) clearInterval(timer);
      timer = null;
    },
  };
}
