/** What a window shows while the engine, or all of Claimdesk, can't be reached: also where nobody is left to ask. */
export const engineStopped = {
  code: 'engine.stopped',
  message: 'Claimdesk can’t reach its records right now.',
  nextStep: 'Unlock or restart Claimdesk. Synced records are kept.',
} as const;

interface PendingCall<Reply> {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/** Calls on their way to another process or thread, each under the number, from 0, that its reply comes with. */
export function createPendingCalls<Reply>() {
  const pending = new Map<number, PendingCall<Reply>>();
  let nextId = 0;
  return {
    /** The number of a new call, and its reply. */
    add(): { readonly id: number; readonly reply: Promise<Reply> } {
      const id = nextId;
      nextId += 1;
      return { id, reply: new Promise((resolve, reject) => pending.set(id, { resolve, reject })) };
    },
    /** The call that has this number, which is over with that; nothing where it is over already. */
    take(id: number): PendingCall<Reply> | undefined {
      const call = pending.get(id);
      pending.delete(id);
      return call;
    },
    /** All calls, which are over with that. */
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
