import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Output } from '../../../../../src/contract/procedures.ts';
import { decideAmounts } from '../../../../../src/rules/money/decided-amounts.ts';
import type { Part } from '../../../../support/contract-values.ts';
import {
  type Answers,
  noRecords,
  pending,
  pressKey,
  renderScreen,
  whenReady,
} from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

const claim = { id: 7, patient_name: longName };

testStates('/claims/7', 'records:getClaim', ['the claim', 'Couldn’t load this claim'], {
  filled: { claim },
  others: noRecords,
});
testStates('/claims/7/file', 'records:getClaim', ['the claim file', 'Couldn’t load the claim file'], {
  filled: { claim },
  others: noRecords,
});
testStates('/claims/7/duplicates', 'duplicates:of', ['the comparison', 'Couldn’t compare this claim'], {
  filled: {
    pairs: [
      { left: 7, right: 8, kind: 'exact', fields: [{ label: 'Patient', left: longName, right: longName }] },
    ],
  },
  empty: [{}, 'No duplicates'],
  others: noRecords,
});

test.each([
  [null, /^No diagnosis\./],
  ['J45.909', /^Diagnosis J45\.909 in all lines\./],
])('a narrow table of lines with many amounts leaves out a column with only %s', async (code, said) => {
  const line = { diagnosis_code: code, reduction: 1, copayment: 1, coinsurance_patient: 1 };
  renderScreen('/claims/7', {
    ...noRecords,
    'records:getClaim': { claim: { ...claim, claim_medical_lines: [line, line] } },
  });
  await screen.findByText(said);
  expect((await screen.findByRole('table', { name: 'Claim lines' })).dataset.sameDiagnosis).toBe('true');
});

test.each([
  ['/claims', /^Claim 7/, /^Claim 8/, ['records:getClaim 8', 'reviews:get 8', 'rows around 8']],
  ['/worklists/duplicates', /^Claim 7: dup/, /^Claim 8: dup/, ['duplicates:of 8']],
])(
  '%s: what was fetched of the next claim is there however long you read',
  async (at, first, next, ahead) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const rows = [7, 8].map((id) => ({ id, patient_name: `Ana ${id}` }));
    let asked: string[] = [];
    renderScreen(at, {
      ...noRecords,
      'records:begin': { snapshotId: 's', total: 2, rows },
      'records:getWindow': ({ offset, limit }) => {
        if (offset === 0 && limit === 3) asked.push('rows around 8');
        return { rows: rows.slice(offset) };
      },
      'records:getClaim': ({ id }) => {
        asked.push(`records:getClaim ${id}`);
        return { claim: { id } };
      },
      'reviews:get': ({ claimId }) => {
        asked.push(`reviews:get ${claimId}`);
        return { claimId };
      },
      'duplicates:of': ({ claimId }) => {
        asked.push(`duplicates:of ${claimId}`);
        return {};
      },
      'duplicates:findStop': ({ step }) => ({ stop: step === 1 ? { claimId: 8, at: 1 } : null }),
    });
    fireEvent.click(await screen.findByText('7'));
    await screen.findByRole('heading', { level: 1, name: first });
    await waitFor(() => expect(asked).toEqual(expect.arrayContaining(ahead)));
    await vi.advanceTimersByTimeAsync(120_000);
    asked = [];
    await pressKey('j');
    await screen.findByRole('heading', { level: 1, name: next });
    await vi.advanceTimersByTimeAsync(100);
    expect(asked.filter((request) => ahead.includes(request))).toEqual([]);
  },
);

describe('the review of a claim', () => {
  const noted = { label: 'Check number', effect: 'noted', before: '0071', after: '0071R' } as const;
  const decision = { kind: 'decision', state: 'done', outcome: 'notEligible' } as const;
  const decided = {
    claims: 1,
    claimId: 7,
    fact: { ...decision, onWhom: null, reason: null, reminder: null },
  };

  /** The words of the claim's page, once its review is there. */
  async function read(review: Part<Output<'reviews:get'>>, changes: (typeof noted)[] | null = null) {
    renderScreen('/claims/7', {
      ...noRecords,
      'records:getClaim': { claim },
      'reviews:get': {
        ...{ claimId: 7, state: 'done', outcome: 'notEligible', basis: { rule: 'rejected', values: {} } },
        ...{ byRules: 0, eligible: 0, declined: 0, disputed: 0, open: 0, ...review },
      },
      'reviews:listEvents': { events: [{ ...decided, changes }], total: 1 },
    });
    await within(await screen.findByRole('region', { name: 'Review history' })).findAllByText(/Not eligible/);
    await screen.findByRole('region', { name: 'Reimbursement' });
    const words = document.createTreeWalker(screen.getByRole('main'), NodeFilter.SHOW_TEXT);
    const all: string[] = [];
    while (words.nextNode()) all.push(words.currentNode.textContent ?? '');
    return all.join(' ').replace(/\s+/g, ' ');
  }

  test('shows notes made at any time and at its decision in the history, with before and after', async () => {
    const change = 'Changed Before After Δ Check number 0071 0071R';
    const shown = await read({ changes: [noted] });
    expect(shown).toContain(`What changed since the review Also changed ( 1 ) ${change}`);
    expect(await read({}, [noted])).toContain(`Also changed afterwards (1) ${change}`);
    expect(await read({})).not.toContain('Check number');
  });

  test.each([
    ['notEligible', 'Not eligible'],
    ['duplicate', 'Duplicate'],
    ['noAction', 'No action'],
  ] as const)(
    '%s: nothing is eligible or open, and what the rules gave is struck out',
    async (outcome, label) => {
      const byRules = 48_358_300;
      const { declined, eligible, open } = decideAmounts(byRules, {
        outcome,
        kept: null,
        reimbursed: 0,
        writtenOff: 0,
      });
      const words = await read({ outcome, byRules, declined, eligible, open });
      expect(words).toContain(`Review ${label}`);
      expect(words).toContain(
        'Eligible as decided by the rules $4,835.83 $0.00 Declined $4,835.83 Reimbursed $0.00 Open $0.00',
      );
    },
  );

  test('shows its reason if the rules gave nothing', async () => {
    expect(await read({ cause: 'Paid by another plan' })).toContain('Declined · Paid by another plan $0.00');
    expect(await read({})).not.toContain('Declined');
  });
});

