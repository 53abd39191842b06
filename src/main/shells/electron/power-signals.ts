import { powerMonitor } from 'electron';

/** How often to ask whether the screen is locked, on systems that send no event (Linux). */
const lookEveryMs = 5_000;
const anyIdleSeconds = 1;

/**
 * Calls `onAway` when the computer goes to sleep, its screen is locked or another user takes over. Returns
 * the function that stops listening.
 */
export function watchPower(onAway: () => void): () => void {
  powerMonitor.on('suspend', onAway);
  powerMonitor.on('lock-screen', onAway);
  powerMonitor.on('shutdown', onAway);
  powerMonitor.on('user-did-resign-active', onAway);
  const timer = setInterval(() => {
    if (powerMonitor.getSystemIdleState(anyIdleSeconds) === 'locked') onAway();
  }, lookEveryMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    powerMonitor.off('suspend', onAway);
    powerMonitor.off('lock-screen', onAway);
    powerMonitor.off('shutdown', onAway);
    powerMonitor.off('user-did-resign-active', onAway);
  };
}
