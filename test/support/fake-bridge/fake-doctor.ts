import {
  concludeSteps,
  type DoctorCheck,
  type DoctorFinding,
  type DoctorResult,
  describeCheck,
  describeFinding,
  doctorStepIds,
} from '../../../src/contract/doctor.ts';
import type { FindingCode } from '../../../src/contract/doctor-findings.ts';
import type { Workspace } from '../../../src/contract/workspace.ts';

const allGood: readonly FindingCode[] = [
  ...(['dns.found', 'tcp.open', 'proxy.none', 'tls.verified', 'http.answered', 'clock.right'] as const),
  ...(['keychain.ready', 'key.ready', 'token.sound', 'acceptance.accepted'] as const),
  ...(['permission.granted', 'rateLimit.free', 'reply.fits'] as const),
];
const facts = { validUntil: '2027-01-31', status: 401, requestId: 'req_7fd0c2a9', off: '90 seconds behind' };
const fingerprint = 'SHA256:kA7fP0cXw2n1qZ0yJm9gq3H8Tt5uVbLrC4dEe6sFiGo';

/**
 * What the fake doctor finds, by the workspace: without a key, no key; with one that is at odds with the
 * service, the ambiguous refusal; the sample works.
 */
export function examineFake(workspace: Workspace): DoctorResult {
  const codes: FindingCode[] = [...allGood];
  if (workspace.keyId === null) {
    codes[doctorStepIds.indexOf('key')] = 'key.none';
    for (const id of ['token', 'acceptance', 'permission', 'reply'] as const) {
      codes[doctorStepIds.indexOf(id)] = 'step.notTried';
    }
  } else if (!workspace.isSample) {
    codes[doctorStepIds.indexOf('clock')] = 'clock.off';
    codes[doctorStepIds.indexOf('acceptance')] = 'acceptance.refused';
    for (const id of ['permission', 'reply'] as const) codes[doctorStepIds.indexOf(id)] = 'step.notTried';
  }
  const registrationUrl = `${workspace.baseUrl}/settings/ssh`;
  const steps = doctorStepIds.map((id, index) => {
    const code = codes[index] ?? 'step.notTried';
    const shown: DoctorFinding['shown'] = id === 'acceptance' ? { host: 'claims.example.com' } : {};
    const checks: DoctorCheck[] =
      code === 'acceptance.refused'
        ? [
            describeCheck('check.registered', { fingerprint, registrationUrl }),
            describeCheck('check.otherAccount', { registrationUrl }),
            describeCheck('check.emailTyped'),
            describeCheck('check.otherKey', { fingerprint }),
          ]
        : [];
    return describeFinding({ id, code, durationMs: 3 + index, facts, shown }, checks);
  });
  const startedAt = new Date().toISOString();
  const report = ['Claimdesk connection report', ...steps.map(({ sentence }) => sentence)].join('\n');
  return { workspaceId: workspace.id, ...concludeSteps(steps), startedAt, durationMs: 412, steps, report };
}
