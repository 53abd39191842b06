import { expect, test } from 'vitest';
import type { RunStep } from '../../../src/contract/run-procedures.ts';
import { defaultSettings } from '../../../src/contract/settings.ts';
import { localDayOf } from '../../../src/rules/days.ts';
import { runField } from '../../../src/rules/review/id-filter.ts';
import { type LayoutField, layoutFields, type RunLayout } from '../../../src/rules/review/run-layout.ts';
import { worklistQuery } from '../../../src/rules/worklists/worklist-table.ts';
import { toBytes } from '../../support/incoming-file.ts';
import { openComputer, workspaceId } from '../../support/review-computer.ts';
import { decisionOf } from '../../support/review-files.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';
import { updateStore, usualRules } from '../../support/update-store.ts';

const column = (field: LayoutField) => ({ field, header: layoutFields[field].label });
const defaultRunLayout: RunLayout = {
  ...{ rows: 'member', format: 'xlsx', delimiter: ',', dates: 'MM/DD/YYYY', amounts: '1234.50' },
  columns: [column('memberId'), column('memberLast'), column('memberFirst'), column('amount')],
};
const acme = { id: 7, name: 'Acme' };
const ana = { id: 70, first_name: 'Ana', last_name: 'Cole', partner_key: 'A-1', employer: acme };
const ben = { id: 71, first_name: 'Ben', last_name: 'Diaz', employer: { id: 8, name: 'Bolt' } };
/** A claim whose deductible is its patient responsibility, in dollars. */
const claimOf = (id: number, dollars: number, member: object = id < 4 ? ana : ben) => ({
  ...{ id, status: 'Processed', amount_paid: 10, vendor_system_id: `N${id}`, members: [member] },
  ...{ patient_name: 'Kim Cole', service_provider: 'Dr. Ray', amount_not_covered: 0, amount_paid_other: 0 },
  ...{ date_of_service: { start: '2026-01-05', end: '2026-01-06', bounds: '[]' } },
  ...{ reduction: dollars, patient_responsibility: dollars, coinsurance_patient: 0, copayment: 0 },
});

const startMs = Date.parse('2026-03-01T12:00:00Z');

function open(settings: { twoPeopleAbove?: number } | null = null) {
  let nowMs = startMs;
  const clock = { now: () => (nowMs += 1000) };
  const getSettings = () => ({
    ...defaultSettings,
    service: 'https://claims.example.com',
    team: settings === null ? null : { planYearStarts: {}, rules: {}, ...settings },
    reviewsFrom: { [workspaceId]: '2000-01-01' },
  });
  const one = openComputer(makeTempFolder(), 'ada', clock, clock.now, undefined, undefined, getSettings);
  const { reviews } = one;
  one.opened.ingest('members', [ana]);
  one.opened.ingest(
    'claims',
    [1, 2, 3, 4, 5, 6].map((id) => claimOf(id, id * 10)),
  );
  const decide = (...claimIds: number[]) => reviews.act(workspaceId, { claimIds }, decisionOf('eligible'));
  const freeze = () => reviews.freezeList(workspaceId, 'all', null);
  return {
    ...one,
    decide,
    freeze,
    make: async (name = 'March', offsets = false) =>
      reviews.makeRun(workspaceId, {
        selectionId: (await freeze()).selectionId,
        ...{ name, account: 'Payroll', offsets },
      }),
    step: (runId: string | null, step: RunStep, acceptsMarked = 0) =>
      reviews.stepRun(workspaceId, runId ?? '', step, acceptsMarked),
    get: (runId: string | null) => reviews.getRun({ workspaceId, runId: runId ?? '' }),
    openOf: async (claimId: number) => (await reviews.get(workspaceId, claimId)).open,
    close: () => {
      one.file.close();
      one.opened.readerConnection.close();
      one.opened.database.close();
    },
  };
}

const send: RunStep = { kind: 'send', file: { name: 'march.csv', sha256: 'ab12' } };
const record: RunStep = { kind: 'record', day: '2026-03-02' };
const back = (reason: string): RunStep => ({ kind: 'back', reason });

