import type { ClaimGroup, ReviewDone, ReviewFact } from '../../../contract/review.ts';
import { isOpenIn } from '../../../contract/run-facts.ts';
import {
  type LeftOutReason,
  leftOutReasons,
  maxListed,
  type Run,
  type RunStep,
} from '../../../contract/run-procedures.ts';
import { DeskError } from '../../lib/errors.ts';
import type { FoldedReview } from '../store/record/review-facts.ts';
import type { ListedEvent } from '../store/user-data/list-events.ts';
import type { ActedClaim } from '../store/user-data/reviews.ts';
import type { RunClaim, RunRow } from '../store/worklists/read-runs.ts';
import type { ActOn } from './act-on-claims.ts';
import { inParts } from './append-event.ts';
import type { Freezer } from './freeze-claims.ts';
import { readOpen } from './pay-open.ts';
import { type ClaimReader, readAtOnce } from './read-claims.ts';
import type { ReviewPorts } from './review-ports.ts';
import { isInRun, isToPay, markOf, sumStates, totalsOf } from './run-totals.ts';
import { chooseGroups, type Selection } from './selections.ts';
import type { Settling } from './settle-reviews.ts';
import { withoutNewer } from './without-newer.ts';

interface Chosen {
  readonly selectionId: string;
  readonly groups?: readonly ClaimGroup[] | undefined;
}
type Judged =
  | { readonly claimId: number; readonly amount: number; readonly after: readonly string[] }
  | { readonly claimId: number; readonly reason: LeftOutReason; readonly run?: string };

/** Whether a claim can be put into a run, and with which amount. */
function judge(
  claimId: number,
  { open, review }: { readonly open: number | null; readonly review: FoldedReview | undefined },
): Judged {
  const runs = review?.runs ?? [];
  const other = runs.find(({ state }) => isOpenIn(state));
  if (other !== undefined) return { claimId, reason: 'inRun', run: other.name };
  if (!isToPay(review)) return { claimId, reason: 'notDecided' };
  if (open === null) return { claimId, reason: 'notKnown' };
  if (open <= 0) return { claimId, reason: 'nothingOpen' };
  return {
    claimId,
    amount: open,
    after: runs.filter(({ state }) => state === 'recorded').map(({ id }) => id),
  };
}

const noValues = (claimId: number, detail?: ActedClaim['detail']): ActedClaim => ({
  ...{ claimId, reviewed: null, digest: null },
  ...(detail === undefined ? {} : { detail }),
});

const nothingDone = { eventId: null, claims: 0, leftOut: [], notKnown: [], needsSecond: [] };

