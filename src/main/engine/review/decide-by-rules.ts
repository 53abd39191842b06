import { addDays, localDayOf, startOfLocalDay } from '../../../rules/days.ts';
import type { DecisionRule } from '../../../rules/decide/decision-rule.ts';
import { toMarkedAct } from '../../../rules/decide/rule-act.ts';
import { standingOf } from '../../../rules/decide/rule-standing.ts';
import { toAmount } from '../../../rules/money/amounts.ts';
import { type RuleMark, toMarkedConditions } from '../../../rules/review/rule-mark.ts';
import { DeskError } from '../../lib/errors.ts';
import type { RuleCounts } from '../store/user-data/rule-decisions.ts';
import type { ActedClaim } from '../store/user-data/write-event.ts';
import { factRulesOf } from '../store/worklists/claim-facts.ts';
import type { listProposed, Proposal } from '../store/worklists/propose.ts';
import type { EventWriter } from './append-event.ts';
import { digestAmountRules } from './digest-amount-rules.ts';
import type { ReviewPorts } from './review-ports.ts';
import type { ReviewUpdater } from './update-reviews.ts';

/** The days over which the outcomes of a rule's decisions are counted. */
const countedDays = 30;
const atOnce = 1_000;

const listRules = async (
  { readRules }: Pick<ReviewPorts, 'readRules'>,
  workspaceId: string,
): Promise<readonly DecisionRule[]> => (await readRules?.(workspaceId)) ?? [];

/** The rules that propose, which include the rules that decide: they propose what they do not decide. */
export const listProposing = async (
  ports: Pick<ReviewPorts, 'readRules'>,
  workspaceId: string,
): Promise<DecisionRule[]> =>
  (await listRules(ports, workspaceId)).filter(({ state }) => state === 'propose' || state === 'do');

const noCounts: RuleCounts = {
  decided: 0,
  overturned: 0,
  checked: 0,
  checkAgreed: 0,
  today: { claims: 0, amount: 0 },
};

/** Each rule with its state, and the outcomes of its decisions. */
export async function readStandings(ports: ReviewPorts, workspaceId: string) {
  const [rules, settings, userData] = await Promise.all([
    listRules(ports, workspaceId),
    ports.getSettings(workspaceId),
    ports.getUserData(workspaceId),
  ]);
  const day = localDayOf(new Date(ports.clock.now()));
  const from = startOfLocalDay(addDays(day, -countedDays) ?? day);
  const versions = Object.fromEntries(rules.map(({ id, version }) => [id, version]));
  const counts = userData.isThere()
    ? await userData.call('countRuleDecisions', { workspaceId, from, day, versions })
    : {};
  const now = { isOfTeam: (settings.team ?? null) !== null, amountRules: digestAmountRules(settings) };
  return rules.map((rule) => {
    const ruleCounts = counts[rule.id] ?? noCounts;
    return { rule, counts: ruleCounts, ...standingOf(rule, ruleCounts, now) };
  });
}

/** The claim of a proposal with what is stored about the rule. `today`: reminders count from this day. */
export function toActedClaim(
  { claimId, reviewed, digest, rule, amounts, open }: Proposal,
  today: string,
): ActedClaim & { readonly detail: { readonly rule: RuleMark } } {
  const { id, version, name, by, confirmedBy, since, conditions, secondLook } = rule;
  const act = toMarkedAct(rule.act, today);
  const mark = {
    id,
    version,
    name,
    by,
    confirmedBy,
    since,
    conditions: toMarkedConditions(conditions),
    act,
    open,
    secondLook,
  };
  return { claimId, reviewed, digest, detail: { rule: mark, ...(amounts !== null && { amounts }) } };
}

/** The proposals of the rules for these claims. */
export async function readProposals(
  ports: ReviewPorts,
  workspaceId: string,
  claimIds: readonly number[],
): Promise<Proposal[]> {
  const proposing = await listProposing(ports, workspaceId);
  if (proposing.length === 0) return [];
  const [store, settings] = await Promise.all([ports.getStore(workspaceId), ports.getSettings(workspaceId)]);
  return store.read('readProposals', { claimIds, rules: { ...factRulesOf(settings), proposing } });
}

/** Adds up what each rule proposes now for these claims, with their open amounts in ten-thousandths of a dollar. */
export async function estimateProposals(ports: ReviewPorts, workspaceId: string, claimIds: Float64Array) {
  const sums = new Map<string, { name: string; claims: number; open: bigint }>();
  for (let at = 0; at < claimIds.length; at += atOnce) {
    const some = Array.from(claimIds.subarray(at, at + atOnce));
    for (const { rule, open } of await readProposals(ports, workspaceId, some)) {
      const sum = sums.get(rule.id) ?? { name: rule.name, claims: 0, open: 0n };
      sums.set(rule.id, { ...sum, claims: sum.claims + 1, open: sum.open + BigInt(open) });
    }
  }
  const byRule = [...sums].map(([ruleId, sum]) => ({ ruleId, ...sum, open: toAmount(sum.open) }));
  return { claims: byRule.reduce((count, { claims }) => count + claims, 0), byRule };
}

/** The claims that a rule may decide today, in their order; the ones beyond its limit stay proposed. */
function takeWithin<T extends { readonly open: number }>(
  claims: readonly T[],
  left: { claims: number; amount: number },
): T[] {
  return claims.filter(({ open }) => {
    if (left.claims < 1 || open > left.amount) return false;
    left.claims -= 1;
    left.amount -= open;
    return true;
  });
}

