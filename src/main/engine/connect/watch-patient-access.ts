import type { PatientAccess } from '../../../contract/carrier-connections.ts';
import {
  type PatientAccessStatus,
  patientAccessStatusSchema,
} from '../../../contract/carrier-connections.ts';
import type { ErrorCode } from '../../../contract/error-codes.ts';
import { isLoopbackHttp } from '../../../contract/service-address.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';
import type { PatientAccessReply } from '../service/connect/connect-replies.ts';
import { sleepFor } from '../service/data-api.ts';
import type { StoredPatientAccess } from './connect-file.ts';

/** The state of a sign-in at a carrier's page. */
export interface SignIn {
  readonly phase: PatientAccess['phase'];
  readonly status: PatientAccessStatus;
  readonly policyHolderId: number | null;
  /** The carrier's own text. */
  readonly message: string | null;
  readonly interruption: ErrorCode | null;
  readonly startedMs: number;
}

export interface SignInEntry {
  readonly stored: StoredPatientAccess;
  readonly watch: ReturnType<typeof watchSignIn>;
}

/** A page left open for longer counts as abandoned. */
const abandonedAfterMs = 30 * 60_000;

/** Returns the state after the service reported its status or could not be reached. An ended state does not change. */
export function nextSignIn(signIn: SignIn, answer: PatientAccessReply | ErrorCode, nowMs: number): SignIn {
  if (isOver(signIn)) return signIn;
  const isLate = nowMs - signIn.startedMs > abandonedAfterMs;
  if (typeof answer === 'string') {
    // The service no longer has the session.
    if (answer === 'connect.notFound' || isLate) return { ...signIn, phase: 'abandoned', interruption: null };
    return { ...signIn, interruption: answer };
  }
  const status = patientAccessStatusSchema.safeParse(answer.status).data ?? signIn.status;
  const updated = { ...signIn, status, message: answer.error, interruption: null };
  if (status === 'SUCCESS') return { ...updated, phase: 'connected', policyHolderId: answer.ph_id };
  if (status === 'FAILURE') return { ...updated, phase: 'failed' };
  return isLate ? { ...updated, phase: 'abandoned' } : updated;
}

export const isOver = ({ phase }: SignIn): boolean => phase !== 'ready' && phase !== 'waiting';

/** Describes the state in plain sentences. */
export function describeSignIn(signIn: SignIn): Pick<PatientAccess, 'sentence' | 'nextStep'> {
  switch (signIn.phase) {
    case 'ready':
      return {
        sentence: 'The carrier’s page is ready.',
        nextStep: 'Check the address, open the page, and let the member sign in there.',
      };
    case 'waiting':
      return {
        sentence: 'The member signs in at the carrier’s page.',
        nextStep:
          signIn.interruption === null ? null : 'Claimdesk can’t reach the service now, and keeps trying.',
      };
    case 'connected':
      return { sentence: 'The member has agreed; the carrier is connected.', nextStep: null };
    case 'failed':
      return {
        sentence: 'The sign-in at the carrier’s page did not succeed.',
        nextStep: 'Start it again, or choose another carrier.',
      };
    default:
      return { sentence: 'The sign-in at the carrier’s page wasn’t finished.', nextStep: 'Begin it again.' };
  }
}

/**
 * Polls until the sign-in ends, every few seconds and after two minutes more slowly (docs/service.md, "Connect calls").
 */
export function watchSignIn(
  begun: SignIn,
  ports: {
    readonly ask: (signal: AbortSignal) => Promise<PatientAccessReply>;
    readonly now: () => number;
    readonly onChange: (signIn: SignIn) => void;
    readonly pauseMs?: number;
  },
) {
  const stopping = new AbortController();
  let signIn = begun;
  const set = (next: SignIn): void => {
    if (next === signIn) return;
    signIn = next;
    ports.onChange(signIn);
  };
  const run = async (): Promise<void> => {
    while (!isOver(signIn)) {
      const pauseMs = (ports.now() - signIn.startedMs > 120_000 ? 2 : 1) * (ports.pauseMs ?? 5_000);
      await sleepFor(pauseMs, stopping.signal).catch(() => undefined);
      if (stopping.signal.aborted) return;
      const answer = await ports.ask(stopping.signal).catch((thrown: unknown) => toDeskError(thrown).code);
      if (stopping.signal.aborted) return;
      set(nextSignIn(signIn, answer, ports.now()));
    }
  };
  const ended = run();
  return {
    get signIn() {
      return signIn;
    },
    markOpened(): void {
      if (signIn.phase === 'ready') set({ ...signIn, phase: 'waiting' });
    },
    async stop(): Promise<void> {
      stopping.abort();
      await ended;
    },
  };
}

/**
 * Checks the address of the carrier's page: https, or http where the service itself is on this computer, and no name or
 * password in it.
 *
 * @throws DeskError `connect.badCarrierUrl`
 */
export function checkCarrierUrl(address: string, baseUrl: string): URL {
  const url = URL.parse(address);
  const isFine =
    url !== null &&
    url.username === '' &&
    url.password === '' &&
    (url.protocol === 'https:' || (isLoopbackHttp(url) && isLoopbackHttp(new URL(baseUrl))));
  if (!isFine) throw new DeskError('connect.badCarrierUrl');
  return url;
}
