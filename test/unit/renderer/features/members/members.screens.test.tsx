import { screen, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { somePapers } from '../../../../support/papers.ts';
import { noRecords, renderScreen } from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

testStates('/members/7', 'records:getMember', ['the member', 'Couldn’t load this member'], {
  filled: { member: { id: 7, full_name_derived: longName } },
  empty: [{ member: { id: 7 } }, 'No carrier connections yet.'],
  others: noRecords,
});

test('a member’s ledger has each payment, what is eligible, and the balance', async () => {
  const paid = { author: 'ann@acme.example', at: '2026-11-01T10:00:00Z', account: '', alsoBy: [] };
  renderScreen('/members/7', {
    ...noRecords,
    'records:getMember': { member: { id: 7, full_name_derived: longName } },
    'worklists:ledger': {
      owed: 200_000,
      claims: [
        {
          ...{ claimId: 41, number: 'N41', isMissing: false, eligible: 300_000 },
          ...{ reimbursed: 600_000, writtenOff: 100_000, owed: 200_000 },
          payments: [
            { ...paid, id: 'a', payment: 'reimbursed', amount: 700_000, day: '2026-11-01' },
            { ...paid, id: 'b', payment: 'repaid', amount: 100_000, day: '2026-11-02' },
            { ...paid, id: 'c', payment: 'writtenOff', amount: 100_000, day: '2026-11-03', account: 'Left' },
          ],
        },
      ],
    },
  });
  const table = await screen.findByRole('table', { name: 'Ledger of what is owed back' });
  const cells = within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent));
  expect(cells.slice(1)).toEqual([
    ['N41', '11/01/2026', 'Reimbursed', 'ann@acme.example', '$70.00', ''],
    ['', '11/02/2026', 'Repaid', 'ann@acme.example', '−$10.00', ''],
    ['', '11/03/2026', 'Written off: Left', 'ann@acme.example', '−$10.00', ''],
    ['', '', 'Eligible now', '', '−$30.00', '$20.00'],
    ['', '', 'Balance', '', '', '$20.00'],
  ]);
});

test('the ledger shows what was written off above what is owed, and the balance is not below zero', async () => {
  const off = { author: 'ann@acme.example', at: '2026-11-01T10:00:00Z', account: '', alsoBy: [] };
  const payment = { ...off, payment: 'writtenOff', amount: 400_000, day: '2026-11-01' } as const;
  renderScreen('/members/7', {
    ...noRecords,
    'records:getMember': { member: { id: 7, full_name_derived: longName } },
    'worklists:ledger': {
      owed: 0,
      claims: [
        {
          ...{ claimId: 41, number: 'N41', isMissing: false, eligible: 0 },
          ...{ reimbursed: 400_000, writtenOff: 800_000, owed: 0 },
          payments: [
            { ...payment, id: 'a', payment: 'reimbursed' },
            { ...payment, id: 'b' },
            { ...payment, id: 'c' },
          ],
        },
      ],
    },
  });
  const table = await screen.findByRole('table', { name: 'Ledger of what is owed back' });
  const cells = within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].slice(2).map(({ textContent }) => textContent));
  expect(cells.slice(4)).toEqual([
    ['Of this, written off above what is owed', '', '$40.00', ''],
    ['Eligible now', '', '$0.00', '$0.00'],
    ['Balance', '', '', '$0.00'],
  ]);
});

