import type { ParsedInput } from '../../../contract/procedures.ts';
import { leftOutReasons, maxListed, type Run, type RunStep } from '../../../contract/run-procedures.ts';
import type { ReviewFact } from '../../../rules/review/event-kinds.ts';
import type { ClaimGroup, ReviewDone } from '../../../rules/review/review.ts';
import { DeskError } from '../../lib/errors.ts';
import type { ActedClaim } from '../store/user-data/write-event.ts';
import type { RunRow } from '../store/worklists/read-runs.ts';
import { type ActOn, nothingLeftOut, withoutNewer } from './append-act.ts';
import { inParts } from './append-event.ts';
import { checkRunClaims, findHeld, findOffsets, readAmounts } from './check-run-claims.ts';
import type { Freezer } from './freeze-claims.ts';
import { readOpen } from './pay-open.ts';
import type { ClaimReader } from './read-claims.ts';
import type { ReviewPorts } from './review-ports.ts';
import { findUncovered, isInRun, totalsOf } from './run-totals.ts';
import { chooseGroups, type Selection } from './selections.ts';
import { checkMarked, createRunReader, type RunReader } from './show-runs.ts';
import type { ReviewUpdater } from './update-reviews.ts';

interface RunContext {
  readonly ports: ReviewPorts;
  readonly claims: ClaimReader;
  readonly freezer: Freezer;
  readonly reader: RunReader;
  readonly actOn: ActOn;
  readonly undo: (workspaceId: string, eventId: string, reason: string) => Promise<ReviewDone>;
}
interface Chosen {
  readonly selectionId: string;
  readonly groups?: readonly ClaimGroup[] | undefined;
  readonly corrections?: boolean | undefined;
}
/** A run with all of its claims, or those that a step is about. */
interface FoundRun {
  readonly run: Run;
  readonly rows: readonly RunRow[];
}

const noValues = (claimId: number, detail?: ActedClaim['detail']): ActedClaim => ({
  claimId,
  reviewed: null,
  digest: null,
  ...(detail === undefined ? {} : { detail }),
});

const withoutValues = (rows: readonly RunRow[]): ActedClaim[] => rows.map(({ claimId }) => noValues(claimId));

const uncoveredReason = 'The run no longer pays the member enough to offset it';
const nothingDone = { eventId: null, claims: 0, ...nothingLeftOut() };

const choose = ({ freezer }: RunContext, workspaceId: string, { selectionId, groups }: Chosen): Selection =>
  chooseGroups(freezer.selections.get(workspaceId, selectionId), groups);

async function estimateRun(context: RunContext, chosen: ParsedInput<'runs:estimate'>) {
  const { ports } = context;
  const { workspaceId, corrections = false } = chosen;
  const { claimIds } = choose(context, workspaceId, chosen);
  const checked = await checkRunClaims(ports, workspaceId, claimIds, corrections);
  const amounts = new Map(
    checked.flatMap((claim) => ('amount' in claim ? [[claim.claimId, claim.amount] as const] : [])),
  );
  const rows = await readAmounts(ports, workspaceId, amounts);
  // A run of corrections includes its negative amounts.
  const offsets = corrections ? [] : await findOffsets(ports, workspaceId, rows);
  const left = checked.filter((claim) => 'reason' in claim);
  return {
    ...totalsOf(rows),
    offsets: { claims: offsets.length, amount: offsets.reduce((sum, offset) => sum - offset.amount, 0) },
    leftOut: leftOutReasons
      .map((reason) => ({ reason, claims: left.filter((claim) => claim.reason === reason).length }))
      .filter(({ claims }) => claims > 0),
    listed: left.slice(0, maxListed),
  };
}

