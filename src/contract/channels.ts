/** The names under which the preload and Electron's main process speak. There is no other channel. */
export const channels = {
  /** Window → main, answered: a procedure of main. */
  call: 'claimdesk:call',
  /** Main → window: an event of main. */
  event: 'claimdesk:event',
  /** Window → main: a port to the engine is wanted. */
  wantEngine: 'claimdesk:want-engine',
  /** Main → window: that port; or, without one, the report of why there is none. */
  engine: 'claimdesk:engine',
} as const;