describe('the keys of a claim', () => {
  const sent: unknown[] = [];
  const answers = (
    review: Part<Output<'reviews:get'>>,
    worklists: Part<Output<'worklists:why'>>['worklists'],
  ) => ({
    ...noRecords,
    'records:getClaim': { claim },
    'reviews:get': { claimId: 7, state: 'done', outcome: 'eligible', ...review } as const,
    'worklists:why': { worklists },
    'reviews:act': (input: unknown) => {
      sent.push(input);
      return {};
    },
  });

  test('in the quality check one key agrees and one disagrees, the latter with its reason', async () => {
    sent.length = 0;
    // A field that grows with its text waits for fonts, which this document has none of.
    Object.assign(document, { fonts: new EventTarget() });
    const inCheck = [{ id: 'qualityCheck', values: {} }] as const;
    renderScreen('/claims/7', {
      ...answers({ reviewedBy: 'lee@example.com' }, [...inCheck]),
      'team:getStatus': { server: 'https://team.example', state: 'live', role: 'reviewer' },
      'team:listMembers': { members: [] },
      'records:listTenants': {},
    });
    await screen.findByRole('group', { name: 'Quality check' });
    await pressKey('y');
    await waitFor(() => expect(sent).toHaveLength(1));
    fireEvent.keyDown(document.body, { key: 'k', code: 'KeyK', ctrlKey: true });
    for (const name of [/^Review: Agree/, /^Review: Disagree/]) await screen.findByRole('button', { name });
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Review: Agree/ })).toBeNull());
    await pressKey('d');
    const reason = await screen.findByRole('textbox', { name: 'Reason' });
    fireEvent.change(reason, { target: { value: 'No receipt' } });
    fireEvent.click(await screen.findByRole('button', { name: 'Send back' }));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent.map((one) => (one as { act: unknown }).act)).toEqual([
      { kind: 'check', agrees: true, reason: null },
      { kind: 'check', agrees: false, reason: 'No receipt' },
    ]);
  });

  test('your own review is not offered for a check, and one that was sent back shows why', async () => {
    const own = { reviewedBy: 'desk@example.com' };
    renderScreen('/claims/7', answers({ ...own, state: 'todo', outcome: null, reason: 'No receipt' }, []));
    await screen.findByText('Sent back by the quality check');
    expect(screen.getByText('No receipt')).toBeTruthy();
    expect(screen.queryByRole('group', { name: 'Quality check' })).toBeNull();
  });

  test('after a note is saved the focus is on the claim again', async () => {
    renderScreen('/claims/7', answers({}, []));
    const field = await screen.findByRole('textbox', { name: 'New note' });
    field.focus();
    fireEvent.change(field, { target: { value: 'Called' } });
    fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Claim 7'));
  });

  test('one Escape leaves a claim while the mouse is over something with a tooltip', async () => {
    renderScreen('/claims/7', answers({}, []));
    await screen.findByRole('heading', { level: 1, name: 'Claim 7' });
    fireEvent.mouseEnter(screen.getByRole('button', { name: 'Lock now' }));
    await screen.findByRole('tooltip');
    fireEvent.keyDown(document.body, { key: 'Escape', code: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Claim 7' })).toBeNull());
  });

  test('g and a letter open a page', async () => {
    renderScreen('/claims/7', answers({}, []));
    await screen.findByRole('textbox', { name: 'New note' });
    (document.activeElement as HTMLElement | null)?.blur();
    await pressKey('g');
    await pressKey('y');
    await waitFor(() => expect(window.location.hash).toContain('/sync'));
  });
});