test('claims to pay are added to a run, which is checked, sent and recorded in one act each, and back', async () => {
  const one = open();
  await one.decide(1, 2, 4, 5);
  await one.reviews.act(
    workspaceId,
    { claimIds: [5] },
    { kind: 'payment', payment: 'reimbursed', amount: 500_000, day: '2026-02-01', account: '' },
  );
  const { selectionId } = await one.freeze();
  expect(await one.reviews.estimateRun({ workspaceId, selectionId })).toEqual({
    ...{ claims: 3, amount: 700_000 },
    employers: [
      { employerId: 8, name: 'Bolt', claims: 1, amount: 400_000 },
      { employerId: 7, name: 'Acme', claims: 2, amount: 300_000 },
    ],
    members: [
      { memberId: 71, name: 'Diaz, Ben', employer: 'Bolt', claims: 1, amount: 400_000 },
      { memberId: 70, name: 'Cole, Ana', employer: 'Acme', claims: 2, amount: 300_000 },
    ],
    offsets: { claims: 0, amount: 0 },
    leftOut: [
      { reason: 'notDecided', claims: 2 },
      { reason: 'nothingOpen', claims: 1 },
    ],
    listed: expect.arrayContaining([{ claimId: 5, reason: 'nothingOpen' }]),
  });
  const { eventId, claims, amount, leftOut } = await one.make();
  expect([claims, amount, leftOut.toSorted()]).toEqual([3, 700_000, [3, 5, 6]]);
  expect(await one.reviews.listRuns(workspaceId)).toMatchObject([
    { id: eventId, name: 'March', state: 'made', claims: 3, amount: 700_000, made: { claims: 3 } },
  ]);
  const ofRun = { field: runField, operator: 'is' as const, values: [`${eventId} March`] };
  expect([...one.opened.list({ entity: 'claims', conditions: [ofRun] })].sort()).toEqual([1, 2, 4]);

  await expect(one.step(eventId, record)).rejects.toMatchObject({ code: 'run.wrongStep' });
  await one.step(eventId, { kind: 'check' });
  await one.step(eventId, { ...send, employerId: 7 });
  expect(await one.get(eventId)).toMatchObject({ state: 'checked', claims: 3 });
  await one.step(eventId, send);
  await one.step(eventId, record);
  expect(await one.get(eventId)).toMatchObject({ state: 'recorded', amount: 700_000, marked: 0 });
  for (const claimId of [1, 2, 4]) expect(await one.openOf(claimId)).toBe(0);
  expect((await one.reviews.get(workspaceId, 4)).payments).toMatchObject([
    { amount: 400_000, day: '2026-03-02', account: 'Payroll', run: eventId },
  ]);
  const { steps } = await one.get(eventId);
  expect(steps.map(({ kind }) => kind)).toEqual(['run', 'runChecked', 'runSent', 'runSent', 'payment']);

  await expect(one.reviews.undo(workspaceId, steps[2]?.eventId ?? '')).rejects.toMatchObject({
    code: 'run.laterStep',
  });
  await one.step(eventId, back('Wrong day'));
  expect(await one.get(eventId)).toMatchObject({ state: 'sent' });
  expect(await one.openOf(4)).toBe(400_000);
  const { events } = await one.reviews.listEvents({ workspaceId, claimId: 4, offset: 0, limit: 1 });
  expect(events[0]?.fact).toEqual({ kind: 'undo', reason: 'Wrong day' });
  await expect(one.reviews.undo(workspaceId, events[0]?.id ?? '')).rejects.toMatchObject({
    code: 'run.laterStep',
  });
  for (const reason of ['File', 'File', 'Look', 'Run']) await one.step(eventId, back(reason));
  expect(await one.reviews.listRuns(workspaceId)).toEqual([]);
  await expect(one.get(eventId)).rejects.toMatchObject({ code: 'run.unknown' });
  one.close();
});

