import type { DoctorCheck, DoctorResult, DoctorStep } from '../../../../contract/doctor.ts';
import type { Printer } from '../output.ts';
import type { Command } from '../parse-command.ts';
import { inWorkspace } from '../run-in-session.ts';

/**
 * `claimdesk doctor`: finds out why a connection does not work and what to do. With --json, one line per step and one
 * for the result, which contains the report for support. With --accept-clock, a service's clock that is far off is
 * accepted for a day. Exit 0 only if nothing has to be fixed.
 */
export async function runDoctorCommand(command: Command, output: Printer): Promise<number> {
  const acceptsClock = command.options['accept-clock'] === true;
  return inWorkspace(command, acceptsClock, async (session, workspaceId) => {
    let result = await session.call('doctor:run', { workspaceId });
    const offsetSeconds = result.steps.find(({ code }) => code === 'clock.skewed')?.facts.offsetSeconds;
    if (acceptsClock && offsetSeconds !== undefined) {
      await session.call('workspaces:acceptClock', { workspaceId, offsetSeconds });
      result = await session.call('doctor:run', { workspaceId });
    }
    if (command.options.json === true) {
      const { steps, ...rest } = result;
      for (const step of steps) await output.json({ event: 'step', ...step });
      await output.json({ event: 'done', ...rest });
    } else for (const line of formatResult(result)) await output.line(line);
    return result.outcome === 'works' ? 0 : 1;
  });
}

const marks = { ok: 'ok     ', failed: 'FAILED ', warning: 'warning', skipped: 'skipped' } as const;

/** The result for a terminal, including hosts and fingerprints, which the report for support leaves out. */
function formatResult(result: DoctorResult): string[] {
  const odd = result.steps.filter(({ status }) => status === 'failed' || status === 'warning');
  return [
    ...result.steps.map((step) => `${marks[step.status]}  ${step.id.padEnd(10)}  ${step.sentence}`),
    '',
    ...(odd.length === 0 ? ['Connected.'] : odd.flatMap(formatRemedy)),
  ];
}

function formatRemedy(step: DoctorStep): string[] {
  const facts = Object.entries({ ...step.shown, ...step.facts })
    .filter(([name]) => name !== 'off' && name !== 'wait')
    .map(([name, value]) => `${name} ${value}`);
  return [
    `${step.code}: ${step.sentence}`,
    `  What to do: ${step.remedy ?? ''}`,
    ...step.checks.flatMap(formatCheck),
    ...(facts.length === 0 ? [] : [`  (${facts.join(', ')})`]),
    '',
  ];
}

function formatCheck({ sentence, shown }: DoctorCheck, index: number): string[] {
  const aids = Object.values(shown).map((value) => `       ${value}`);
  return [`    ${index + 1}. ${sentence}`, ...aids];
}