async function makeRun(
  context: RunContext,
  workspaceId: string,
  options: Chosen & { readonly name: string; readonly account: string; readonly offsets: boolean },
) {
  const { ports, freezer, actOn } = context;
  const selection = choose(context, workspaceId, options);
  const left = nothingLeftOut();
  const { leftOut } = left;
  const { corrections = false } = options;
  const selected = await freezer.findSelected(selection, leftOut);
  const checked = await checkRunClaims(ports, workspaceId, selected, corrections);
  const claims = checked.flatMap((claim) => {
    if ('amount' in claim) return [claim];
    leftOut.push(claim.claimId);
    return [];
  });
  if (options.offsets && !corrections) {
    const amounts = new Map(claims.map(({ claimId, amount }) => [claimId, amount]));
    claims.push(...(await findOffsets(ports, workspaceId, await readAmounts(ports, workspaceId, amounts))));
  }
  const acted = claims.map(({ claimId, amount, after }) =>
    noValues(claimId, { run: { amount, ...(after.length === 0 ? {} : { after }) } }),
  );
  const kept: ActedClaim[] = [];
  for (const part of inParts(acted)) kept.push(...(await withoutNewer(ports, workspaceId, part, leftOut)));
  if (kept.length === 0) throw new DeskError(acted.length === 0 ? 'run.empty' : 'review.newer');
  const amount = kept.reduce((sum, { detail }) => sum + (detail?.run?.amount ?? 0), 0);
  const { name, account } = options;
  const fact: ReviewFact = {
    kind: 'run',
    name,
    account,
    claims: kept.length,
    amount,
    ...(corrections ? { corrections } : {}),
  };
  const done = await actOn(workspaceId, inParts(kept), { fact, filter: selection.filter, left });
  freezer.selections.remove(options.selectionId);
  return { ...done, amount };
}

/** Appends a step about these claims. @throws DeskError `run.wrongStep` where there are none */
async function takeStep(
  { actOn }: RunContext,
  workspaceId: string,
  fact: ReviewFact,
  claims: readonly ActedClaim[],
): Promise<ReviewDone> {
  if (claims.length === 0) throw new DeskError('run.wrongStep');
  return actOn(workspaceId, inParts(claims), { fact });
}

/**
 * Marks the claims that were sent, or these of them, as reimbursed. @throws DeskError `run.wrongStep` where there are
 * none
 */
async function record(
  context: RunContext,
  workspaceId: string,
  { run, rows: all }: FoundRun,
  day: string,
  isWanted: (claimId: number) => boolean = () => true,
): Promise<ReviewDone> {
  const { claims, actOn } = context;
  // Since the run was made, claims may have been removed from this computer, or added to an earlier run on another one.
  const uncovered = new Set(findUncovered(all, run));
  if (uncovered.size > 0) {
    const reasons = new Map([...uncovered].map(({ claimId }) => [claimId, uncoveredReason]));
    await leave(context, workspaceId, { run, rows: all }, reasons, null);
  }
  const rows = all.filter((row) => !uncovered.has(row) && isWanted(row.claimId));
  const sent = new Map(
    rows.flatMap(({ claimId, state, amount }) => (state === 'sent' ? [[claimId, amount] as const] : [])),
  );
  if (sent.size === 0) throw new DeskError('run.wrongStep');
  const left = nothingLeftOut();
  const keep = async function* (claimIds: readonly number[]): AsyncGenerator<ActedClaim[]> {
    // The claims' current values are stored, so that a later change of what is eligible is found.
    for await (const { ids, found } of claims.readParts(workspaceId, Float64Array.from(claimIds))) {
      const foundIds = new Set(found.map(({ claimId }) => claimId));
      left.leftOut.push(...ids.filter((claimId) => !foundIds.has(claimId)));
      yield found.map((claim) => ({
        ...claim,
        detail: { payments: [{ amount: Math.abs(sent.get(claim.claimId) as number), day }] },
      }));
    }
  };
  const pay = (
    paymentFact: { payment: 'reimbursed' } | { payment: 'offset'; sameActAs: string | null },
    isPaid: (amount: number, claimId: number) => boolean,
  ) => {
    const claimIds = [...sent].flatMap(([claimId, amount]) => (isPaid(amount, claimId) ? [claimId] : []));
    const { account } = run;
    const fact = { kind: 'payment', ...paymentFact, amount: null, day: null, account, run: run.id } as const;
    return actOn(workspaceId, keep(claimIds), { fact, left });
  };
  // Offsets need recorded payments. The run stays sent until the payments that they offset are recorded as well.
  const paid = await pay({ payment: 'reimbursed' }, (amount) => amount >= 0);
  const refused = new Set([...paid.needsSecond, ...paid.leftOut]);
  const still = all.filter((row) => !uncovered.has(row) && !refused.has(row.claimId));
  const waiting = new Set(findUncovered(still, run).map(({ claimId }) => claimId));
  const offsets = await pay(
    { payment: 'offset', sameActAs: paid.eventId },
    (amount, claimId) => amount < 0 && !waiting.has(claimId),
  );
  return { ...paid, claims: paid.claims + offsets.claims };
}

