import type { Output } from '../../../contract/procedures.ts';

export type OpenRun = Output<'runs:get'>;

/** The file of a run that was saved last. */
export interface SavedFile {
  readonly name: string;
  readonly path: string;
  readonly sha256: string;
  /** Whether it has the claims of all employers, and how many claims the run had when it was saved. */
  readonly isOfAll: boolean;
  readonly claims: number;
}

/** Whether the file has exactly the claims that are still to be sent. */
export const isOfAllToSend = ({ claims, byState, marked }: OpenRun, saved: SavedFile | null): boolean =>
  saved?.isOfAll === true &&
  saved.claims === claims &&
  marked === 0 &&
  byState.every(({ state }) => state !== 'sent' && state !== 'recorded');
