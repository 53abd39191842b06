import type { ListKind } from '../record/list-kind.ts';
import type { PageFacts } from '../record/prepare-page.ts';
import type { ChangeSource } from './change-log.ts';

export interface PageInput {
  readonly kind: ListKind;
  /** The body of the reply as received, UTF-8. */
  readonly body: Uint8Array;
  /** The body as another thread prepared it; absent: it is prepared here. */
  readonly packed?: Uint8Array;
  readonly pass: number;
  readonly page: number;
  /** ISO date-time, stored with entries that are not records. */
  readonly seenAt: string;
  /** The same in the service's time. Absent: the time of reading claims is not stored. */
  readonly readAt?: string;
  readonly requestId: string | null;
  /** False for single fetches, which do not move the position of the sync. */
  readonly isPartOfPass: boolean;
  /** Absent: changes are not logged. */
  readonly changes?: ChangeSource;
}

/** The result of a page; counts are counts of records. Paging facts are null where the reply lacks them. */
export interface PageOutcome extends PageFacts {
  /** Records that this pass had not received before. */
  readonly fresh: number;
  readonly added: number;
  readonly changed: number;
  readonly setAside: number;
}
