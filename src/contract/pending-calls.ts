/**
 * The error that a window shows while main or the engine cannot be reached. The window makes it itself, because there
 * may be no process to get it from.
 */
export const engineStopped = {
  code: 'engine.stopped',
  message: 'Claimdesk can’t reach its records right now.',
  nextStep: 'Unlock or restart Claimdesk. Synced records are kept.',
} as const;

interface PendingCall<Reply> {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/**
 * Calls that were sent to another process or thread and have no reply yet. Each has a number, from 0, which its reply
 * repeats.
 */
export function createPendingCalls<Reply>() {
  const pending = new Map<number, PendingCall<Reply>>();
  let nextId = 0;
  return {
    /** Adds a call: its number, and the promise of its reply. */
    add(): { readonly id: number; readonly reply: Promise<Reply> } {
      const id = nextId;
      nextId += 1;
      return { id, reply: new Promise((resolve, reject) => pending.set(id, { resolve, reject })) };
    },
    /** Removes and returns the call with this number; undefined: there is none. */
    take(id: number): PendingCall<Reply> | undefined {
      const call = pending.get(id);
      pending.delete(id);
      return call;
    },
    takeAll(): readonly PendingCall<Reply>[] {
      const calls = [...pending.values()];
      pending.clear();
      return calls;
    },
    get size(): number {
      return pending.size;
    },
  };
}
