import { expect, test } from 'vitest';
import { countUnlisted, describeFields } from '../../../../src/renderer/features/changes/describe-change.ts';

test('fields are shown under the labels of their columns, formatted by kind, before and after', () => {
  const { main, others } = describeFields({
    list: 'claims',
    fields: [
      { path: 'status', before: '"In Process"', after: '"Processed"' },
      { path: 'patient_responsibility', before: 'null', after: '35.75' },
      { path: 'network', before: null, after: '"IN"' },
      { path: 'claim_medical_lines[1].amount_paid', before: '80', after: '64.25' },
      { path: 'date_of_service.start', before: '"2026-01-02"', after: '"2026-01-03"' },
    ],
  });
  expect(others).toEqual([]);
  expect(main.map(({ label, before, after }) => [label, before, after])).toEqual([
    ['Status', 'In Process', 'Processed'],
    ['Patient responsibility', '(Blank)', '$35.75'],
    ['Network', '(Blank)', 'In-network'],
    ['Line 2: Plan paid', '$80.00', '$64.25'],
    ['Service start', '01/02/2026', '01/03/2026'],
  ]);
});

test('bookkeeping and fields without a label are separate, a whole line and a cut value are unchanged', () => {
  const { main, others } = describeFields({
    list: 'claims',
    fields: [
      { path: 'modifieddate', before: '"2026-01-09T09:00:00Z"', after: '"2026-02-01T09:00:00Z"' },
      { path: 'accumulator_hint', before: '{"a":1}', after: '"unfinished' },
      { path: 'claim_medical_lines[0]', before: null, after: '{"id":4}' },
    ],
  });
  expect(main).toEqual([]);
  expect(others.map(({ label, after }) => [label, after])).toEqual([
    ['Modified', expect.stringContaining('2026')],
    ['accumulator_hint', '"unfinished'],
    ['Line 1: claim_medical_lines[0]', '{\n "id": 4\n}'],
  ]);
});

test('what is counted but not listed is known for all kinds and for one', () => {
  const counts = { new: 4, changed: 2, missing: 0, confirmed: 0, returned: 1 };
  expect([
    countUnlisted(counts, null, 5),
    countUnlisted(counts, 'new', 2),
    countUnlisted(counts, 'changed', 2),
  ]).toEqual([2, 2, 0]);
});
