import type { Output } from '../../../contract/procedures.ts';

export type OpenRun = Output<'runs:get'>;

/** The file of a run that was saved last. */
export interface SavedFile {
  readonly name: string;
  readonly path: string;
  readonly sha256: string;
}