test('a claim in an open run is in no other one, and can later be in one for what is open then', async () => {
  const one = open();
  await one.decide(1, 2);
  const first = await one.make();
  await one.decide(3);
  const { selectionId } = await one.freeze();
  const estimated = await one.reviews.estimateRun({ workspaceId, selectionId });
  expect(estimated.leftOut).toContainEqual({ reason: 'inRun', claims: 2 });
  expect(estimated.listed).toContainEqual({ claimId: 1, reason: 'inRun', run: 'March' });
  expect(await one.make('April')).toMatchObject({ claims: 1, amount: 300_000 });
  await expect(one.make('May')).rejects.toMatchObject({ code: 'run.empty' });

  await one.step(first.eventId, send);
  await one.step(first.eventId, record);
  one.opened.ingest('claims', [claimOf(1, 15)]);
  await one.reviews.updateAfterSync(workspaceId);
  await one.decide(1);
  const later = await one.make('May');
  expect(later).toMatchObject({ claims: 1, amount: 50_000 });
  await expect(one.step(first.eventId, back('Again'))).rejects.toMatchObject({ code: 'run.laterStep' });
  await one.step(later.eventId, send);
  await one.step(later.eventId, record);
  expect(await one.openOf(1)).toBe(0);
  expect((await one.get(first.eventId)).amount).toBe(300_000);
  one.close();
});

test('changes to a claim in a run are marked, and the claim can be left out', async () => {
  const one = open();
  await one.decide(1, 2, 3, 4);
  const { eventId } = await one.make();
  one.opened.ingest('claims', [claimOf(1, 12)]);
  await one.reviews.updateAfterSync(workspaceId);
  await one.reviews.act(workspaceId, { claimIds: [2] }, decisionOf('notEligible'));
  await one.reviews.act(
    workspaceId,
    { claimIds: [3] },
    { kind: 'payment', payment: 'matchedToCard', amount: 100_000, day: '2026-02-01', account: '' },
  );
  expect(await one.get(eventId)).toMatchObject({
    ...{ claims: 4, amount: 1_000_000, marked: 3 },
    listed: [
      { claimId: 1, mark: 'reopened' },
      { claimId: 2, mark: 'reopened' },
      { claimId: 3, mark: 'amount', amount: 300_000, open: 200_000 },
    ],
  });
  const layout = defaultRunLayout;
  for (const wanted of [
    () => one.step(eventId, { kind: 'check' }),
    () => one.step(eventId, send, 2),
    () => one.reviews.readRunFile(workspaceId, { runId: eventId ?? '', layout, acceptsMarked: 2 }),
  ])
    await expect(wanted()).rejects.toMatchObject({ code: 'run.marked', details: { claims: 3 } });
  await one.step(eventId, { kind: 'check' }, 3);
  const file = await one.reviews.readRunFile(workspaceId, { runId: eventId ?? '', layout, acceptsMarked: 3 });
  expect(file.rows).toHaveLength(2);
  await one.step(eventId, { kind: 'leaveOut', claimIds: [1, 2], reason: 'Changed' });
  expect(await one.get(eventId)).toMatchObject({
    ...{ claims: 2, amount: 700_000, made: { claims: 4, amount: 1_000_000 } },
    byState: expect.arrayContaining([{ state: 'left', claims: 2, amount: 300_000 }]),
  });
  expect((await one.reviews.get(workspaceId, 1)).runs).toMatchObject([{ state: 'left', reason: 'Changed' }]);
  await one.step(eventId, send, 1);
  await expect(one.step(eventId, record)).rejects.toMatchObject({
    code: 'run.marked',
    details: { claims: 1 },
  });
  await one.step(eventId, record, 1);
  expect(await one.reviews.get(workspaceId, 3)).toMatchObject({ open: 0, owed: 100_000 });
  one.close();
});

