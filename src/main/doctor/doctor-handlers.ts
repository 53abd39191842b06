import {
  concludeSteps,
  type DoctorCheck,
  type DoctorFinding,
  type DoctorResult,
  type DoctorStep,
  describeCheck,
  describeFinding,
  finding,
} from '../../contract/doctor.ts';
import { addedStepIds, doctorStepIds } from '../../contract/doctor-steps.ts';
import type { MainHandlers } from '../../contract/procedures.ts';
import { type DeskState, requireAllowed, spaceOf } from '../desk/desk-state.ts';
import type { StoredKey } from '../keys/key-files.ts';
import type { NetworkDiagnosis } from '../lib/engine-protocol.ts';
import { watchLoad } from '../lib/watch-load.ts';
import { readAcceptedOffset } from '../workspaces/workspace-book.ts';
import { createTimeLimit, examineKey, examineToken } from './doctor-local-steps.ts';

const outcomes = {
  works: 'Connected.',
  attention: 'Connected, with warnings.',
  broken: 'Not connected.',
} as const satisfies Record<DoctorResult['outcome'], string>;

const signs = { ok: 'ok', failed: 'FAILED', warning: 'warning', skipped: 'skipped' } as const;

/** Facts that are already part of the sentences. */
const textFacts = new Set(['off', 'wait']);

interface ReportParts extends Pick<DoctorResult, 'outcome' | 'cause' | 'startedAt' | 'steps'> {
  readonly version: string;
  readonly shell: string;
  readonly platform: string;
}

/**
 * The text that you send to IT or to the service's support. It holds the doctor's sentences and facts that are
 * numbers, codes and dates. Hosts, the names in a certificate and fingerprints, which the screen shows as well, are
 * left out, because they identify the connection.
 */
export function formatReport(parts: ReportParts): string {
  const lines = [
    'Claimdesk connection report',
    `Made ${parts.startedAt} by Claimdesk ${parts.version} (${parts.shell}, ${parts.platform})`,
    outcomes[parts.outcome],
    ...(parts.cause === null ? [] : [`Cause: ${parts.cause}`]),
    '',
  ];
  parts.steps.forEach((step, index) => {
    lines.push(`${index + 1}. ${step.id}: ${signs[step.status]} (${step.code}, ${step.durationMs} ms)`);
    lines.push(`   ${step.sentence}`);
    if (step.remedy !== null) lines.push(`   What to do: ${step.remedy}`);
    step.checks.forEach(({ sentence }, at) => {
      lines.push(`   ${String.fromCharCode(97 + at)}) ${sentence}`);
    });
    const facts = Object.entries(step.facts).filter(([name]) => !textFacts.has(name));
    if (facts.length > 0) lines.push(`   ${facts.map(([name, value]) => `${name} ${value}`).join(', ')}`);
  });
  return `${lines.join('\n')}\n`;
}

/** The engine's examination takes four seconds at most; an engine that needs longer is reported as ended. */
const engineLimitMs = 4_300;
/** The time limit for keychain, key and token together. */
const localLimitMs = 4_500;

/**
 * The connection doctor. Main examines the keychain, the key and the token, and the engine the network, at the same
 * time. The findings of both are returned in one order.
 */
export function createDoctorHandlers(state: DeskState) {
  return {
    'doctor:run': async ({ workspaceId }) => {
      const { clock, version, shell } = state.ports;
      const startedAt = new Date(clock.now()).toISOString();
      const began = performance.now();
      const space = await spaceOf(state, workspaceId);
      const workspace = await space.book.get(workspaceId);
      requireAllowed(state, space, workspace.baseUrl);
      const within = createTimeLimit(localLimitMs);
      const [local, network] = await Promise.all([
        examineKey(space, workspace, within),
        askEngine(state, workspaceId),
      ]);
      const { offsetSeconds } = network;
      const tokenRequest = {
        email: workspace.email,
        baseUrl: workspace.baseUrl,
        offsetSeconds,
        acceptedOffsetSeconds: readAcceptedOffset(workspace, clock.now()),
        nowMs: clock.now,
      };
      const token = await examineToken(space, local.key, tokenRequest, within);
      const keyId = workspace.keyId;
      const stored = keyId === null ? null : await space.keyRing.get(keyId).catch(() => null);
      const steps = mergeSteps([...network.findings, ...local.findings, token], (finding) =>
        listChecks(finding, { key: stored, baseUrl: workspace.baseUrl, network }),
      );
      const conclusion = concludeSteps(steps);
      const durationMs = Math.round(performance.now() - began);
      state.ports.log.write('doctor.finished', { durationMs });
      const report = formatReport({
        ...conclusion,
        startedAt,
        steps,
        version,
        shell,
        platform: process.platform,
      });
      return { workspaceId, ...conclusion, startedAt, durationMs, steps, report };
    },
  } satisfies MainHandlers;
}

/** Asks the engine for its findings; an engine that has ended or does not answer becomes a finding. */
async function askEngine(state: DeskState, workspaceId: string): Promise<NetworkDiagnosis> {
  const load = watchLoad();
  const silent = (code: 'step.noEngine' | 'step.notInTime' = 'step.noEngine'): NetworkDiagnosis => ({
    findings: [finding('http', code)],
    offsetSeconds: 0,
    isAnswerTheSame: false,
  });
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<NetworkDiagnosis>((resolve) => {
    const end = (): void => resolve(silent(load.isBusy() ? 'step.notInTime' : 'step.noEngine'));
    timer = setTimeout(end, engineLimitMs);
  });
  const answer = state
    .getEngine()
    .then((engine) => engine.diagnose({ workspaceId }))
    .catch(() => silent());
  return Promise.race([answer, tooLate]).finally(() => {
    clearTimeout(timer);
    load.end();
  });
}

/** One step for each thing that the doctor looks at, in its order; one without a finding was not tried. */
export function mergeSteps(
  findings: readonly DoctorFinding[],
  checksOf: (finding: DoctorFinding) => DoctorCheck[] = () => [],
): DoctorStep[] {
  const added = addedStepIds.filter((id) => findings.some((result) => result.id === id));
  return [...doctorStepIds, ...added].map((id) => {
    const result = findings.find((candidate) => candidate.id === id) ?? finding(id, 'step.notTried');
    return describeFinding(result, checksOf(result));
  });
}

/**
 * Lists what to check after the service refused a request without a reason (docs/service.md, "SSH-JWT"), most
 * likely first.
 */
export function listChecks(
  { code }: Pick<DoctorFinding, 'code'>,
  context: {
    key: Pick<StoredKey, 'fingerprint' | 'provenAt'> | null;
    baseUrl: string;
    network: Pick<NetworkDiagnosis, 'isAnswerTheSame'>;
  },
): DoctorCheck[] {
  if (code === 'permission.refused')
    return [describeCheck('check.networkAddress'), describeCheck('check.accountRights')];
  if (code !== 'acceptance.refused') return [];
  const registrationUrl = `${context.baseUrl.replace(/\/$/, '')}/settings/ssh`;
  const shown = context.key === null ? {} : { fingerprint: context.key.fingerprint };
  const wasAccepted = context.key !== null && context.key.provenAt !== null;
  return [
    describeCheck(wasAccepted ? 'check.registeredStill' : 'check.registered', { ...shown, registrationUrl }),
    describeCheck('check.otherAccount', { registrationUrl }),
    describeCheck('check.emailTyped'),
    describeCheck('check.otherKey', shown),
    ...(context.network.isAnswerTheSame ? [describeCheck('check.scheme')] : []),
  ];
}
