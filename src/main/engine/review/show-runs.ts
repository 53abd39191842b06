import type { ParsedInput } from '../../../contract/procedures.ts';
import type { Run } from '../../../contract/run-procedures.ts';
import { maxListed } from '../../../contract/run-procedures.ts';
import { isOpenIn } from '../../../rules/review/run-facts.ts';
import { DeskError } from '../../lib/errors.ts';
import type { ListedEvent } from '../store/user-data/list-events.ts';
import type { RunRow } from '../store/worklists/read-runs.ts';
import { readOpen } from './pay-open.ts';
import { readAtOnce } from './read-claims.ts';
import type { ReviewPorts } from './review-ports.ts';
import { isInRun, markOf, sumStates, toRejection, totalsOf } from './run-totals.ts';
import type { ReviewUpdater } from './update-reviews.ts';

/** The run that an event made; none if the event is another one. */
function toRun(event: ListedEvent, byState: Run['byState']): Run[] {
  const { id, at, author, fact } = event;
  if (fact.kind !== 'run') return [];
  const { name, account, claims, amount, corrections = false } = fact;
  return [{ id, corrections, name, account, at, author, made: { claims, amount }, ...sumStates(byState) }];
}

/** Finds what changed of the open claims of a run since it was made. */
async function findMarked(ports: ReviewPorts, workspaceId: string, inRun: readonly RunRow[]) {
  const open = inRun.filter(({ state }) => isOpenIn(state)).map(({ claimId }) => claimId);
  const now: Awaited<ReturnType<typeof readOpen>> = new Map();
  for (let at = 0; at < open.length; at += readAtOnce)
    for (const [claimId, openClaim] of await readOpen(ports, workspaceId, open.slice(at, at + readAtOnce)))
      now.set(claimId, openClaim);
  return inRun.flatMap((row) => {
    const mark = markOf(row, now.get(row.claimId));
    const { claimId, amount } = row;
    return mark === null ? [] : [{ claimId, amount, mark, open: now.get(claimId)?.open ?? null }];
  });
}

/** Finds the claims that the payer rejected, and why. */
async function findRejected(ports: ReviewPorts, workspaceId: string, runId: string, rows: readonly RunRow[]) {
  const left = rows.filter(({ state }) => state === 'left');
  if (left.length === 0) return [];
  const userData = await ports.getUserData(workspaceId);
  const claimIds = left.map(({ claimId }) => claimId);
  const folded = await userData.call('foldReviews', { workspaceId, claimIds });
  const rejected = new Set(
    folded.flatMap(({ claimId, runs }) =>
      runs.some(({ id, isRejected }) => id === runId && isRejected === true) ? [claimId] : [],
    ),
  );
  return left.filter(({ claimId }) => rejected.has(claimId)).map((row) => toRejection(row, row.reason ?? ''));
}

/**
 * Checks that the user has seen the changed claims of a run, which keep their amounts from when it was made.
 * @throws DeskError `run.marked` where more of these claims than `accepted` changed since then
 */
export async function checkMarked(
  ports: ReviewPorts,
  workspaceId: string,
  rows: readonly RunRow[],
  accepted: number,
): Promise<void> {
  const { length } = await findMarked(ports, workspaceId, rows.filter(isInRun));
  if (length > accepted) throw new DeskError('run.marked', { details: { claims: length } });
}

function toStep({ id, at, author, claims, fact }: ListedEvent) {
  const { kind } = fact;
  const isStep =
    kind === 'run' || kind === 'runChecked' || kind === 'runSent' || kind === 'runLeft' || kind === 'payment';
  if (!isStep) return [];
  const file = kind === 'runSent' ? fact.file : null;
  const reason = kind === 'runLeft' ? fact.reason : null;
  return [{ eventId: id, kind, at, author, claims, file, reason }];
}

/** Reimbursement runs, as windows and commands show them. */
export function createRunReader(ports: ReviewPorts, { updateOnce }: Pick<ReviewUpdater, 'updateOnce'>) {
  const listEvents = async (workspaceId: string, runId: string | null): Promise<ListedEvent[]> => {
    const userData = await ports.getUserData(workspaceId);
    return userData.isThere() ? userData.call('listRunEvents', { workspaceId, runId }) : [];
  };
  /** @throws DeskError `run.unknown` */
  const readRun = async (workspaceId: string, runId: string) => {
    await updateOnce(workspaceId);
    const events = await listEvents(workspaceId, runId);
    const store = await ports.getStore(workspaceId);
    const rows = await store.read('readRunRows', { runId });
    const states = Map.groupBy(rows, ({ state }) => state);
    const byState = [...states].map(([state, some]) => ({
      state,
      claims: some.length,
      amount: some.reduce((sum, { amount }) => sum + amount, 0),
    }));
    const made = events.find(({ id }) => id === runId);
    const [run] = made === undefined ? [] : toRun(made, byState);
    if (run === undefined) throw new DeskError('run.unknown');
    return { run, rows, events };
  };

  return {
    readRun,
    async listRuns(workspaceId: string): Promise<Run[]> {
      await updateOnce(workspaceId);
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

    /** A run with its totals, what changed of its claims since it was made, and its steps. */
    async getRun({ workspaceId, runId }: ParsedInput<'runs:get'>) {
      const { run, rows, events } = await readRun(workspaceId, runId);
      const inRun = rows.filter(isInRun);
      const marked = await findMarked(ports, workspaceId, inRun);
      const rejected = await findRejected(ports, workspaceId, runId, rows);
      return {
        ...run,
        totals: totalsOf(inRun),
        marked: marked.length,
        listed: marked.slice(0, maxListed),
        rejected: rejected.length,
        rejections: rejected.slice(0, maxListed),
        steps: events.toReversed().flatMap(toStep),
      };
    },
  };
}

export type RunReader = ReturnType<typeof createRunReader>;