test('results are matched by claim or by member and amount, and what does not match is listed', async () => {
  const one = open();
  await one.decide(1, 2, 4, 5);
  const { eventId } = await one.make();
  await one.step(eventId, send);
  const csv = [
    'Claim,Amount,Result,Reason',
    'N1,10.00,Paid,',
    '2,20.00,Rejected,Account closed',
    'N4,41.00,Paid,',
    'N9,1.00,Paid,',
    '3,30.00,Paid,',
    'N1,10.00,Paid,',
    '5,50,Perhaps,',
  ].join('\n');
  const read = await one.reviews.readResults(workspaceId, eventId ?? '', { file: toBytes(csv) });
  expect(read).toMatchObject({
    paid: { claims: 1, amount: 100_000 },
    rejected: { claims: 1, amount: 200_000 },
    without: { claims: 2, amount: 900_000 },
    unmatched: [
      { line: 4, of: 'N4', reason: 'amountDiffers' },
      { line: 5, of: 'N9', reason: 'notInRun' },
      { line: 6, of: '3', reason: 'notInRun' },
      { line: 7, of: 'N1', reason: 'repeated' },
      { line: 8, of: '5', reason: 'badResult' },
    ],
  });
  const applied = await one.reviews.applyResults(workspaceId, read.selectionId, {
    day: '2026-03-03',
    allPaid: false,
  });
  expect(applied).toMatchObject({ rejected: { claims: 1 }, recorded: { claims: 1 } });
  expect([await one.openOf(1), await one.openOf(2)]).toEqual([0, 200_000]);
  expect((await one.reviews.get(workspaceId, 2)).runs).toMatchObject([
    { state: 'left', reason: 'Account closed', isRejected: true },
  ]);
  const rejection = { claimId: 2, member: 'Cole, Ana', amount: 200_000, reason: 'Account closed' };
  expect(read.rejections).toEqual([rejection]);
  expect(await one.get(eventId)).toMatchObject({ rejected: 1, rejections: [rejection] });
  // It is a list to work through, until the claim is in another run or has nothing open.
  const listed = () => {
    updateStore(one.opened, '2026-03-01', { ...usualRules, service: 'https://claims.example.com' });
    return [...one.opened.list(worklistQuery('rejectedByPayer'))];
  };
  expect(listed()).toEqual([2]);
  // The answer by member comes after everything was recorded: the same act reverses the payments.
  await one.step(eventId, record);
  const ofMember = await one.reviews.readResults(workspaceId, eventId ?? '', {
    file: toBytes('Member ID;Status;Message\n71;returned;No account\nA-1;paid;'),
  });
  expect(ofMember).toMatchObject({ paid: { claims: 1 }, rejected: { claims: 2, amount: 900_000 } });
  await one.reviews.applyResults(workspaceId, ofMember.selectionId, { day: null, allPaid: false });
  expect([await one.openOf(1), await one.openOf(4), await one.openOf(5)]).toEqual([0, 400_000, 500_000]);
  expect(await one.get(eventId)).toMatchObject({ state: 'recorded', claims: 1, amount: 100_000 });
  await expect(
    one.reviews.readResults(workspaceId, eventId ?? '', { file: toBytes('a,b\n1,2') }),
  ).rejects.toMatchObject({
    code: 'run.badResults',
  });
  one.close();
});

test('in a team someone else checks a run, and claims for which one person decided too much stay to be recorded', async () => {
  const one = open({ twoPeopleAbove: 150_000 });
  await one.decide(1, 2);
  const { eventId } = await one.make();
  await expect(one.step(eventId, { kind: 'check' })).rejects.toMatchObject({ code: 'run.ownCheck' });
  await one.step(eventId, send);
  expect(await one.step(eventId, record)).toMatchObject({ claims: 1, needsSecond: [2] });
  expect(await one.get(eventId)).toMatchObject({ state: 'sent', amount: 300_000 });
  one.close();
});

