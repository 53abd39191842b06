import type { Net } from 'electron';

/** What a utility process may import of `electron`, as far as Claimdesk does. */
export const net: Pick<Net, 'fetch'> = {
  async fetch(input, init) {
    const reply = await globalThis.fetch(input as string, init as RequestInit);
    // By Electron's documentation `manual` does not answer 3xx.
    if (init?.redirect === 'manual' && reply.status >= 300 && reply.status < 400)
      throw new Error('Redirect was cancelled');
    return reply;
  },
};
