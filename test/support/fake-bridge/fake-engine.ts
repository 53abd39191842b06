import { extensionOf } from '../../../src/contract/export.ts';
import type { EngineProcedureName, Handlers } from '../../../src/contract/procedures.ts';
import type { Cell, Row } from '../../../src/contract/query.ts';
import type { SyncProgress, SyncReceipt } from '../../../src/contract/sync.ts';
import { listFakeChanges } from './fake-changes.ts';
import { type Emit, FakeError, type FakeStart } from './fake-desk.ts';
import { createFakeOrganizations } from './fake-organizations.ts';
import { type FakeRecords, groupRows, makeRecords, runQuery, sumRows } from './fake-records.ts';
import { createFakeReviews } from './fake-reviews.ts';
import { createFakeWorklists } from './fake-worklists.ts';

const done = { isDone: true } as const;
const empty: FakeRecords = { members: [], dependents: [], claims: [] };

function makeReceipt(records: FakeRecords, outcome: SyncReceipt['outcome']): SyncReceipt {
  const finished = new Date();
  return {
    runId: `run-${finished.getTime()}`,
    outcome,
    proof: outcome === 'complete' ? 'complete' : 'not-proven',
    reason: outcome === 'failed' ? 'The service could not be reached.' : null,
    coverage:
      outcome === 'complete'
        ? 'Two full reads of 8 members and 96 claims matched each other and the source totals.'
        : 'No list is proven complete.',
    errorCode: outcome === 'failed' ? 'service.unreachable' : outcome === 'canceled' ? 'sync.canceled' : null,
    requestId: outcome === 'failed' ? 'req_77aa01' : null,
    startedAt: new Date(finished.getTime() - 6000).toISOString(),
    finishedAt: finished.toISOString(),
    seconds: 6.2,
    passes: 2,
    pages: 44,
    failedRequests: 1,
    failures: [{ at: finished.toISOString(), code: 'service.fault', requestId: 'req_12bc9e' }],
    reads: [],
    lists: [],
    changes: { new: 3, changed: 2, missing: 1, confirmed: 0, returned: 0 },
    members: records.members.length,
    dependents: records.dependents.length,
    claims: records.claims.length,
    lines: records.claims.reduce((count, claim) => count + (claim.claim_medical_lines?.length ?? 0), 0),
    setAside: 1,
    digest: '9f2c61d07b',
  };
}

