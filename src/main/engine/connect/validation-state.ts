import type { ValidationState, validationOutcomes } from '../../../contract/carrier-connections.ts';
import type { ErrorCode } from '../../../contract/error-codes.ts';
import type { ValidationNews } from '../service/connect/progress-stream.ts';
import type { StoredVerdict } from './connect-file.ts';
import { maxStateMs } from './watch-limits.ts';

/** The next step. No step sends a login, so no login can be submitted twice. */
export type Step =
  /** Stops after `forMs`, when the current state has lasted too long. */
  | { readonly kind: 'listen'; readonly forMs: number }
  | { readonly kind: 'poll'; readonly afterMs: number }
  | { readonly kind: 'readHolder'; readonly afterMs: number }
  | { readonly kind: 'rest' };

/** The policy holder's fields: the result or, while the validation runs, a fresh token for its stream. */
export interface HolderNews {
  readonly taskId: string | null;
  readonly taskToken: string | null;
  readonly loginProblem: string | null;
  readonly lastSuccessAt: string | null;
}

export type Outcome = (typeof validationOutcomes)[number];

/** The state of a validation, as far as this computer knows. */
export interface Flow {
  readonly state: ValidationState;
  /** When this state was first reported. */
  readonly sinceMs: number;
  /** When it was last reported, by the stream or by polling. */
  readonly confirmedMs: number;
  readonly startedMs: number;
  /** When the connection last named this validation as running; initially when it was submitted or found. */
  readonly namedMs: number;
  readonly methods: readonly string[];
  readonly message: string | null;
  readonly isCodeRefused: boolean;
  readonly taskId: string | null;
  readonly taskToken: string | null;
  readonly step: Step;
  readonly watchedBy: 'stream' | 'polling' | null;
  readonly interruption: ErrorCode | null;
  readonly outcome: Outcome | null;
  readonly loginProblem: string | null;
  /** When the member's answer was accepted. For a short time the service may still report the previous state. */
  readonly answeredMs: number | null;
  readonly credentialsAreValid: boolean | null;
  readonly isPending: boolean;
  /** Consecutive failures without any news. */
  readonly failures: number;
  /** Streams that ended since the state last changed. */
  readonly reattached: number;
  /** The policy holder's fields after the validation ended. */
  readonly ended: HolderNews | null;
  /** The verdict reported before the validation was found again. */
  readonly verdict: StoredVerdict | null;
}

export type StreamEnding = 'closed' | 'timeout' | 'over' | 'lost' | 'tooLong';

export type FlowEvent =
  | { readonly kind: 'news'; readonly news: ValidationNews; readonly via: 'stream' }
  /** `askedMs`: when the request was sent, if later events matter. */
  | { readonly kind: 'news'; readonly news: ValidationNews; readonly via: 'poll'; readonly askedMs?: number }
  /** The stream is open: a ping arrived. */
  | { readonly kind: 'alive' }
  /** `tooLong`: closed from this side. */
  | { readonly kind: 'streamEnded'; readonly how: StreamEnding }
  | { readonly kind: 'holder'; readonly holder: HolderNews }
  | { readonly kind: 'failed'; readonly step: 'poll' | 'readHolder'; readonly code: ErrorCode }
  | { readonly kind: 'answered'; readonly what: 'method' | 'code' }
  /** The service expects no answer: the state is read again. */
  | { readonly kind: 'answerRefused' };

/** Returns the state of a validation before its first report. */
export const atFirst = {
  state: 'PENDING',
  methods: [],
  message: null,
  isCodeRefused: false,
  credentialsAreValid: null,
  isPending: false,
} as const;

/** Starts the flow of a validation that was just submitted, or was found again with only its ID. */
export const startFlow = (
  {
    taskId,
    taskToken,
    verdict = null,
  }: { taskId: string | null; taskToken: string | null; verdict?: StoredVerdict | null },
  nowMs: number,
): Flow => ({
  ...atFirst,
  sinceMs: nowMs,
  confirmedMs: nowMs,
  startedMs: nowMs,
  namedMs: nowMs,
  taskId,
  taskToken,
  verdict,
  step:
    taskId !== null && taskToken !== null
      ? { kind: 'listen', forMs: maxStateMs }
      : { kind: 'readHolder', afterMs: 0 },
  watchedBy: null,
  interruption: null,
  outcome: null,
  loginProblem: null,
  answeredMs: null,
  failures: 0,
  reattached: 0,
  ended: null,
});
