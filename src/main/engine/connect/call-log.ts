import type { ConnectCall } from '../../../contract/connect-views.ts';

const kept = 500;

/** The last calls of a workspace, newest first. Routes are templates, without personal data. */
export function createCallLog(limit = kept) {
  const calls: ConnectCall[] = [];
  return {
    add(call: ConnectCall): void {
      calls.push(call);
      if (calls.length > limit) calls.shift();
    },
    list: (): ConnectCall[] => [...calls].reverse(),
  };
}