test('what is owed back is not offset by a payment that is left to a colleague', async () => {
  const settings: { twoPeopleAbove?: number } = {};
  const one = open(settings);
  const paid = { kind: 'payment', payment: 'reimbursed', amount: 200_000, day: '2026-02-01' } as const;
  await one.reviews.act(workspaceId, { claimIds: [2] }, { ...paid, account: '' });
  await one.reviews.act(workspaceId, { claimIds: [2] }, decisionOf('notEligible'));
  await one.decide(3, 4);
  await one.reviews.updateOnce(workspaceId);
  updateStore(one.opened, '2026-03-01', { ...usualRules, service: 'https://claims.example.com' });
  const { eventId } = await one.make('March', true);
  await one.step(eventId, send);
  settings.twoPeopleAbove = 250_000;
  const owedOf = async () => (await one.reviews.get(workspaceId, 2)).owed;
  await expect(one.step(eventId, record)).rejects.toMatchObject({ code: 'review.needsSecond' });
  expect(await owedOf()).toBe(200_000);
  settings.twoPeopleAbove = 350_000;
  expect(await one.step(eventId, record)).toMatchObject({ claims: 2, needsSecond: [4] });
  expect(await owedOf()).toBe(0);
  await one.step(eventId, back('Wrong day'));
  expect(await owedOf()).toBe(200_000);
  one.close();
});

test('a file has a row for each claim or each member, as its layout says, and adds up to the run', async () => {
  const one = open();
  await one.decide(1, 2, 4);
  const { eventId } = await one.make();
  const preview = (layout: RunLayout, employerId?: number) =>
    one.reviews.previewRun({ workspaceId, runId: eventId ?? '', layout, employerId });
  expect(await preview(defaultRunLayout)).toEqual({
    rows: 2,
    first: [
      ['70', 'Cole', 'Ana', '30.00'],
      ['71', 'Diaz', 'Ben', '40.00'],
    ],
  });
  const columns = (
    ['memberKey', 'claimNumber', 'serviceEnd', 'amount', 'fixed', 'run', 'today', 'claims'] as const
  ).map((field) => ({ field, header: field, ...(field === 'fixed' ? { text: 'HRA' } : {}) }));
  const csv: RunLayout = {
    ...{ rows: 'claim', format: 'csv', delimiter: ';', dates: 'YYYYMMDD', amounts: '123450', columns },
  };
  const today = localDayOf(new Date(startMs)).replaceAll('-', '');
  expect(await preview(csv, 7)).toEqual({
    rows: 2,
    first: [
      ['A-1', 'N1', '20260106', '1000', 'HRA', 'March', today, '1'],
      ['A-1', 'N2', '20260106', '2000', 'HRA', 'March', today, '1'],
    ],
  });
  const file = await one.reviews.readRunFile(workspaceId, {
    runId: eventId ?? '',
    layout: { ...defaultRunLayout, rows: 'claim', columns: [{ field: 'amount', header: 'Pay' }] },
  });
  expect(file.rows).toEqual([[100_000], [200_000], [400_000]]);
  expect(file.columns).toMatchObject([{ label: 'Pay', kind: 'money' }]);
  one.close();
});

test('a run pays a member less only by what is owed on claims of the same employer', async () => {
  const one = open();
  const paid = { kind: 'payment', payment: 'reimbursed', amount: 300_000, day: '2026-02-01' } as const;
  await one.reviews.act(workspaceId, { claimIds: [3] }, { ...paid, account: '' });
  await one.decide(1, 2);
  const offsetsWith = async (employer: object) => {
    one.opened.ingest('claims', [claimOf(3, 30, { ...ana, employer })]);
    await one.reviews.updateAfterSync(workspaceId);
    await one.reviews.act(workspaceId, { claimIds: [3] }, decisionOf('notEligible'));
    updateStore(one.opened, '2026-03-01', { ...usualRules, service: 'https://claims.example.com' });
    const { selectionId } = await one.freeze();
    return (await one.reviews.estimateRun({ workspaceId, selectionId })).offsets;
  };
  expect(await offsetsWith(acme)).toEqual({ claims: 1, amount: 300_000 });
  expect(await offsetsWith(ben.employer)).toEqual({ claims: 0, amount: 0 });
  one.close();
});