/**
 * Removes these claims from the run, and the offsets that its remaining payments to the member no longer cover.
 * `reason` null: each claim has its own. `rejects`: the payer rejected them.
 */
function leave(
  context: RunContext,
  workspaceId: string,
  { run, rows }: FoundRun,
  reasons: ReadonlyMap<number, string>,
  reason: string | null,
  rejects = false,
): Promise<ReviewDone> {
  const uncovered = findUncovered(
    rows.filter(({ claimId }) => !reasons.has(claimId)),
    run,
  );
  const leaving = new Map([
    ...uncovered.map(({ claimId }) => [claimId, uncoveredReason] as const),
    ...reasons,
  ]);
  const claims = rows.flatMap((row) => {
    const claimReason = leaving.get(row.claimId);
    if (claimReason === undefined || !isInRun(row)) return [];
    const isRejected = rejects && reasons.has(row.claimId);
    if (reason === claimReason) return [noValues(row.claimId)];
    return [noValues(row.claimId, { reason: claimReason, ...(isRejected ? { rejected: true } : {}) })];
  });
  return takeStep(context, workspaceId, { kind: 'runLeft', run: run.id, reason }, claims);
}

const heldReasons = {
  awaitsCorrection: 'A correction is in process',
  notStanding:
    'Another claim replaces or reverses it, it is gone, or it is not clear how it relates to others',
} as const;

/**
 * Removes claims that are held back from a run that is not sent yet, each with its reason; returns the run after that.
 * It is called before a run is checked, written to a file or sent. In a sent run these claims stay, and their results
 * are recorded.
 */
async function leaveHeld(context: RunContext, workspaceId: string, runId: string): Promise<FoundRun> {
  const { ports, reader } = context;
  const foundRun = await reader.readRun(workspaceId, runId);
  const unsent = foundRun.rows.filter(
    ({ state, amount }) => (state === 'made' || state === 'checked') && amount > 0,
  );
  const open = await readOpen(
    ports,
    workspaceId,
    unsent.map(({ claimId }) => claimId),
  );
  const reasons = new Map(
    [...open].flatMap(([claimId, { role }]) => {
      const held = findHeld(role);
      return held === null ? [] : [[claimId, heldReasons[held]] as const];
    }),
  );
  if (reasons.size === 0) return foundRun;
  await leave(context, workspaceId, foundRun, reasons, null);
  return reader.readRun(workspaceId, runId);
}

async function stepRun(
  context: RunContext,
  workspaceId: string,
  runId: string,
  step: RunStep,
  acceptsMarked = 0,
): Promise<ReviewDone> {
  const { ports, reader, undo } = context;
  if (step.kind === 'check' || step.kind === 'send') await leaveHeld(context, workspaceId, runId);
  const foundRun = await reader.readRun(workspaceId, runId);
  const { run, rows, events } = foundRun;
  /** The claims of the step; changes to them have to be accepted. */
  const choose = async (isOfStep: (row: RunRow) => boolean): Promise<RunRow[]> => {
    const chosen = rows.filter(isOfStep);
    await checkMarked(ports, workspaceId, chosen, acceptsMarked);
    return chosen;
  };
  if (step.kind === 'check') {
    const isOwn = run.author === (await ports.findAuthor(workspaceId));
    if (isOwn && (await ports.getSettings(workspaceId)).team !== null) throw new DeskError('run.ownCheck');
    const claims = await choose(({ state }) => state === 'made');
    return takeStep(context, workspaceId, { kind: 'runChecked', run: runId }, withoutValues(claims));
  }
  if (step.kind === 'send') {
    const { employerId, file } = step;
    const claims = await choose(
      (row) =>
        (row.state === 'made' || row.state === 'checked') &&
        (employerId === undefined || row.employerId === employerId),
    );
    return takeStep(context, workspaceId, { kind: 'runSent', run: runId, file }, withoutValues(claims));
  }
  if (step.kind === 'record') {
    await choose(({ state }) => state === 'sent');
    return record(context, workspaceId, foundRun, step.day);
  }
  if (step.kind === 'leaveOut') {
    const reasons = new Map(step.claimIds.map((claimId) => [claimId, step.reason]));
    return leave(context, workspaceId, foundRun, reasons, step.reason);
  }
  const last = events.find(({ fact }) => fact.kind !== 'runLeft');
  if (last === undefined) throw new DeskError('run.unknown');
  return undo(workspaceId, last.id, step.reason);
}

