import { vi } from 'vitest';

const { waitFor } = vi;
const timeout = 30_000;

// Vitest's own second is too short where other processes have the processors; who waits in vain fails at the same line.
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout, ...options });
