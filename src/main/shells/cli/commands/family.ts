import { writeDecimals } from '../../../../rules/money/amounts.ts';
import { sayAccountStep } from '../../../../rules/plans/account-layers.ts';
import type { FamilyMeter } from '../../../../rules/plans/accumulators.ts';
import type { Amount } from '../../../../rules/query.ts';
import { DeskError } from '../../../lib/errors.ts';
import type { Printer } from '../output.ts';
import { type Command, parseId, parseReason } from '../parse-command.ts';
import { inWorkspace } from '../run-in-session.ts';
import { readPlanRules } from './plan-rules.ts';

const toDollars = (amount: number): number => amount / 10_000;
const sumInDollars = (amount: Amount): number => Number(writeDecimals(amount));
const format = (amount: number): string =>
  toDollars(amount).toLocaleString('en-US', { style: 'currency', currency: 'USD' });

const amountNames: ReadonlySet<string> = new Set([
  ...['used', 'limit', 'remaining', 'applied', 'amount', 'carriedOver', 'deductible', 'outOfPocket'],
  ...['base', 'share', 'before', 'ofPerson', 'ofFamily', 'after'],
]);

function inDollars(value: unknown, name = ''): unknown {
  if (typeof value === 'number') return amountNames.has(name) ? toDollars(value) : value;
  if (Array.isArray(value)) return value.map((entry) => inDollars(entry, name));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inDollars(inner, key)]));
}

/** The printed form of a meter: persons by number, and the account's part of each claim with a sentence. */
const describe = (family: FamilyMeter) => ({
  ...family,
  claims: family.claims.map(({ shares, account, ...claim }) => ({
    ...claim,
    shares: shares.map(({ person, family: all, after }) => ({ ofPerson: person, ofFamily: all, after })),
    account: account && { ...account, sentence: sayAccountStep(account, format) },
  })),
});

/**
 * `claimdesk family`: prints the progress of a member's family in a plan year or, with `--try`, how other plan rules of
 * the member's employer would change it.
 */
export async function runFamily(command: Command, output: Printer): Promise<number> {
  const reason = parseReason(command.options);
  const memberId = parseId(command.words[1]);
  const { 'plan-year': planYear, try: file } = command.options;
  const tried = file === undefined ? undefined : await readPlanRules(file);
  return inWorkspace(command, 'ifFree', async (session, workspaceId) => {
    const engine = await session.getEngine();
    const answer = await session.call('accumulators:family', {
      workspaceId,
      memberId,
      planYear,
    });
    const query = { entity: 'members' as const, includesArchived: true, includesMissing: true };
    await engine.auditListed({
      workspaceId,
      source: {
        kind: 'list',
        query: { ...query, conditions: [{ field: 'id', operator: 'is', values: [memberId] }] },
      },
      rows: answer.families.reduce((sum, { claims }) => sum + claims.length, 1),
      recordId: memberId,
      isSsnShown: false,
      reason,
    });
    if (tried === undefined) {
      const { memberName, planYears, families } = answer;
      if (planYear !== undefined && families.length === 0) throw new DeskError('record.unknown');
      await output.json({ memberName, planYears, families: inDollars(families.map(describe)) });
      return;
    }
    const { member } = await session.call('records:getMember', { workspaceId, id: memberId, isLookup: true });
    const employerId = answer.families[0]?.employerId ?? member.employer?.id ?? null;
    const rules = { workspaceId, employerId, rules: tried };
    const { current, tried: after, ...rest } = await session.call('accumulators:try', rules);
    const effect = ({ eligible, ...counts }: typeof current) => ({
      eligible: sumInDollars(eligible),
      ...counts,
    });
    await output.json({
      ...rest,
      current: effect(current),
      tried: effect(after),
      changed: rest.changed.map((change) => ({
        ...change,
        current: change.current === null ? null : toDollars(change.current),
        tried: change.tried === null ? null : toDollars(change.tried),
      })),
    });
  });
}