/** The claims that rules may decide by their events (`listLeftOut`), and that no one has open. */
async function leaveOut<T extends { readonly claimId: number; readonly ruleId: string }>(
  { getUserData, findOpened }: ReviewPorts,
  workspaceId: string,
  proposed: readonly T[],
): Promise<T[]> {
  const claimIds = proposed.map(({ claimId }) => claimId);
  const opened = findOpened?.(workspaceId, claimIds);
  const userData = await getUserData(workspaceId);
  const { touched, undone } = userData.isThere()
    ? await userData.call('listLeftOut', { workspaceId, claimIds })
    : { touched: [], undone: [] };
  const marks = new Set([...touched, ...undone.map(({ ruleId, claimId }) => `${ruleId} ${claimId}`)]);
  return proposed.filter(
    ({ ruleId, claimId }) =>
      opened?.has(claimId) !== true && !marks.has(claimId) && !marks.has(`${ruleId} ${claimId}`),
  );
}

/** The decisions that rules make by themselves, and the undoing of them. */
export function createDecider(ports: ReviewPorts, { appendEach }: EventWriter, { update }: ReviewUpdater) {
  /**
   * Decides the claims for which rules propose something and that they may decide, after a complete sync. A claim that
   * someone has open waits for the next sync; a claim whose decision someone undid stays proposed. Each claim has a
   * separate event, but no second one where the rule already decided it from the same record. If `signal` ends this, or
   * something fails, the decisions made so far are in the audit log and in lists.
   */
  const decideByRules = async (workspaceId: string, signal?: AbortSignal): Promise<void> => {
    if (ports.isReadOnly || !(await listRules(ports, workspaceId)).some(({ state }) => state === 'do'))
      return;
    try {
      await ports.requireWriter?.(workspaceId);
    } catch (thrown) {
      // A reader, or a computer that has not read all of the team's log, decides nothing.
      const isRefused = thrown instanceof DeskError && /^team\.(readOnly|stillReading)$/.test(thrown.code);
      if (isRefused) return;
      throw thrown;
    }
    await ports.updateFacts?.(workspaceId);
    const deciding = (await readStandings(ports, workspaceId)).filter(({ acts }) => acts === 'do');
    const today = localDayOf(new Date(ports.clock.now()));
    const store = await ports.getStore(workspaceId);
    const leftOf = new Map(
      deciding.map(({ rule: { id, perDay }, counts: { today: done } }) => [
        id,
        { claims: perDay.claims - done.claims, amount: perDay.amount - done.amount },
      ]),
    );
    const isLeft = (): boolean =>
      signal?.aborted !== true && [...leftOf.values()].some(({ claims }) => claims > 0);
    let isAny = false;
    let after: number | null = 0;
    try {
      while (after !== null && isLeft()) {
        const rules = [...leftOf].map(([id, left]) => ({ id, amount: left.claims < 1 ? 0 : left.amount }));
        const proposed: ReturnType<typeof listProposed> = await store.read('listProposed', {
          rules,
          after,
          limit: atOnce,
        });
        after = proposed.length < atOnce ? null : (proposed.at(-1)?.claimId ?? null);
        let rest = await leaveOut(ports, workspaceId, proposed);
        while (rest.length > 0 && isLeft()) {
          // Claims beyond the day's limit, by the amounts in lists, are not read.
          const within = new Set(
            [...leftOf].flatMap(([id, left]) =>
              takeWithin(
                rest.filter(({ ruleId }) => ruleId === id),
                { ...left },
              ),
            ),
          );
          if (within.size === 0) break;
          rest = rest.filter((claimId) => !within.has(claimId));
          const claimIds = [...within].map(({ claimId }) => claimId);
          const proposals = await readProposals(ports, workspaceId, claimIds);
          for (const [id, left] of leftOf) {
            const ofRule = proposals
              .filter(({ rule }) => rule.id === id)
              .sort((a, b) => a.claimId - b.claimId);
            const taken = takeWithin(ofRule, left);
            if (taken.length === 0) continue;
            isAny = true;
            const acts = taken.map((proposal) => ({
              fact: { kind: 'byRule', how: 'done' } as const,
              undoes: null,
              claim: toActedClaim(proposal, today),
            }));
            const { claimIds: written, leftOut } = await appendEach(workspaceId, acts);
            const sum = (ids: readonly number[]) => {
              const some = taken.filter(({ claimId }) => ids.includes(claimId));
              return { claims: some.length, amount: some.reduce((amount, { open }) => amount + open, 0) };
            };
            const back = sum(leftOut);
            left.claims += back.claims;
            left.amount += back.amount;
            const done = sum(written);
            const details = { ruleId: id, version: ofRule[0]?.rule.version ?? 0, ...done };
            if (done.claims > 0) await ports.auditRule?.(workspaceId, 'rule.decided', details);
          }
        }
      }
    } finally {
      if (isAny) await update(workspaceId, { reopens: false });
    }
  };

  /**
   * Undoes the decisions of a rule on a day, or all of them, except those that a user confirmed or changed; returns
   * the number of claims.
   */
  const undoRule = async (workspaceId: string, ruleId: string, day: string | null): Promise<number> => {
    if (ports.isReadOnly) throw new DeskError('profile.busy');
    await ports.requireWriter?.(workspaceId);
    const userData = await ports.getUserData(workspaceId);
    if (!userData.isThere()) return 0;
    const undoable = await userData.call('listUndoableByRule', { workspaceId, ruleId, day });
    for (let at = 0; at < undoable.length; at += atOnce)
      await appendEach(
        workspaceId,
        undoable.slice(at, at + atOnce).map(({ claimId, eventId }) => ({
          fact: { kind: 'undo' } as const,
          undoes: eventId,
          claim: { claimId, reviewed: null, digest: null },
        })),
      );
    if (undoable.length > 0) await update(workspaceId, { reopens: true });
    return new Set(undoable.map(({ claimId }) => claimId)).size;
  };

  return { decideByRules, undoRule };
}
