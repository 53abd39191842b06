import { setTimeout as wait } from 'node:timers/promises';
import { type DoctorFinding, finding } from '../../../contract/doctor.ts';
import type { FindingCode } from '../../../contract/doctor-steps.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';
import { answerOf, type TeamClient } from './team-client.ts';

type TeamStepId = 'teamServer' | 'teamClock' | 'teamStream';

/** Limits for the server's answer, and for the first bytes of its event stream. */
const limits = { answerMs: 2_000, streamMs: 1_500 };
/** How far a computer's clock may differ for the server to accept its signatures. */
const clockToleranceSeconds = 60;

/** The findings by the error of the request below HTTP. */
const codeOfCause: Readonly<Record<string, FindingCode>> = {
  'service.nameUnknown': 'team.nameUnknown',
  'service.tlsRefused': 'team.badCertificate',
  'service.redirected': 'team.otherAnswer',
};
/** The findings by the server's own code, then by Claimdesk's. */
const codeOfError: Readonly<Record<string, FindingCode>> = {
  'request.notFound': 'team.otherVersion',
  'server.busy': 'team.troubled',
  'server.failed': 'team.troubled',
  'store.unavailable': 'team.troubled',
  'store.full': 'team.troubled',
  'request.tooMany': 'team.troubled',
  'token.expired': 'team.clockRefused',
  'team.notMember': 'team.notMember',
  'team.clockDiffers': 'team.clockRefused',
  'team.serverDiffers': 'team.otherAnswer',
  'team.answerCut': 'team.otherAnswer',
  'team.serverNotAllowed': 'team.notAllowed',
};

function findFailure(thrown: unknown): FindingCode {
  const { code, cause } = toDeskError(thrown);
  const finding = codeOfError[answerOf(thrown) ?? ''] ?? codeOfError[code];
  if (finding !== undefined) return finding;
  // An answer that is not from a team server has no cause.
  if (code === 'team.unreachable' && cause === undefined) return 'team.otherAnswer';
  return codeOfCause[String(cause)] ?? 'team.noConnection';
}

/**
 * Finds why a team's server cannot be used, or why its news is late: its answer to a member, the clock, and whether its
 * event stream gets through. Never rejects.
 */
export async function diagnoseTeam(
  client: Pick<TeamClient, 'head' | 'live' | 'now'>,
  ownNow: () => number,
  { answerMs, streamMs } = limits,
): Promise<Record<TeamStepId, DoctorFinding>> {
  const began = performance.now();
  try {
    const late = wait(answerMs, null, { ref: false });
    const head = await Promise.race([client.head(), late]);
    if (head === null) throw new DeskError('team.unreachable', { cause: 'service.timeout' });
    const teamServer = finding('teamServer', 'team.connected', { tookMs: performance.now() - began });
    const offsetSeconds = Math.round((client.now() - ownNow()) / 1_000);
    const isOff = Math.abs(offsetSeconds) > clockToleranceSeconds;
    const teamClock = isOff
      ? finding('teamClock', 'team.clockOff', { facts: { offsetSeconds } })
      : finding('teamClock', 'team.clockRight');
    const isReceived = await receives(client, head.number, streamMs);
    const streamCode = isReceived ? 'team.streamOpen' : 'team.streamHeld';
    return { teamServer, teamClock, teamStream: finding('teamStream', streamCode) };
  } catch (thrown) {
    return {
      teamServer: finding('teamServer', findFailure(thrown), { tookMs: performance.now() - began }),
      teamClock: finding('teamClock', 'step.notTried'),
      teamStream: finding('teamStream', 'step.notTried'),
    };
  }
}

/** Whether the event stream sends anything in time. */
async function receives(client: Pick<TeamClient, 'live'>, number: number, limitMs: number): Promise<boolean> {
  const ended = new AbortController();
  const received = new Promise<boolean>((resolve) => {
    const ignore = () => undefined;
    const on = { signal: ended.signal, onHead: ignore, onEntries: ignore, onLeases: ignore };
    client
      .live(number, { ...on, onBytes: () => resolve(true) })
      .catch(() => undefined)
      .finally(() => resolve(false));
  });
  const isReceived = await Promise.race([received, wait(limitMs, false, { ref: false })]);
  ended.abort();
  return isReceived;
}