async function applyToRun(
  context: RunContext,
  workspaceId: string,
  runId: string,
  results: { rejected: ReadonlyMap<number, string>; paid: ReadonlySet<number>; day: string | null },
): Promise<{ rejected: ReviewDone; recorded: ReviewDone }> {
  const { rejected, paid, day } = results;
  const before = await context.reader.readRun(workspaceId, runId);
  const left =
    rejected.size === 0 ? nothingDone : await leave(context, workspaceId, before, rejected, null, true);
  const foundRun = rejected.size === 0 ? before : await context.reader.readRun(workspaceId, runId);
  const isSent = foundRun.rows.some(({ claimId, state }) => paid.has(claimId) && state === 'sent');
  const recorded =
    day === null || !isSent
      ? nothingDone
      : await record(context, workspaceId, foundRun, day, (claimId) => paid.has(claimId));
  return { rejected: left, recorded };
}

/** Reimbursement runs, as events of the reviews of their claims. */
export function createRuns(
  ports: ReviewPorts,
  claims: ClaimReader,
  freezer: Freezer,
  { inQueue, updateOnce }: ReviewUpdater,
  acts: Pick<RunContext, 'actOn' | 'undo'>,
) {
  const reader = createRunReader(ports, { updateOnce });
  const context: RunContext = { ports, claims, freezer, reader, ...acts };
  /** One act on runs at a time, so that each sees the runs of the previous one. */
  const inTurn =
    <Rest extends readonly unknown[], T>(
      act: (context: RunContext, workspaceId: string, ...rest: Rest) => Promise<T>,
    ) =>
    (workspaceId: string, ...rest: Rest): Promise<T> =>
      inQueue(`runs ${workspaceId}`, async () => {
        await ports.requireRead?.(workspaceId);
        return act(context, workspaceId, ...rest);
      });
  return {
    ...reader,
    /** Estimates the run of a selection. @throws DeskError `review.noSelection` */
    estimateRun: estimateRun.bind(null, context),
    /**
     * Adds the claims of a selection to a new run. Claims that changed since the selection was made are left out, as
     * are those that can't be in a run.
     * @throws DeskError `review.noSelection`, `run.empty`, `profile.busy`, `store.*`
     */
    makeRun: inTurn(makeRun),
    /**
     * Takes one step with a run. `acceptsMarked`: how many of its claims may have changed since it was made.
     *
     * @throws DeskError `run.unknown`, `run.wrongStep`, `run.marked`, `run.ownCheck`, `run.laterStep`, `review.newer`,
     *   `review.needsSecond`, `review.notYours`, `team.stillReading`, `profile.busy`, `store.*`
     */
    stepRun: inTurn(stepRun),
    /** Removes held claims from a run that is not sent. @throws DeskError `run.unknown`, `profile.busy`, `store.*` */
    leaveHeld: inTurn(leaveHeld),
    /** Removes rejected claims, each with its reason, and records the others. @throws DeskError as `stepRun` */
    applyToRun: inTurn(applyToRun),
  };
}

export type Runs = ReturnType<typeof createRuns>;