test('a family’s plan year shows what is used, what remains, who pays next, and what each claim counted', async () => {
  const standing = (used: number, limit: number | null, more = {}) => ({
    ...{ used, limit, isAtLeast: false, applied: used, metOn: null },
    ...{ remaining: limit === null ? null : limit - used, ...more },
  });
  const step = { per: 'person', before: 0, base: 5_000_000, share: 0, rule: 'layers' } as const;
  renderScreen('/members/7', {
    ...noRecords,
    'records:getMember': { member: { id: 7, full_name_derived: longName } },
    'accumulators:family': {
      memberName: longName,
      planYears: ['2026', '2025'],
      families: [
        {
          ...{
            memberId: 7,
            employerId: 3,
            employerName: 'Acme',
            planYear: '2026',
            begins: '2026-01-01',
            ...{ isMidYear: false, isFamily: true },
          },
          persons: [
            {
              ...{ name: 'Ana Edwards', relationship: null },
              planPays: { payer: 'member', amount: 5_000_000, isAtMost: true },
              drugsPaid: null,
              accountPays: { payer: 'member', amount: 4_000_000, isAtMost: false },
            },
          ],
          meters: [
            {
              ...{ meter: 'deductible', network: 'in' },
              family: standing(10_000_000, 30_000_000),
              persons: [standing(10_000_000, 15_000_000, { isAtLeast: true })],
            },
          ],
          account: {
            family: standing(0, null),
            persons: [standing(0, 11_000_000)],
            carriedOver: null,
            per: 'person',
            layers: [
              { payer: 'member', amount: 4_000_000 },
              { payer: 'account', amount: null },
            ],
          },
          claims: [
            {
              ...{ claimId: 41, person: 0, processed: '2026-02-01', serviceDay: '2026-01-15', network: 'IN' },
              ...{
                state: 'counts',
                deductible: 12_000_000,
                outOfPocket: 12_000_000,
                isEarlier: false,
                isOpenDuplicate: false,
              },
              shares: [{ person: 10_000_000, family: 10_000_000, after: 10_000_000 }],
              account: { ...step, parts: [{ payer: 'member', amount: 5_000_000 }] },
              disagreements: [{ kind: 'deductibleOver', amount: 2_000_000 }],
            },
            {
              ...{ claimId: 42, person: 0, processed: null, serviceDay: null, network: null },
              ...{
                state: 'notProcessed',
                deductible: null,
                outOfPocket: null,
                isEarlier: false,
                isOpenDuplicate: false,
              },
              ...{ shares: [{ person: 0, family: 0, after: 0 }], account: null, disagreements: [] },
            },
          ],
        },
      ],
    },
  });
  const cellsOf = (table: HTMLElement) =>
    within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) => [...row.children].map(({ textContent }) => textContent));
  expect(
    cellsOf(
      await screen.findByRole('table', { name: 'Deductible and out-of-pocket progress', hidden: true }),
    ),
  ).toEqual([
    ['Deductible, in network', 'Whole family', '$1,000.00', '$1,000.00', '$3,000.00', '$2,000.00', ''],
    [
      ...['', 'Ana Edwards', 'at least $1,000.00', '$1,000.00', '$1,500.00', 'at most $500.00'],
      'Member pays the first $500.00, or less',
    ],
    ['Paid by the account', 'Whole family', '$0.00', '$0.00', 'None', 'None', ''],
    [
      ...['', 'Ana Edwards', '$0.00', '$0.00', 'at least $1,100.00', 'at least $1,100.00'],
      'Member pays the first $400.00',
    ],
  ]);
  expect(
    cellsOf(screen.getByRole('table', { name: 'Claims in the order of processing', hidden: true })),
  ).toEqual([
    [
      ...['41', '02/01/2026', 'Ana Edwards'],
      'Counts $1,000.00 toward the deductible, in network (family total $1,000.00); deductible $200.00 too high',
      'Of $500.00: member $500.00.',
    ],
    ['42', '', 'Ana Edwards', 'Not processed yet, does not count', ''],
  ]);
});