/** Reimbursement runs, as events of the reviews of their claims. */
export function createRuns(
  ports: ReviewPorts,
  { readParts }: ClaimReader,
  { selections, findSelected }: Freezer,
  { inQueue, settleOnce }: Settling,
  {
    actOn,
    undo,
  }: { actOn: ActOn; undo: (workspaceId: string, eventId: string, reason: string) => Promise<ReviewDone> },
) {
  const judgeAll = async (workspaceId: string, claimIds: Float64Array): Promise<Judged[]> => {
    const judged: Judged[] = [];
    for (let at = 0; at < claimIds.length; at += readAtOnce) {
      const open = await readOpen(ports, workspaceId, Array.from(claimIds.subarray(at, at + readAtOnce)));
      for (const [claimId, now] of open) judged.push(judge(claimId, now));
    }
    return judged;
  };
  /**
   * What members owe back of claims that are in no open run, by claim, at most what these payable claims pay the member.
   */
  const findOffsets = async (workspaceId: string, rows: readonly (RunClaim & { amount: number })[]) => {
    const left = new Map<number, number>();
    for (const { memberId, amount } of rows)
      if (memberId !== null) left.set(memberId, (left.get(memberId) ?? 0) + amount);
    const store = await ports.getStore(workspaceId);
    const owed = await store.read('readOwedClaims', { memberIds: [...left.keys()] });
    const now = await readOpen(
      ports,
      workspaceId,
      owed.map(({ claimId }) => claimId),
    );
    const offsets: { claimId: number; amount: number; after: readonly string[] }[] = [];
    for (const { claimId, memberId } of owed) {
      const { owed: isOwed = 0, review } = now.get(claimId) ?? {};
      const runs = review?.runs ?? [];
      const amount = Math.min(isOwed ?? 0, left.get(memberId) ?? 0);
      if (amount <= 0 || runs.some(({ state }) => isOpenIn(state))) continue;
      left.set(memberId, (left.get(memberId) ?? 0) - amount);
      const after = runs.filter(({ state }) => state === 'recorded').map(({ id }) => id);
      offsets.push({ claimId, amount: -amount, after });
    }
    return offsets;
  };
  const readAmounts = async (workspaceId: string, amounts: ReadonlyMap<number, number>) => {
    const store = await ports.getStore(workspaceId);
    const rows = await store.read('readRunClaims', { claimIds: [...amounts.keys()] });
    return rows.map((row) => ({ ...row, amount: amounts.get(row.claimId) as number }));
  };
  const choose = (workspaceId: string, { selectionId, groups }: Chosen): Selection =>
    chooseGroups(selections.get(workspaceId, selectionId), groups);
  /** One act of runs at a time, so that each sees the runs of the one before. */
  const inTurn = <T>(workspaceId: string, act: () => Promise<T>): Promise<T> =>
    inQueue(`runs ${workspaceId}`, act);

  const listEvents = async (workspaceId: string, runId: string | null): Promise<ListedEvent[]> => {
    const userData = await ports.getUserData(workspaceId);
    return userData.isThere() ? userData.call('listRunEvents', { workspaceId, runId }) : [];
  };
  const toRun = (event: ListedEvent, byState: Run['byState']): Run[] => {
    const { id, at, author, fact } = event;
    if (fact.kind !== 'run') return [];
    const { name, account, claims, amount } = fact;
    return [{ id, name, account, at, author, made: { claims, amount }, ...sumStates(byState) }];
  };
  /** @throws DeskError `run.unknown` */
  const readRun = async (workspaceId: string, runId: string) => {
    await settleOnce(workspaceId);
    const events = await listEvents(workspaceId, runId);
    const store = await ports.getStore(workspaceId);
    const rows = await store.read('readRunRows', { runId });
    const states = Map.groupBy(rows, ({ state }) => state);
    const byState = [...states].map(([state, some]) => ({
      ...{ state, claims: some.length },
      amount: some.reduce((sum, { amount }) => sum + amount, 0),
    }));
    const made = events.find(({ id }) => id === runId);
    const [run] = made === undefined ? [] : toRun(made, byState);
    if (run === undefined) throw new DeskError('run.unknown');
    return { run, rows, events };
  };

  /** Appends a step about these claims. @throws DeskError `run.wrongStep` where there are none */
  const takeStep = async (
    workspaceId: string,
    fact: ReviewFact,
    claims: readonly ActedClaim[],
  ): Promise<ReviewDone> => {
    if (claims.length === 0) throw new DeskError('run.wrongStep');
    const leftOut: number[] = [];
    const parts = withoutNewer(ports, workspaceId, inParts(claims), leftOut);
    return { ...(await actOn(workspaceId, parts, { fact })), leftOut, notKnown: [] };
  };

  const record = async (
    workspaceId: string,
    { run, rows }: { readonly run: Run; readonly rows: readonly RunRow[] },
    day: string,
  ): Promise<ReviewDone> => {
    const sent = new Map(
      rows.flatMap(({ claimId, state, amount }) => (state === 'sent' ? [[claimId, amount] as const] : [])),
    );
    if (sent.size === 0) throw new DeskError('run.wrongStep');
    const leftOut: number[] = [];
    const keep = async function* (claimIds: readonly number[]): AsyncGenerator<ActedClaim[]> {
      // With the claims' current values, so that a later change of what is eligible is found.
      for await (const { ids, found } of readParts(workspaceId, Float64Array.from(claimIds))) {
        const there = new Set(found.map(({ claimId }) => claimId));
        leftOut.push(...ids.filter((claimId) => !there.has(claimId)));
        yield found.map((one) => ({
          ...one,
          detail: { payments: [{ amount: Math.abs(sent.get(one.claimId) as number), day }] },
        }));
      }
    };
    const pay = (payment: 'reimbursed' | 'offset', isWanted: (amount: number) => boolean) => {
      const claimIds = [...sent].flatMap(([claimId, amount]) => (isWanted(amount) ? [claimId] : []));
      const parts = withoutNewer(ports, workspaceId, keep(claimIds), leftOut);
      const { account } = run;
      const fact = { kind: 'payment', payment, amount: null, day: null, account, run: run.id } as const;
      return actOn(workspaceId, parts, { fact });
    };
    // What is owed back first: the run stays sent until its payments are recorded as well.
    const offsets = await pay('offset', (amount) => amount < 0);
    const paid = await pay('reimbursed', (amount) => amount >= 0);
    return { ...paid, claims: paid.claims + offsets.claims, leftOut, notKnown: [] };
  };

  const leave = (
    workspaceId: string,
    { run, rows }: { readonly run: Run; readonly rows: readonly RunRow[] },
    reasons: ReadonlyMap<number, string>,
    reason: string | null,
  ): Promise<ReviewDone> => {
    const claims = rows.flatMap((row) => {
      const own = reasons.get(row.claimId);
      if (own === undefined || !isInRun(row)) return [];
      return [noValues(row.claimId, reason === null ? { reason: own } : undefined)];
    });
    return takeStep(workspaceId, { kind: 'runLeft', run: run.id, reason }, claims);
  };

  return {
    /** @throws DeskError `review.noSelection` */
    async estimateRun(workspaceId: string, chosen: Chosen) {
      const judged = await judgeAll(workspaceId, choose(workspaceId, chosen).claimIds);
      const amounts = new Map(
        judged.flatMap((one) => ('amount' in one ? [[one.claimId, one.amount] as const] : [])),
      );
      const rows = await readAmounts(workspaceId, amounts);
      const offsets = await findOffsets(workspaceId, rows);
      const left = judged.filter((one) => 'reason' in one);
      return {
        ...totalsOf(rows),
        offsets: { claims: offsets.length, amount: offsets.reduce((sum, one) => sum - one.amount, 0) },
        leftOut: leftOutReasons
          .map((reason) => ({ reason, claims: left.filter((one) => one.reason === reason).length }))
          .filter(({ claims }) => claims > 0),
        listed: left.slice(0, maxListed),
      };
    },

    /**
     * Puts the claims of a selection into a run. Claims that changed since the selection was made are left out, as are
     * those that can't be in a run.
     *
     * @throws DeskError `review.noSelection`, `run.empty`, `profile.busy`, `store.*`
     */
    makeRun: (
      workspaceId: string,
      wanted: Chosen & { readonly name: string; readonly account: string; readonly offsets: boolean },
    ) =>
      inTurn(workspaceId, async () => {
        const selection = choose(workspaceId, wanted);
        const leftOut: number[] = [];
        const judged = await judgeAll(workspaceId, await findSelected(selection, leftOut));
        const claims = judged.flatMap((one) => {
          if ('amount' in one) return [one];
          leftOut.push(one.claimId);
          return [];
        });
        if (wanted.offsets) {
          const amounts = new Map(claims.map(({ claimId, amount }) => [claimId, amount]));
          claims.push(...(await findOffsets(workspaceId, await readAmounts(workspaceId, amounts))));
        }
        const acted = claims.map(({ claimId, amount, after }) =>
          noValues(claimId, { run: { amount, ...(after.length === 0 ? {} : { after }) } }),
        );
        const kept: ActedClaim[] = [];
        if (acted.length > 0)
          for await (const part of withoutNewer(ports, workspaceId, inParts(acted), leftOut))
            kept.push(...part);
        if (kept.length === 0) throw new DeskError('run.empty');
        const amount = kept.reduce((sum, { detail }) => sum + (detail?.run?.amount ?? 0), 0);
        const { name, account } = wanted;
        const fact: ReviewFact = { kind: 'run', name, account, claims: kept.length, amount };
        const done = await actOn(workspaceId, inParts(kept), { fact, filter: selection.filter });
        selections.remove(wanted.selectionId);
        return { ...done, leftOut, notKnown: [], amount };
      }),

    async listRuns(workspaceId: string): Promise<Run[]> {
      await settleOnce(workspaceId);
      const events = await listEvents(workspaceId, null);
      if (events.length === 0) return [];
      const store = await ports.getStore(workspaceId);
      const sums = Map.groupBy(await store.read('sumRuns', null), ({ id }) => id);
      return events.flatMap((event) =>
        toRun(
          event,
          (sums.get(event.id) ?? []).map(({ id: _id, ...sum }) => sum),
        ),
      );
    },

    readRun,

    /** A run with its totals, what changed of its claims since it was made, and its steps. */
    async getRun(workspaceId: string, runId: string) {
      const { run, rows, events } = await readRun(workspaceId, runId);
      const inRun = rows.filter(isInRun);
      const open = inRun.filter(({ state }) => isOpenIn(state)).map(({ claimId }) => claimId);
      const now: Awaited<ReturnType<typeof readOpen>> = new Map();
      for (let at = 0; at < open.length; at += readAtOnce)
        for (const [claimId, one] of await readOpen(ports, workspaceId, open.slice(at, at + readAtOnce)))
          now.set(claimId, one);
      const marked = inRun.flatMap((row) => {
        const mark = markOf(row, now.get(row.claimId));
        const { claimId, amount } = row;
        return mark === null ? [] : [{ claimId, amount, mark, open: now.get(claimId)?.open ?? null }];
      });
      return {
        ...run,
        totals: totalsOf(inRun),
        marked: marked.length,
        listed: marked.slice(0, maxListed),
        steps: events.toReversed().flatMap(({ id, at, author, claims, fact }) => {
          const { kind } = fact;
          const isStep =
            kind === 'run' ||
            kind === 'runChecked' ||
            kind === 'runSent' ||
            kind === 'runLeft' ||
            kind === 'payment';
          if (!isStep) return [];
          const file = kind === 'runSent' ? fact.file : null;
          const reason = kind === 'runLeft' ? fact.reason : null;
          return [{ eventId: id, kind, at, author, claims, file, reason }];
        }),
      };
    },

    /**
     * Takes one step with a run.
     *
     * @throws DeskError `run.unknown`, `run.wrongStep`, `run.ownCheck`, `run.laterStep`, `review.newer`,
     *   `review.needsSecond`, `review.notYours`, `profile.busy`, `store.*`
     */
    stepRun: (workspaceId: string, runId: string, step: RunStep): Promise<ReviewDone> =>
      inTurn(workspaceId, async () => {
        const found = await readRun(workspaceId, runId);
        const { run, rows, events } = found;
        if (step.kind === 'check') {
          const isOwn = run.author === (await ports.findAuthor(workspaceId));
          if (isOwn && (await ports.getSettings(workspaceId)).team !== null)
            throw new DeskError('run.ownCheck');
          const claims = rows.filter(({ state }) => state === 'made').map(({ claimId }) => noValues(claimId));
          return takeStep(workspaceId, { kind: 'runChecked', run: runId }, claims);
        }
        if (step.kind === 'send') {
          const { employerId, file } = step;
          const claims = rows
            .filter(({ state }) => state === 'made' || state === 'checked')
            .filter((row) => employerId === undefined || row.employerId === employerId)
            .map(({ claimId }) => noValues(claimId));
          return takeStep(workspaceId, { kind: 'runSent', run: runId, file }, claims);
        }
        if (step.kind === 'record') return record(workspaceId, found, step.day);
        if (step.kind === 'leaveOut') {
          const reasons = new Map(step.claimIds.map((claimId) => [claimId, step.reason]));
          return leave(workspaceId, found, reasons, step.reason);
        }
        const last = events.find(({ fact }) => fact.kind !== 'runLeft');
        if (last === undefined) throw new DeskError('run.unknown');
        return undo(workspaceId, last.id, step.reason);
      }),

    /** What came back: claims that leave the run, each with why, and claims to be recorded. */
    applyToRun: (
      workspaceId: string,
      runId: string,
      results: { rejected: ReadonlyMap<number, string>; paid: ReadonlySet<number>; day: string | null },
    ): Promise<{ rejected: ReviewDone; recorded: ReviewDone }> =>
      inTurn(workspaceId, async () => {
        const { rejected, paid, day } = results;
        const before = await readRun(workspaceId, runId);
        const left = rejected.size === 0 ? nothingDone : await leave(workspaceId, before, rejected, null);
        const rows = before.rows.filter(({ claimId }) => paid.has(claimId));
        const isSent = rows.some(({ state }) => state === 'sent');
        const recorded =
          day === null || !isSent ? nothingDone : await record(workspaceId, { run: before.run, rows }, day);
        return { rejected: left, recorded };
      }),
  };
}

export type Runs = ReturnType<typeof createRuns>;
