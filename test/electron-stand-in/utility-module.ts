import type { Net } from 'electron';

/** The part of `electron` that a utility process may import, as far as Claimdesk does. */
export const net: Pick<Net, 'fetch'> = {
  async fetch(input, init) {
    const reply = await globalThis.fetch(input as string, init as RequestInit);
    // Electron documents that `manual` does not answer 3xx.
    if (init?.redirect === 'manual' && reply.status >= 300 && reply.status < 400)
      throw new Error('Redirect was cancelled');
    return reply;
  },
};