/** The engine's procedures, in memory: a sync that lets records appear little by little. */
export function createFakeEngine(start: FakeStart, emit: Emit): Partial<Handlers<EngineProcedureName>> {
  const all = makeRecords(Math.max(8, Math.round(start.claims / 12)), start.claims);
  const hasData = ['working', 'damaged', 'updating', 'locked'].includes(start.scene);
  let records = hasData ? all : empty;
  let running: SyncProgress | null = null;
  let timer: ReturnType<typeof setInterval> | undefined;
  let lastReceipt = hasData ? makeReceipt(all, 'complete') : null;
  let lastComplete = lastReceipt;
  let isServiceRunning = true;
  let isPaused = false;
  const snapshots = new Map<string, Row[]>();
  const exportTimers = new Map<string, ReturnType<typeof setInterval>>();
  const watched: Emit = (name, payload) => emit(name, payload);

  const finish = (workspaceId: string, outcome: SyncReceipt['outcome']) => {
    clearInterval(timer);
    running = null;
    lastReceipt = makeReceipt(records, outcome);
    if (outcome === 'complete') lastComplete = lastReceipt;
    watched('records:changed', { workspaceId });
    watched('sync:finished', { workspaceId, receipt: lastReceipt, error: null });
  };

  const reviews = createFakeReviews(
    () => records.claims,
    (snapshotId) => snapshots.get(snapshotId),
    emit,
  );
  return {
    'sync:start': ({ workspaceId }) => {
      if (running !== null) throw new FakeError('sync.running');
      const runId = `run-${Date.now()}`;
      let share = 0;
      isPaused = false;
      isServiceRunning = sessionStorage.getItem('fake-offline') !== 'yes';
      timer = setInterval(() => {
        if (!isServiceRunning) return finish(workspaceId, 'failed');
        share = Math.min(1, share + 0.06);
        records = {
          members: all.members,
          dependents: all.dependents,
          claims: all.claims.slice(0, Math.round(all.claims.length * share)),
        };
        running = {
          workspaceId,
          runId,
          phase: share < 0.9 ? 'claims' : 'proving',
          pass: 1,
          read: records.claims.length,
          total: all.claims.length,
          recordsPerSecond: 4200,
          secondsLeft: Math.ceil((1 - share) * 6),
        };
        watched('sync:progress', running);
        watched('records:changed', { workspaceId });
        if (share === 1) finish(workspaceId, 'complete');
      }, 350);
      return { runId };
    },
    'sync:cancel': ({ workspaceId }) => {
      if (running !== null) finish(workspaceId, 'canceled');
      return done;
    },
    'sync:pause': ({ workspaceId }) => {
      clearInterval(timer);
      running = null;
      isPaused = true;
      watched('sync:paused', { workspaceId });
      return done;
    },
    'sync:refresh': ({ workspaceId }) => {
      finish(workspaceId, 'refreshed');
      return { runId: 'run-quick' };
    },
    'sync:answerLoss': ({ workspaceId, answer }) => {
      sessionStorage.removeItem('fake-loss');
      if (answer === 'accept') finish(workspaceId, 'complete');
      return done;
    },
    'sync:refreshRecord': ({ workspaceId }) => {
      watched('records:changed', { workspaceId });
      return { runId: 'run-n', records: 4, added: 1, changed: 2, requests: 2, requestId: 'req_55' };
    },
    'sync:listChanges': ({ change }) => listFakeChanges(records, change),
    'sync:getStatus': () => ({
      running,
      lastReceipt,
      lastComplete,
      isResumable: isPaused,
      isPaused,
      lossQuestion:
        sessionStorage.getItem('fake-loss') === null
          ? null
          : {
              askedAt: '2026-02-01T09:00:00Z',
              losses: [{ list: 'claims' as const, here: 1200, missing: 800 }],
            },
      quickRefresh: {
        isOffered: false,
        reason: 'Quick refresh isn’t available for this service. Run a full sync.',
      },
      isServiceReachable: isServiceRunning,
    }),
    'records:getSummary': () => ({
      members: records.members.filter((member) => !member.archived).length,
      archivedMembers: records.members.filter((member) => member.archived).length,
      dependents: records.dependents.length,
      claims: records.claims.length,
      lines: records.claims.reduce((count, claim) => count + (claim.claim_medical_lines?.length ?? 0), 0),
      setAside: 1,
    }),
    'records:open': ({ query }) => {
      const rows = runQuery(records, query);
      const snapshotId = `snapshot-${snapshots.size + 1}`;
      snapshots.set(snapshotId, rows);
      const hasTotals = query.entity === 'claims' || query.entity === 'lines';
      return { snapshotId, total: rows.length, totals: hasTotals ? sumRows(rows) : null };
    },
    'records:getWindow': ({ snapshotId, offset, limit, fields }) => {
      const rows = snapshots.get(snapshotId);
      if (rows === undefined) throw new FakeError('snapshot.expired');
      const cut = (sent: Row): Row => {
        const row = 'amount_billed' in sent ? { ...sent, ...reviews.cellsOf(Number(sent.id)) } : sent;
        return fields === undefined
          ? row
          : {
              ...Object.fromEntries(fields.map((path) => [path, row[path] ?? null])),
              ...(row.$missingSince === undefined ? {} : { $missingSince: row.$missingSince }),
            };
      };
      return { rows: rows.slice(offset, offset + limit).map(cut), isStale: false };
    },
    'records:begin': ({ query, limit }) => {
      const rows = runQuery(records, query);
      const snapshotId = `snapshot-${snapshots.size + 1}`;
      snapshots.set(snapshotId, rows);
      const hasTotals = query.entity === 'claims' || query.entity === 'lines';
      return {
        snapshotId,
        rows: rows.slice(0, limit),
        total: rows.length,
        totals: hasTotals ? sumRows(rows) : null,
      };
    },
    'records:getCount': ({ snapshotId }) => {
      const rows = snapshots.get(snapshotId);
      if (rows === undefined) throw new FakeError('snapshot.expired');
      return { total: rows.length, totals: sumRows(rows), isMoved: false };
    },
    'records:group': ({ query, by, offset, limit }) => {
      const nameOf = (id: Cell): string | null =>
        by.endsWith('employer.id')
          ? (records.members.find(({ employer }) => employer?.id === id)?.employer?.name ?? null)
          : null;
      const groups = groupRows(runQuery(records, query), by).map((group) => ({
        ...group,
        label: nameOf(group.value),
      }));
      return { groups: groups.slice(offset ?? 0, (offset ?? 0) + (limit ?? 100)), total: groups.length };
    },
    'records:listValues': ({ entity, field, search, within, limit }) => {
      const values = groupRows(runQuery(records, { entity, ...within }), field)
        .filter(
          ({ value }) =>
            value !== null &&
            String(value)
              .toLowerCase()
              .includes((search ?? '').toLowerCase()),
        )
        .map(({ value, totals }) => ({ value, count: totals.count }));
      return { values: values.slice(0, limit ?? 100), total: values.length };
    },
    ...createFakeOrganizations(() => records),
    ...createFakeWorklists(() => records.claims),
    ...reviews.handlers,
    'records:close': () => done,
    'records:notePrinted': () => done,
    'export:notePrinted': () => done,
    'records:getMember': ({ id }) => {
      const member = records.members.find((candidate) => candidate.id === id);
      if (member === undefined) throw new FakeError('record.unknown');
      const conditions = [{ field: 'members.id', operator: 'is' as const, values: [id] }];
      return {
        member,
        claims: sumRows(runQuery(records, { entity: 'claims', conditions })),
        unknownFields: ['hire_term_daterange'],
        missing: null,
      };
    },
    'records:getDependent': ({ id }) => {
      const found = records.dependents.find((candidate) => candidate.dependent.id === id);
      if (found === undefined) throw new FakeError('record.unknown');
      return { ...found, unknownFields: ['relationship'], missing: null };
    },
    'records:getClaim': ({ id }) => {
      const claim = records.claims.find((candidate) => candidate.id === id);
      if (claim === undefined) throw new FakeError('record.unknown');
      return { claim, carrier: 'Aetna', unknownFields: ['accumulator_hint'], missing: null };
    },
    'records:listSetAside': () => ({
      items:
        records.claims.length === 0
          ? []
          : [
              {
                kind: 'claim',
                reason: 'It has no id, so it cannot be told from others.',
                recordId: null,
                seenAt: '2026-02-01T09:00:00Z',
              },
            ],
    }),
    'export:start': ({ source, format }) => {
      const exportId = `export-${Date.now()}`;
      const total = !('query' in source) ? 12 : runQuery(records, source.query).length;
      let rows = 0;
      exportTimers.set(
        exportId,
        setInterval(() => {
          rows = Math.min(total, rows + Math.ceil(total / 8));
          watched('export:progress', { exportId, rows, total, rowsPerSecond: 9000, secondsLeft: 2 });
          if (rows < total) return;
          clearInterval(exportTimers.get(exportId));
          const path = `/home/person/Downloads/claims-2026-03-09${extensionOf[format]}`;
          const sha256 = 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c';
          watched('export:finished', {
            exportId,
            result: {
              exportId,
              rows,
              files: [{ path, rows, bytes: 48_213, sha256 }],
              receiptPath: null,
              seconds: 2.4,
            },
            error: null,
          });
        }, 250),
      );
      return { exportId };
    },
    'export:cancel': ({ exportId }) => {
      clearInterval(exportTimers.get(exportId));
      watched('export:finished', { exportId, result: null, error: null });
      return done;
    },
  };
}
