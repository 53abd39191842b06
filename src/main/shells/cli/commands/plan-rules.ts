import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { settingsOf } from '../../../../contract/workspace-settings.ts';
import { employerKeyOf, serviceOf } from '../../../../rules/money/reimbursement.ts';
import { inPlanDollars, type PlanRules, readPlanDollars } from '../../../../rules/plans/plan-rules.ts';
import type { Printer } from '../output.ts';
import { type Command, parseId } from '../parse-command.ts';
import { inSession } from '../run-in-session.ts';
import { UsageError } from '../usage.ts';

/** Plan rules from a file of JSON with amounts in dollars; null: none. @throws UsageError */
export async function readPlanRules(path: string): Promise<PlanRules | null> {
  const text = await readFile(resolve(path), 'utf8').catch(() => {
    throw new UsageError(`can’t read ${path}`);
  });
  try {
    const value: unknown = JSON.parse(text);
    return value === null ? null : readPlanDollars(value);
  } catch {
    throw new UsageError(`${path} has no plan rules; \`claimdesk help\` shows their form at plan-rules`);
  }
}

/** `claimdesk plan-rules`: prints the plan rules of an employer, or of all others, and sets them from a file before. */
export async function runPlanRules(command: Command, output: Printer): Promise<number> {
  const { employer, file } = command.options;
  const employerId = employer === undefined ? null : parseId(employer);
  const newRules = file === undefined ? undefined : await readPlanRules(file);
  return inSession(command, newRules !== undefined, async (session) => {
    const workspace = await session.findWorkspace();
    const key = employerKeyOf(serviceOf(workspace), employerId);
    const read = async () => settingsOf(await session.call('settings:get', {}), workspace).planRules;
    if (newRules !== undefined && workspace.team !== undefined) {
      const value = newRules === null ? {} : { value: newRules };
      const changes = [{ setting: 'planRules' as const, employerId, ...value }];
      await session.call('team:changeSettings', { workspaceId: workspace.id, changes });
      await session.call('team:sync', { workspaceId: workspace.id });
    } else if (newRules !== undefined) {
      const { [key]: _before, ...others } = await read();
      await session.call('settings:set', {
        planRules: newRules === null ? others : { ...others, [key]: newRules },
      });
    }
    const rules = (await read())[key];
    await output.json({ employerId, rules: rules === undefined ? null : inPlanDollars(rules) });
    return undefined;
  });
}
