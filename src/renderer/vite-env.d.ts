/// <reference types="vite/client" />
import type { DeskBridge } from '../contract/bridge.ts';

declare global {
  interface Window {
    /** Given by Electron's preload; in the browser shell the page builds its own. */
    readonly claimdesk?: DeskBridge;
  }
}