test('a run pays a member less by what is owed back, which is offset once recorded, and owed again if that is undone', async () => {
  const one = open();
  const paid = {
    kind: 'payment',
    payment: 'reimbursed',
    amount: 300_000,
    day: '2026-02-01',
    account: '',
  } as const;
  await one.reviews.act(workspaceId, { claimIds: [3] }, paid);
  await one.reviews.act(workspaceId, { claimIds: [3] }, decisionOf('notEligible'));
  await one.decide(1, 4);
  const update = async () => {
    await one.reviews.updateOnce(workspaceId);
    updateStore(one.opened, '2026-03-01', {
      ...usualRules,
      service: 'https://claims.example.com',
    });
  };
  await update();
  const owedOf = async () => (await one.reviews.get(workspaceId, 3)).owed;
  expect(await owedOf()).toBe(300_000);
  const { selectionId } = await one.freeze();
  // Ana is paid 10 dollars, so at most that much of the 30 can be offset; Ben owes nothing.
  expect(await one.reviews.estimateRun({ workspaceId, selectionId })).toMatchObject({
    ...{ claims: 2, amount: 500_000, offsets: { claims: 1, amount: 100_000 } },
  });
  // Where the claim that pays Ana leaves, so does what was to be offset by it.
  const first = await one.make('February', true);
  await one.step(first.eventId, { kind: 'leaveOut', claimIds: [1], reason: 'Appealed' });
  expect((await one.get(first.eventId)).byState).toEqual([
    { state: 'left', claims: 2, amount: 0 },
    { state: 'made', claims: 1, amount: 400_000 },
  ]);
  const [leftOut] = (await one.get(first.eventId)).steps.filter(({ kind }) => kind === 'runLeft');
  expect(leftOut).toMatchObject({ claims: 2, reason: 'Appealed' });
  await one.step(first.eventId, { kind: 'leaveOut', claimIds: [4], reason: 'Appealed' });
  const { eventId, amount } = await one.make('March', true);
  expect(amount).toBe(400_000);
  expect(await one.get(eventId)).toMatchObject({
    ...{ claims: 3, amount: 400_000, marked: 0 },
    totals: {
      members: [
        { memberId: 71, claims: 1, amount: 400_000 },
        { memberId: 70, claims: 2, amount: 0 },
      ],
    },
  });
  await one.step(eventId, send);
  expect(await one.step(eventId, record)).toMatchObject({ claims: 3 });
  expect(await owedOf()).toBe(200_000);
  expect((await one.reviews.get(workspaceId, 3)).payments.map(({ payment }) => payment)).toEqual([
    'reimbursed',
    'offset',
  ]);
  expect(await one.get(eventId)).toMatchObject({ state: 'recorded', amount: 400_000 });
  // One step back undoes both the payments and what was offset.
  await one.step(eventId, back('Wrong day'));
  expect(await owedOf()).toBe(300_000);
  expect((await one.get(eventId)).byState).toEqual([{ state: 'sent', claims: 3, amount: 400_000 }]);
  // So does the undo of either half, of which one undo key takes the newest.
  for (const half of [0, 1]) {
    const recorded = await one.step(eventId, record);
    const { steps } = await one.get(eventId);
    const halves = steps.filter(({ kind }) => kind === 'payment').map((step) => step.eventId);
    expect([halves.length, halves[0]]).toEqual([2, recorded.eventId]);
    expect(await one.reviews.undo(workspaceId, halves[half] ?? '')).toMatchObject({ claims: 3 });
    expect(await owedOf()).toBe(300_000);
    expect((await one.get(eventId)).byState).toEqual([{ state: 'sent', claims: 3, amount: 400_000 }]);
  }
  await one.step(eventId, record);
  // An offset that is rejected later is owed again.
  await one.step(eventId, { kind: 'leaveOut', claimIds: [3], reason: 'Left the company' });
  expect(await owedOf()).toBe(300_000);
  one.close();
});

