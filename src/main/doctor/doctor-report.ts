import type { DoctorResult } from '../../contract/doctor.ts';

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
 * The text that a person sends to IT or to the service's support. It holds the doctor's sentences and facts that are
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
