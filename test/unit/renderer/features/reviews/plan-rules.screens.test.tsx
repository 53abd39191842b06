import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import type { Input } from '../../../../../src/contract/procedures.ts';
import { PlanRulesForm } from '../../../../../src/renderer/features/reviews/plan-rules-form.tsx';
import { layersOf } from '../../../../support/plan-rules.ts';
import { press, renderPart } from '../../../../support/render-screen.tsx';

const typeInto = (label: string, value: string): void => {
  fireEvent.change(screen.getByRole('textbox', { name: label }), { target: { value } });
};

test('plan rules are made by choosing, tried on past claims, and saved as they were tried', async () => {
  const tried: Input<'accumulators:try'>[] = [];
  const saved: Input<'settings:set'>[] = [];
  renderPart(<PlanRulesForm />, {
    'records:listEmployers': { employers: [{ id: 3, name: 'Acme HRA' }] },
    'accumulators:try': (input: Input<'accumulators:try'>) => {
      tried.push(input);
      return {
        ...{ families: 2, claims: 40, changedClaims: 5, changed: [] },
        current: { eligible: 10_000_000, notKnown: 0, disagreeing: 1 },
        tried: { eligible: 7_500_000, notKnown: 0, disagreeing: 3 },
      };
    },
    'settings:set': (input: Input<'settings:set'>) => {
      saved.push(input);
      return {};
    },
  });
  const section = await screen.findByRole('region', { name: 'Plan rules' });
  await within(section).findByRole('option', { name: 'Acme HRA' });
  fireEvent.change(within(section).getByRole('combobox', { name: 'Plan rules for' }), {
    target: { value: '3' },
  });
  expect(within(section).getByText('No plan rules yet.')).toBeTruthy();
  await press('Add rules');
  fireEvent.click(screen.getByRole('checkbox', { name: 'This plan has a deductible' }));
  typeInto('Limit, member alone', '2000');
  typeInto('Limit, person within a family', '3400');
  typeInto('Limit, whole family', '4000');
  fireEvent.click(screen.getByRole('checkbox', { name: 'The account pays by layers or up to a limit' }));
  for (const [coverage, member, account] of [
    ['Member alone', '900', '1100'],
    ['Family', '1800', '2200'],
  ] as const) {
    typeInto(`${coverage}, layer 1: the next`, member);
    await press(`Add layer: ${coverage.toLowerCase()}`);
    typeInto(`${coverage}, layer 2: the next`, account);
  }
  expect(screen.getByText(/^Not supported: proration/)).toBeTruthy();
  await press('Try on past claims');
  await screen.findByText((_text, one) =>
    /40 claims of 2 families: eligible by the rules \$1,000\.00 now, \$750\.00 with these rules; 5 claims would change/.test(
      one?.getAttribute('role') === 'status' ? (one.textContent ?? '') : '',
    ),
  );
  await press('Save plan rules');
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(Object.values(saved[0]?.planRules ?? {})).toEqual([tried[0]?.rules]);
  expect(tried[0]).toMatchObject({
    employerId: 3,
    rules: {
      years: [
        {
          deductible: {
            inNetwork: { alone: 20_000_000, person: 34_000_000, family: 40_000_000 },
            outOfNetwork: null,
          },
          account: {
            per: 'family',
            layers: {
              alone: layersOf(['member', 900], ['account', 1_100]),
              family: layersOf(['member', 1_800], ['account', 2_200]),
            },
          },
        },
      ],
    },
  });
});
