import { vi } from 'vitest';

const { waitFor } = vi;
const timeout = 30_000;

// Vitest gives up after one second, which other processes can take on two cores. A wait that never ends still fails.
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout, ...options });
