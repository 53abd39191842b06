import type { CarrierConnection } from '../../../contract/carrier-connections.ts';
import type { EngineHandlers, Output } from '../../../contract/procedures.ts';
import { needsAttention } from '../../../contract/worklist-counts.ts';
import { localDayOf } from '../../../rules/days.ts';
import { paidOf, signOf } from '../../../rules/money/reimbursement.ts';
import type { EarlierClaim } from '../../../rules/review/review.ts';
import type { ClaimPayment } from '../../../rules/review/review-parts.ts';
import { DeskError } from '../../lib/errors.ts';
import { toCalendar } from '../export/calendar.ts';
import { writeOutput } from '../export/output-file.ts';
import type { EngineState } from '../state/engine-state.ts';
import { describePeople, type TeamPerson } from './describe-people.ts';
import type { ReviewPorts } from './review-ports.ts';
import { findStop, isPassed } from './walk-duplicates.ts';
import type { WorklistPorts, Worklists } from './worklists.ts';

interface WorklistAnswerPorts
  extends Pick<EngineState, 'main' | 'auditAction'>,
    Pick<WorklistPorts, 'clock' | 'getStore' | 'onFailed'> {
  readSnapshot: ReviewPorts['readSnapshot'];
  /** Whether this user may undo an event. */
  canUndo(workspaceId: string, eventId: string): Promise<boolean>;
  /** Counts acts by day and outcome, from the events of reviews. */
  sumDone(workspaceId: string): Promise<Output<'worklists:report'>['done']>;
  sumByRules(workspaceId: string): Promise<Output<'worklists:report'>['byRules']>;
  /** The user of the workspace, if it has a team. */
  findPerson(workspaceId: string): Promise<string | null>;
  /** The payments that count for each of these claims, and those of claims that had its ID before. */
  listPayments(
    workspaceId: string,
    claimIds: readonly number[],
  ): Promise<Map<number, { payments: ClaimPayment[]; earlier: EarlierClaim[] }>>;
  /** Lists all current and former members of the team. @throws DeskError `team.none` */
  listPeople(workspaceId: string): Promise<readonly TeamPerson[]>;
  listConnections(workspaceId: string): Promise<readonly CarrierConnection[]>;
}

const countClaims = (days: readonly { claims: number }[]): number =>
  days.reduce((sum, { claims }) => sum + claims, 0);

