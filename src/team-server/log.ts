import type { Writable } from 'node:stream';

/** The fields of a line of the log besides its event: codes, calls, and the IDs of computers. */
interface ServerLogFields {
  readonly code?: string;
  readonly route?: string;
  readonly status?: number;
  readonly computer?: string;
}

export type ServerLog = (event: string, fields?: ServerLogFields) => void;

/** Writes one JSON object a line. */
export const createLog =
  (target: Pick<Writable, 'write'>, now: () => number): ServerLog =>
  (event, fields = {}) =>
    void target.write(`${JSON.stringify({ time: new Date(now()).toISOString(), event, ...fields })}\n`);
