import type { DeskBridge } from '../../contract/bridge.ts';
import { createLoopbackBridge } from './loopback-bridge.ts';
import type { PageMarks } from './page-marks.ts';

/** The way to the backend: what the preload gave (Electron), else the loopback host (browser shell). */
export function openBridge(marks: PageMarks): DeskBridge {
  if (window.claimdesk !== undefined) return window.claimdesk;
  return createLoopbackBridge({
    windowToken: marks.windowToken,
    engineUrl: marks.engineUrl,
    fetch: (input, init) => window.fetch(input, init),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    onEngineMoved: () => window.location.reload(),
  });
}
