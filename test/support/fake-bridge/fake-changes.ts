import type { Output } from '../../../src/contract/procedures.ts';
import type { ChangeKind, RecordChange } from '../../../src/contract/sync.ts';
import type { FakeRecords } from './fake-records.ts';

/** Some changes of every kind, with more counted than listed. */
export function listFakeChanges(
  { claims, members }: FakeRecords,
  wanted: ChangeKind | undefined,
): Output<'sync:listChanges'> {
  const at = '2026-02-01T09:00:00Z';
  const none = { new: 0, changed: 0, missing: 0, confirmed: 0, returned: 0 };
  const [first, second, third, fourth] = claims;
  const [member] = members;
  if (!first || !second || !third || !fourth || !member) {
    return { runId: null, counts: none, total: 0, changes: [], runs: [] };
  }
  const change = (list: RecordChange['list'], id: number, kind: ChangeKind): RecordChange => ({
    list,
    id,
    change: kind,
    at,
    fields: [],
    isCut: false,
  });
  const changes: RecordChange[] = [
    {
      ...change('claims', first.id, 'changed'),
      fields: [
        { path: 'claim_medical_lines[0].amount_paid', before: '80', after: '64.25' },
        { path: 'modifieddate', before: '"2026-01-09T09:00:00Z"', after: '"2026-02-01T09:00:00Z"' },
        { path: 'patient_responsibility', before: '20', after: '35.75' },
        { path: 'remarks', before: 'null', after: '"Applied to the deductible"' },
        { path: 'status', before: '"In Process"', after: '"Processed"' },
      ],
    },
    change('claims', second.id, 'new'),
    change('claims', third.id, 'missing'),
    change('claims', fourth.id, 'returned'),
    {
      ...change('members', member.id, 'changed'),
      fields: [{ path: 'email', before: '"old@example.com"', after: '"new@example.com"' }],
    },
  ];
  const counts = { new: 4, changed: 2, missing: 1, confirmed: 0, returned: 1 };
  const shown = changes.filter((one) => wanted === undefined || one.change === wanted);
  return {
    runId: 'run-2',
    counts,
    total: shown.length,
    changes: shown,
    runs: [
      { runId: 'run-2', at, counts },
      { runId: 'run-1', at: '2026-01-31T09:00:00Z', counts: { ...none, new: 96 } },
    ],
  };
}
