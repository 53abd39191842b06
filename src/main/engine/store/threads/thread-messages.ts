import type { StoreProgress } from '../../../../contract/store.ts';
import type { WireError } from '../../../lib/errors.ts';

/** The first message to a thread of the store: what to open. `key`: 32 bytes, the thread's own copy. */
export interface StoreThreadData {
  readonly filePath: string;
  readonly key: Uint8Array;
  /**
   * `lister` makes whole lists, groups and counts; `userData` has the user data file open; `maintenance` checks,
   * repairs and rewrites a file; `parser` prepares pages and opens nothing.
   */
  readonly role: 'writer' | 'reader' | 'lister' | 'userData' | 'maintenance' | 'parser';
}
export interface StoreRequest {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}
export type StoreReply =
  /** An error outside of a call, for the log. */
  | { readonly kind: 'trouble'; readonly error: WireError }
  /** The progress of a call. */
  | { readonly kind: 'progress'; readonly progress: StoreProgress }
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: WireError };