/** Answers the procedures about worklists, once what they read is up to date (`reads-facts.ts`). */
export function createWorklistHandlers(ports: WorklistAnswerPorts, { update, rulesOf }: Worklists) {
  return {
    /** Answers with the stored counts; changed claims are processed later, and `worklists:changed` follows. */
    'worklists:counts': async ({ workspaceId }) => {
      const store = await ports.getStore(workspaceId);
      const rules = await rulesOf(workspaceId);
      // Read before the counts: counts that are current include what was read by then.
      const { last, lastComplete } = await store.read('readReceipts', null);
      const isCurrent = await store.read('areFactsCurrent', rules);
      if (!isCurrent) update(workspaceId).catch(ports.onFailed);
      const person = await ports.findPerson(workspaceId);
      const counts = await store.read('readWorklistCounts', { person });
      const connections = await ports.listConnections(workspaceId).catch((thrown) => {
        if (thrown instanceof DeskError && thrown.code === 'connect.notSetUp') return [];
        throw thrown;
      });
      return {
        ...counts,
        day: rules.today,
        isCurrent,
        hasReadAll: lastComplete !== null || last?.outcome === 'notProven',
        connections: connections.filter((connection) => needsAttention(connection, rules.today)).length,
      };
    },
    // Like every answer from facts, the reply waits until these are up to date.
    'worklists:update': () => ({ isDone: true }),
    /** @throws DeskError `profile.busy` */
    'worklists:dismissMoved': async ({ workspaceId }) => {
      await (await ports.getStore(workspaceId)).write('dismissMoved', null);
      return { isDone: true };
    },
    'worklists:report': async ({ workspaceId }) => {
      const store = await ports.getStore(workspaceId);
      const [done, byRules, reimbursed] = await Promise.all([
        ports.sumDone(workspaceId),
        ports.sumByRules(workspaceId),
        store.read('readReimbursed', null),
      ]);
      return { done, byRules, reimbursed };
    },
    'worklists:open': async ({ workspaceId, query }) =>
      (await ports.getStore(workspaceId)).list('sumOpen', query),
    'worklists:owed': async ({ workspaceId, limit }) =>
      (await ports.getStore(workspaceId)).read('readOwed', { limit }),
    'worklists:ledger': async ({ workspaceId, memberId }) => {
      const store = await ports.getStore(workspaceId);
      const [paid, earlier] = await Promise.all([
        store.read('readPaidClaims', { memberId }),
        store.read('readEarlierClaims', { memberId }),
      ]);
      const payments = await ports.listPayments(workspaceId, [
        ...new Set([...earlier, ...paid.map(({ claimId }) => claimId)]),
      ]);
      const paidClaims = paid
        .map((claim) => ({
          ...claim,
          isEarlier: false,
          payments: payments.get(claim.claimId)?.payments ?? [],
        }))
        .filter(
          ({ owed, payments: all }) => owed !== 0 || all.some((payment) => signOf(payment.payment) !== 1),
        );
      const ofEarlier = earlier.flatMap((claimId) =>
        (payments.get(claimId)?.earlier ?? [])
          .filter((entry) => entry.memberId === memberId)
          .map(({ number, payments: all }) => ({
            claimId,
            number,
            isEarlier: true,
            isMissing: false,
            eligible: null,
            owed: 0,
            payments: all,
            ...paidOf(all),
          })),
      );
      const claims = [...paidClaims, ...ofEarlier];
      return { claims, owed: claims.reduce((sum, { owed }) => sum + (owed ?? 0), 0) };
    },
    'worklists:reportPeople': async ({ workspaceId, period }) => {
      const team = await ports.listPeople(workspaceId);
      const store = await ports.getStore(workspaceId);
      const day = localDayOf(new Date(ports.clock.now()));
      const counted = await store.read('readPeople', { ...period, today: day });
      return { day, people: describePeople(counted, team, day) };
    },
    'worklists:why': async ({ workspaceId, claimId }) => {
      const store = await ports.getStore(workspaceId);
      const [worklists, deadline] = await Promise.all([
        store.read('readReasons', { claimId }),
        store.read('readDeadline', { claimId }),
      ]);
      return { worklists, deadline };
    },
    /** Writes the next deadlines of claims by day, from today on; `over` counts the claims that are overdue. */
    'worklists:saveCalendar': async ({ workspaceId, targetId }) => {
      const path = await ports.main.resolveSaveTarget({ targetId, purpose: 'calendar' });
      const store = await ports.getStore(workspaceId);
      const [today, all] = [localDayOf(new Date(ports.clock.now())), await store.read('readDueDays', null)];
      const ahead = all.filter(({ day }) => day >= today);
      const claims = countClaims(ahead);
      const at = new Date(ports.clock.now()).toISOString();
      await writeOutput(path, async (file) => {
        await file.write(Buffer.from(toCalendar(ahead, { workspaceId, at }), 'utf8'));
        await ports.auditAction(workspaceId, 'calendar.exported', { claims });
      });
      return { days: new Set(ahead.map(({ day }) => day)).size, claims, over: countClaims(all) - claims };
    },
  } satisfies EngineHandlers;
}

/** Answers the procedures about duplicates. */
export function createDuplicateHandlers(
  ports: Pick<WorklistAnswerPorts, 'getStore' | 'readSnapshot' | 'canUndo'>,
) {
  /** The claims of a list in its order; null where the list was closed. */
  const readKeys = async (workspaceId: string, snapshotId: string) => {
    try {
      return (await ports.readSnapshot(workspaceId, snapshotId)).keys;
    } catch (thrown) {
      if (thrown instanceof DeskError && thrown.code === 'snapshot.expired') return null;
      throw thrown;
    }
  };

  return {
    'duplicates:of': async ({ workspaceId, claimId, place }) => {
      const store = await ports.getStore(workspaceId);
      const { pairs, ...rest } = await store.read('describePairs', { claimId });
      const keys = place === undefined ? null : await readKeys(workspaceId, place.snapshotId);
      return {
        ...rest,
        pairs: await Promise.all(
          pairs.map(async ({ isMutual, ...pair }) => ({
            ...pair,
            isUndoable: pair.judged !== null && (await ports.canUndo(workspaceId, pair.judged.eventId)),
            isPassed: keys !== null && isPassed(keys, place?.at ?? 0, claimId, { ...pair, isMutual }),
          })),
        ),
      };
    },
    /** @throws DeskError `snapshot.expired` */
    'duplicates:findStop': async ({ workspaceId, place, step, isOpen }) => {
      const { keys } = await ports.readSnapshot(workspaceId, place.snapshotId);
      const store = await ports.getStore(workspaceId);
      const stop = await findStop({ keys, at: place.at, step, isOpen }, (claimIds) =>
        store.read('readPairs', { claimIds }),
      );
      return { stop };
    },
  } satisfies EngineHandlers;
}
