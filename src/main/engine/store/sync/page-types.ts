import type { ListKind } from '../record/list-kind.ts';
import type { PageFacts } from '../record/prepare-page.ts';
import type { ChangeSource } from './change-log.ts';

/** A page of a list as it is handed to the store. */
export interface PageInput {
  readonly kind: ListKind;
  /** The reply as it came, UTF-8. */
  readonly body: Uint8Array;
  /** What another thread made of the body; else it is made here. */
  readonly packed?: Uint8Array;
  readonly pass: number;
  readonly page: number;
  /** ISO date-time, for what is set aside. */
  readonly seenAt: string;
  readonly requestId: string | null;
  /** False for narrow fetches, which leave the position of the sync alone. */
  readonly isPartOfPass: boolean;
  /** Left out: what changes is not recorded. */
  readonly changes?: ChangeSource;
}

/** What a page brought; counts are records. Paging facts are null where the reply did not say. */
export interface PageOutcome extends PageFacts {
  /** Not seen before in this pass. */
  readonly fresh: number;
  readonly added: number;
  readonly changed: number;
  readonly setAside: number;
}
