/** Calls `look` at an interval while it is started; does not keep the process alive. */
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
