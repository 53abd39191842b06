import type { EngineProcedureName, Handlers } from '../../../src/contract/procedures.ts';
import type { Row } from '../../../src/contract/query.ts';
import type { ClaimRecord } from '../../../src/contract/records.ts';
import type { ReviewEvent, ReviewFact } from '../../../src/contract/review.ts';
import { type ReviewedValues, readReviewedValues } from '../../../src/contract/reviewed-values.ts';
import { defaultSettings } from '../../../src/contract/workspace.ts';
import { describeReview } from '../../../src/main/engine/review/describe-review.ts';
import { findUndone, foldReview } from '../../../src/main/engine/store/user-data/fold-review.ts';
import { type Emit, FakeError } from './fake-desk.ts';
import { sumRows } from './fake-records.ts';

interface FakeEvent {
  readonly id: string;
  readonly at: string;
  readonly fact: ReviewFact;
  readonly undoes: string | null;
  readonly claimIds: readonly number[];
  readonly since?: string;
}

const author = 'admin@example.com';

/** Events of reviews in memory. Claim 20003 was reviewed before, and changed since. */
export function createFakeReviews(
  claims: () => readonly ClaimRecord[],
  rowsOf: (snapshotId: string) => readonly Row[] | undefined,
  emit: Emit,
): { handlers: Partial<Handlers<EngineProcedureName>>; cellsOf: (claimId: number) => Row } {
  const selections = new Map<string, number[]>();
  const events: FakeEvent[] = [];
  const kept = new Map<string, ReviewedValues>();
  const valuesOf = (claimId: number): ReviewedValues | null => {
    const claim = claims().find(({ id }) => id === claimId);
    return claim === undefined ? null : readReviewedValues(claim, false);
  };
  const add = (
    fact: ReviewFact,
    claimIds: readonly number[],
    undoes: string | null = null,
    since?: string,
  ) => {
    const id = `event-${events.length + 1}`;
    const at = new Date(Date.UTC(2026, 1, 1, 15, events.length)).toISOString();
    events.push({ id, at, fact, undoes, claimIds, ...(since === undefined ? {} : { since }) });
    for (const claimId of claimIds) {
      const values = valuesOf(claimId);
      if (values !== null) kept.set(`${id}/${claimId}`, values);
    }
    return id;
  };
  const beginWithChanged = (): void => {
    const values = valuesOf(20_003);
    if (events.length > 0 || values === null) return;
    const decision = { kind: 'decision', state: 'done', onWhom: null, reason: null, reminder: null } as const;
    const id = add({ ...decision, outcome: 'eligible' }, [20_003]);
    add({ kind: 'note', text: 'Receipt came by mail.' }, [20_003]);
    kept.set(`${id}/20003`, {
      ...values,
      fields: { ...values.fields, patient_responsibility: 12.5, status: 'In Process', remarks: 'Pending.' },
      lines: values.lines.slice(1),
    });
    add({ kind: 'reopened' }, [20_003], null, id);
  };
  const eventsOf = (claimId: number) => events.filter(({ claimIds }) => claimIds.includes(claimId));
  const fold = (claimId: number) =>
    foldReview(
      claimId,
      eventsOf(claimId).map((event) => ({
        ...event,
        author,
        digest: null,
        detail: event.since === undefined ? null : { since: event.since },
      })),
    );
  const listed = (event: FakeEvent): ReviewEvent => ({
    id: event.id,
    at: event.at,
    author,
    isImported: false,
    fact: event.fact,
    undoes: event.undoes,
    isUndone: findUndone(events).has(event.id),
    claims: event.claimIds.length,
    claimId: event.claimIds.length === 1 ? (event.claimIds[0] ?? null) : null,
    filter: null,
    changes: null,
    payments: null,
    receipt: null,
  });

  const cellsOf = (claimId: number): Row => {
    const { state, outcome, isFlagged, owner, tags, reminder, reviewedAt, changedAt } = fold(claimId);
    return {
      'review.state': state ?? 'todo',
      'review.outcome': outcome,
      'review.flag': isFlagged || null,
      'review.owner': owner,
      'review.tags': tags.join(', ') || null,
      'review.reminder': reminder,
      'review.at': reviewedAt,
      'review.changed_at': changedAt,
    };
  };
  const handlers: Partial<Handlers<EngineProcedureName>> = {
    'reviews:get': ({ workspaceId, claimId }) => {
      beginWithChanged();
      const review = fold(claimId);
      const now = valuesOf(claimId);
      if (now === null) throw new FakeError('record.unknown');
      return describeReview({
        workspaceId,
        review,
        now,
        reviewed: kept.get(`${review.reviewedIn}/${claimId}`) ?? null,
        receipt: null,
        settings: { ...defaultSettings, reviewsFrom: { [workspaceId]: '2025-01-01' } },
        today: '2026-02-02',
      });
    },
    'reviews:listEvents': ({ claimId, offset, limit }) => {
      const found = (claimId === undefined ? events : eventsOf(claimId)).map(listed).toReversed();
      return { events: found.slice(offset, offset + limit), total: found.length };
    },
    'reviews:act': ({ workspaceId, target, act }) => {
      const all = 'claimIds' in target ? target.claimIds : (selections.get(target.selectionId) ?? []);
      // The first of a selection changed meanwhile.
      const leftOut = 'claimIds' in target ? [] : all.slice(0, 1);
      const claimIds = all.slice(leftOut.length);
      const eventId = add(act, claimIds);
      emit('reviews:changed', { workspaceId, claimIds });
      return { eventId, claims: claimIds.length, leftOut };
    },
    'reviews:freeze': ({ from }) => {
      const rows = from.kind === 'list' ? (rowsOf(from.snapshotId) ?? []) : [];
      const places = from.kind === 'list' ? (from.places ?? [[0, rows.length - 1]]) : [];
      const chosen = places.flatMap(([first = 0, last = 0]) => rows.slice(first, last + 1));
      const selectionId = `selection-${selections.size + 1}`;
      selections.set(
        selectionId,
        chosen.map(({ id }) => Number(id)),
      );
      return { selectionId, claims: chosen.length, totals: sumRows(chosen) };
    },
    'reviews:getUndo': () => ({
      event:
        events
          .map(listed)
          .toReversed()
          .find(({ fact, isUndone }) => !isUndone && !['undo', 'reopened'].includes(fact.kind)) ?? null,
    }),
    'reviews:undo': ({ workspaceId, eventId }) => {
      const event = events.find(({ id }) => id === eventId);
      if (event === undefined) throw new FakeError('review.unknown');
      add({ kind: 'undo' }, event.claimIds, eventId);
      emit('reviews:changed', { workspaceId, claimIds: [...event.claimIds] });
      return { eventId: `event-${events.length}`, claims: event.claimIds.length, leftOut: [] };
    },
  };
  return { handlers, cellsOf };
}
