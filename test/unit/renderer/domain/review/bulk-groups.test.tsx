import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import {
  areAllOpen,
  BulkGroups,
  type FrozenGroups,
  groupsAtFirst,
} from '../../../../../src/renderer/domain/review/bulk-dialog.tsx';
import type { ReviewAct } from '../../../../../src/rules/review/event-kinds.ts';

const group = (name: FrozenGroups[number]['group'], count: number, owed: number): FrozenGroups[number] => ({
  group: name,
  totals: { count, billed: null, allowed: null, paid: null, patientResponsibility: owed },
});
const groups: FrozenGroups = [
  group('open', 330, 1_234_500),
  group('reviewed', 12, 0),
  group('rejected', 58, 17_470_500),
];
const eligible: ReviewAct = {
  kind: 'decision',
  state: 'done',
  outcome: 'eligible',
  onWhom: null,
  reason: null,
  reminder: null,
};

describe('the claims that an act on many takes at first', () => {
  it('for a whole list, a decision leaves out what was reviewed, is rejected or not processed', () => {
    expect(groupsAtFirst({ act: eligible, isPicked: false }, groups)).toEqual(['open']);
    expect(groupsAtFirst({ act: eligible, isPicked: false }, groups.slice(1))).toEqual([]);
  });

  it('for selected rows, and acts that decide nothing, all are included', () => {
    const all = ['open', 'reviewed', 'rejected'];
    expect(groupsAtFirst({ act: eligible, isPicked: true }, groups)).toEqual(all);
    expect(groupsAtFirst({ act: { kind: 'flag', isFlagged: true }, isPicked: false }, groups)).toEqual(all);
  });
});

describe('the question which of them', () => {
  const draw = (shown: FrozenGroups): string =>
    renderToStaticMarkup(
      <MantineProvider>
        <BulkGroups groups={shown} chosen={['open']} onChoose={() => undefined} />
      </MantineProvider>,
    ).replace(/<style.*?<\/style>/gs, '');

  it('counts each group, and they add up', () => {
    const drawn = draw(groups);
    for (const text of [
      'Which of the 400 claims',
      '330 to review, processed by the carrier',
      '12 reviewed already (done, waiting, or escalated)',
      '58 denied by the carrier',
      '$123.45',
      '$1,747.05',
    ])
      expect(drawn).toContain(text);
    expect(drawn.match(/checked=""/g)).toHaveLength(1);
  });

  it('is not asked if all are to review', () => {
    expect(areAllOpen(groups.slice(0, 1))).toBe(true);
    expect(draw(groups.slice(0, 1))).toBe('');
  });
});