describe('keys while another claim is read', () => {
  /** Two claims, of which the second is read when `read` is called. */
  function open(at = '/claims/7', answers: Answers = {}) {
    const sent: number[] = [];
    let read: () => void = () => undefined;
    const second = new Promise<void>((resolve) => {
      read = resolve;
    });
    renderScreen(at, {
      ...noRecords,
      ...answers,
      'records:getClaim': async ({ id }) => {
        if (id === 8) await second;
        return { claim: { id, patient_name: `Ana ${id}` } };
      },
      'reviews:get': ({ claimId }) => ({ claimId, state: 'todo' }),
      'reviews:act': ({ target }) => {
        if ('claimIds' in target) sent.push(...target.claimIds);
        return {};
      },
    });
    return { sent, read };
  }
  const press = (key: string, how: KeyboardEventInit = {}) =>
    fireEvent.keyDown(document.activeElement ?? document.body, { key, ...how });
  const panel = (busy: boolean) => screen.findByRole('region', { name: 'Review panel', busy });

  const chip = () => screen.getByRole('heading', { name: 'Review' }).nextElementSibling?.textContent;

  test('act on neither claim until the next one is on screen, and then on that one', async () => {
    const { sent, read } = open();
    await panel(false);
    await whenReady();
    window.history.pushState({}, '', '#/claims/8');
    // The address has changed, and the page has not yet.
    press('1');
    await screen.findByText('Loading claim 8…');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Claim 7');
    for (const key of ['1', '4', 'm', 'w']) press(key);
    fireEvent.click(screen.getByRole('button', { name: /^Eligible/ }));
    expect(screen.queryByRole('dialog')).toBeNull();
    read();
    await screen.findByRole('heading', { level: 1, name: 'Claim 8' });
    expect(sent).toEqual([]);
    await pressKey('1');
    await waitFor(() => expect(sent).toEqual([8]));
  });

  test('a decision is next to “Review” in the task of its key, and so in the next frame', async () => {
    open();
    await panel(false);
    await whenReady();
    expect(chip()).toBe('Undecided');
    press('1');
    await new Promise<void>(queueMicrotask);
    expect(chip()).toBe('Eligible');
  });

  test('act once per press: not again within a moment, held down, or by a double click', async () => {
    const { sent } = open();
    await panel(false);
    const button = screen.getByRole('button', { name: /^No action/ });
    await whenReady();
    press('1');
    press('1');
    fireEvent.click(button);
    await whenReady();
    press('1', { repeat: true });
    fireEvent.click(button, { detail: 2 });
    await waitFor(() => expect(sent).toEqual([7]));
    await pressKey('4');
    await waitFor(() => expect(sent).toEqual([7, 7]));
  });

  test('a second key does not act on a claim that was decided, however late its frame is', async () => {
    const rows = [7, 8].map((id) => ({ id, patient_name: `Ana ${id}` }));
    const { sent } = open('/claims', {
      'records:begin': { snapshotId: 's', total: 2, rows },
      'records:getWindow': ({ offset }) => ({ rows: rows.slice(offset) }),
    });
    fireEvent.click(await screen.findByText('7'));
    await panel(false);
    await whenReady();
    vi.stubGlobal('requestAnimationFrame', () => 0);
    onTestFinished(() => void vi.unstubAllGlobals());
    press('1');
    await waitFor(() => expect(document.querySelector('[data-resting]')).toBeNull());
    press('4');
    await new Promise<void>(queueMicrotask);
    expect(chip()).not.toBe('No action');
    await waitFor(() => expect(sent).toEqual([7]));
  });

  test('a question is about the claim that was on screen, and closes with it', async () => {
    const { sent, read } = open();
    Object.assign(document, { fonts: new EventTarget() });
    await panel(false);
    await pressKey('w');
    await screen.findByRole('dialog', { name: 'Waiting: claim 7' });
    window.history.pushState({}, '', '#/claims/8');
    read();
    await screen.findByRole('heading', { level: 1, name: 'Claim 8', hidden: true });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent).toEqual([]);
  });

  test('a note is not saved by the Enter that ends a word of an input method', async () => {
    const { sent } = open();
    await panel(false);
    const note = await screen.findByRole('textbox', { name: 'New note' });
    fireEvent.change(note, { target: { value: '医療' } });
    fireEvent.keyDown(note, { key: 'Enter', ctrlKey: true, isComposing: true });
    expect((note as HTMLTextAreaElement).value).toBe('医療');
    fireEvent.keyDown(note, { key: 'Enter', ctrlKey: true });
    await waitFor(() => expect(sent).toEqual([7]));
  });
});

test('while the next claim is read, Claim file still opens the claim on screen', async () => {
  renderScreen('/claims/7', {
    ...noRecords,
    'records:getClaim': ({ id }) => (id === 7 ? { claim } : pending()),
  });
  await screen.findByRole('heading', { level: 1, name: 'Claim 7' });
  window.history.pushState({}, '', '#/claims/8');
  window.dispatchEvent(new PopStateEvent('popstate'));
  await screen.findByText('Loading claim 8…');
  expect(screen.getByRole('link', { name: 'Claim file…' }).getAttribute('href')).toContain('/claims/7/file');
});
