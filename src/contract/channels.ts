/** The channels between the preload and Electron's main process. There are no others. */
export const channels = {
  /** Window → main, with a reply: calls a procedure of main. */
  call: 'claimdesk:call',
  /** Main → window: an event of main. */
  event: 'claimdesk:event',
  /** Window → main: requests a port to the engine. */
  wantEngine: 'claimdesk:want-engine',
  /** Main → window: that port; without a port, an error report with the reason. */
  engine: 'claimdesk:engine',
} as const;