test('the card above the tables has the same amounts as their rows, and a sentence to read aloud', async () => {
  const standing = (used: number, limit: number) => ({
    ...{ used, limit, remaining: limit - used, isAtLeast: false, applied: used, metOn: null },
  });
  const person = (name: string, payer: 'member' | 'plan', amount: number | null) => ({
    ...{ name, relationship: null, drugsPaid: null, accountPays: null },
    planPays: { payer, amount, isAtMost: false },
  });
  const meter = (id: 'deductible' | 'outOfPocket', ...[family, ...persons]: [number, number][]) => ({
    ...{ meter: id, network: 'all' as const },
    family: standing(...(family ?? [0, 0])),
    persons: persons.map((one) => standing(...one)),
  });
  const over = (claimId: number, amount: number) => ({
    ...{ claimId, person: 1, processed: '2026-02-01', serviceDay: '2026-01-15', network: null },
    ...{ state: 'counts' as const, deductible: 0, outOfPocket: amount, account: null },
    ...{ shares: [], isEarlier: false, isOpenDuplicate: false },
    disagreements: [{ kind: 'outOfPocketOver' as const, amount }],
  });
  renderScreen('/members/7', {
    ...noRecords,
    'records:getMember': { member: { id: 7, full_name_derived: longName } },
    'accumulators:family': {
      ...{ memberName: longName, planYears: ['2026'] },
      families: [
        {
          ...{ memberId: 7, employerId: 3, employerName: 'Acme', planYear: '2026', begins: '2026-01-01' },
          ...{ isMidYear: false, isFamily: true, account: null },
          persons: [person('Ana Edwards', 'member', 5_000_000), person('Jerry Edwards', 'plan', null)],
          meters: [
            meter('deductible', [20_000_000, 30_000_000], [5_000_000, 10_000_000], [10_000_000, 10_000_000]),
            meter('outOfPocket', [25_000_000, 60_000_000], [5_000_000, 20_000_000], [20_000_000, 20_000_000]),
          ],
          claims: [over(41, 10_000_000), over(42, 4_600_600)],
        },
      ],
    },
  });
  const section = await screen.findByRole('region', { name: 'Deductible and out-of-pocket progress' });
  expect(section.textContent).toContain(
    'Jerry has met the out-of-pocket maximum; the plan should pay from here. Ana has $500.00 of the deductible left. The carrier charged Jerry $1,460.06 too much.',
  );
  const table = within(section).getByRole('table', {
    name: 'Deductible and out-of-pocket progress',
    hidden: true,
  });
  const rows = [...table.querySelectorAll('tbody tr')].map((row) =>
    [...row.children].map(({ textContent }) => textContent ?? ''),
  );
  // Each line of the card is a row of the table: who, used, limit, and what remains.
  const lines = ['Deductible', 'Out-of-pocket maximum'].flatMap((name) => {
    const block = within(section).getByRole('region', { name });
    return [block.querySelector('h3'), ...block.querySelectorAll('li')].map((one) => one?.textContent ?? '');
  });
  expect(lines).toHaveLength(rows.length);
  for (const [at, [, who = '', used = '', , limit = '', remaining = '']] of rows.entries()) {
    expect(lines[at]).toContain(`${used} of ${limit}`);
    if (who === 'Whole family') continue;
    expect(lines[at]).toContain(who.split(' ')[0]);
    expect(lines[at]).toContain(remaining === '$0.00' ? 'Met' : `${remaining} left`);
  }
  // The same for what the carrier charged too much.
  const claims = within(section).getByRole('table', {
    name: 'Claims in the order of processing',
    hidden: true,
  });
  const charged = [...(claims.textContent ?? '').matchAll(/maximum by \$([\d,]+\.\d\d)/g)].map(([, amount]) =>
    Number(amount?.replaceAll(',', '')),
  );
  expect(charged.reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(1460.06, 4);
});

test('of two employers in a plan year, each is shown with its own meters', async () => {
  const standing = (used: number) => ({
    ...{
      used,
      limit: 30_000_000,
      remaining: 30_000_000 - used,
      isAtLeast: false,
      applied: used,
      metOn: null,
    },
  });
  const familyAt = (employerId: number, employerName: string | null, used: number) => ({
    ...{ memberId: 7, employerId, employerName, planYear: '2026', begins: '2026-01-01' },
    ...{ isMidYear: false, isFamily: true },
    persons: [],
    meters: [
      {
        meter: 'deductible' as const,
        network: 'all' as const,
        family: standing(used),
        persons: [],
      },
    ],
    ...{ account: null, claims: [] },
  });
  renderScreen('/members/7', {
    ...noRecords,
    'records:getMember': { member: { id: 7, full_name_derived: longName } },
    'accumulators:family': {
      ...{ memberName: longName, planYears: ['2026'] },
      families: [familyAt(3, 'Acme', 10_000_000), familyAt(4, null, 20_000_000)],
    },
  });
  for (const [name, used] of [
    ['Acme', '$1,000.00'],
    ['employer 4', '$2,000.00'],
  ]) {
    const region = await screen.findByRole('region', {
      name: `Deductible and out-of-pocket progress, ${name}`,
    });
    expect(region.textContent).toContain(`by the plan rules of ${name}.`);
    const table = within(region).getByRole('table', {
      name: `Deductible and out-of-pocket progress, ${name}`,
      hidden: true,
    });
    expect(table.textContent).toContain(used);
  }
  expect(screen.getAllByRole('combobox', { name: 'Plan year of the family' })).toHaveLength(1);
});

test('the documents and letters of a member’s claims are listed with a link to each claim', async () => {
  renderScreen('/members/7', {
    ...noRecords,
    'records:getMember': { member: { id: 7, full_name_derived: longName } },
    'reviews:listPapers': { papers: somePapers, isWhole: true },
  });
  const table = await screen.findByRole('table', { name: 'Documents and letters of claims' });
  const rows = within(table).getAllByRole('row').slice(1);
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    '11/03/2026Letter: not eligible · No longer true7Ana Ruizben@example.comabababababababab…',
    '11/02/2026Itemized receipt: receipt.pdf7Ana Ruizben@example.comabababababababab…',
    '11/01/2026Letter: documents needed7Ana Ruizben@example.comabababababababab…',
  ]);
  expect(
    within(rows[0] as HTMLElement)
      .getByRole('link')
      .getAttribute('href'),
  ).toContain('/claims/7');
});