test('paying a claim in an open run warns that the run pays it as well', async () => {
  const one = open();
  await one.decide(1, 2);
  await one.make();
  await one.decide(4);
  const csv = 'claim,amount,date\n1,10.00,2026-03-02\n4,40.00,2026-03-02';
  const wanted = { workspaceId, file: toBytes(csv), payment: 'reimbursed', account: '' } as const;
  expect((await one.reviews.readPayments(wanted)).inRuns).toEqual([{ claimId: 1, run: 'March' }]);
  const { selectionId } = await one.freeze();
  expect(await one.reviews.estimateOpen({ workspaceId, selectionId })).toMatchObject({
    payments: 6,
    inRun: 2,
  });
  one.close();
});

test('a file without a column of results asks for confirmation before it is applied', async () => {
  const one = open();
  await one.decide(1, 2);
  const { eventId } = await one.make();
  await one.step(eventId, send);
  const file = toBytes('claim,amount,message\n1,10.00,Rejected\n2,20.00,');
  const read = await one.reviews.readResults(workspaceId, eventId ?? '', { file });
  expect(read).toMatchObject({ asksAllPaid: true, rows: 2, paid: { claims: 2 }, rejected: { claims: 0 } });
  const apply = (allPaid: boolean) =>
    one.reviews.applyResults(workspaceId, read.selectionId, { day: '2026-03-02', allPaid });
  await expect(apply(false)).rejects.toMatchObject({ code: 'run.noResult', details: { rows: 2 } });
  expect(await apply(true)).toMatchObject({ recorded: { claims: 2 } });
  one.close();
});

test('a run of corrections has the differences from what was sent, including those below zero, and its file shows of which claims', async () => {
  const one = open();
  await one.decide(1, 2, 4);
  const first = await one.make();
  await one.step(first.eventId, send);
  await one.step(first.eventId, record);
  await one.reviews.act(workspaceId, { claimIds: [1] }, decisionOf('notEligible'));
  await one.decide(5);
  await one.reviews.updateOnce(workspaceId);
  updateStore(one.opened, '2026-03-01', { ...usualRules, service: 'https://claims.example.com' });
  const { selectionId } = await one.freeze();
  const ofCorrections = { selectionId, corrections: true };
  // A plain run has open claims only: what claim 1 owes back can't come from a member who is paid nothing.
  expect(await one.reviews.estimateRun({ workspaceId, selectionId })).toMatchObject({
    claims: 1,
    amount: 500_000,
  });
  expect(await one.reviews.estimateRun({ workspaceId, ...ofCorrections })).toMatchObject({
    ...{ claims: 2, amount: 400_000, offsets: { claims: 0, amount: 0 } },
    leftOut: [
      { reason: 'notDecided', claims: 2 },
      { reason: 'nothingOpen', claims: 2 },
    ],
  });
  const { eventId } = await one.reviews.makeRun(workspaceId, {
    ...{ ...ofCorrections, name: 'April', account: '', offsets: true },
  });
  expect(await one.get(eventId)).toMatchObject({ corrections: true, claims: 2, amount: 400_000 });
  const { rows } = await one.reviews.readRunFile(workspaceId, {
    runId: eventId ?? '',
    layout: {
      ...{ ...defaultRunLayout, rows: 'claim' },
      columns: (['claim', 'amount', 'disposition', 'reference', 'original'] as const).map(column),
    },
  });
  const reference = (runId: string | null) => runId?.slice(0, 8).toUpperCase();
  expect(rows).toEqual([
    ['1', -100_000, 'Reversal', `${reference(eventId)}-1`, `${reference(first.eventId)}-1`],
    ['5', 500_000, 'Original', `${reference(eventId)}-5`, null],
  ]);
  await one.step(eventId, send);
  await one.step(eventId, record);
  expect((await one.reviews.get(workspaceId, 1)).owed).toBe(0);
  one.close();
});
