import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  findLetters,
  letterSettingsSchema,
  lettersOf,
  toStoredLetters,
} from '../../../src/contract/letter-settings.ts';
import { type LetterFacts, makeLetter } from '../../../src/contract/letters.ts';
import type { ClaimRecord } from '../../../src/contract/records.ts';
import { createPagesPdf } from '../../../src/main/engine/export/statement/statement-pdf.ts';
import {
  checkTemplate,
  fillTemplate,
  type LetterField,
  type LetterKind,
  letterFields,
  letterKinds,
  letterTable,
  refuseTemplate,
  requiredOf,
} from '../../../src/rules/letters/letter-kinds.ts';
import {
  compareAnswers,
  findUntrue,
  type LetterSaid,
  saidOf,
} from '../../../src/rules/letters/letter-said.ts';
import type { ChainRest } from '../../../src/rules/money/chain-balance.ts';
import type { ChainRole } from '../../../src/rules/money/chains.ts';
import { decideAmounts } from '../../../src/rules/money/decided-amounts.ts';
import { formatTenThousandths } from '../../../src/rules/money/format-amount.ts';
import type { Appeal } from '../../../src/rules/review/appeals.ts';
import type { ClaimReview } from '../../../src/rules/review/review.ts';

const claim = {
  id: 7,
  vendor_system_id: 'A-100',
  patient_name: 'EDWARDS, MARGARET',
  service_provider: 'Lakeside Clinic',
  date_of_service: { start: '2026-03-02', end: '2026-03-02', bounds: '[]' },
  members: [{ id: 3, first_name: 'Margaret', last_name: 'Edwards', employer: { id: 5, name: 'Acme' } }],
} as unknown as ClaimRecord;
const cause = 'Not a medical expense';
const settings = letterSettingsSchema.parse({
  contact: 'Call Ana Ruiz at 555-0100.',
  returnAddress: 'Acme Benefits\n1 Main Street\nAlbany, NY 12207',
  byCause: {
    [cause]: { provision: 'Section 4.2 covers medical care only.', change: 'A letter of medical necessity.' },
    'Owed back': { provision: 'Section 9.1 has what is paid too much returned.', change: '' },
  },
});
const today = '2026-11-28';
const appeal: Appeal = {
  ...{ id: 'a', direction: 'received', asker: 'member', level: 1, day: '2026-10-02', due: '2026-12-01' },
  ...{ reason: null, author: 'ana', at: '2026-10-02T12:00:00Z', deciders: [], answered: null },
};
const answered: NonNullable<Appeal['answered']> = {
  ...{ answer: 'upheld', day: '2026-11-20', letterDay: null, reason: 'The plan excludes it.' },
  ...{ author: 'ben', at: '2026-11-20T12:00:00Z' },
};
const states: Record<LetterKind, Partial<ClaimReview>> = {
  notEligible: { state: 'done', outcome: 'notEligible' },
  partlyEligible: { state: 'done', outcome: 'partlyEligible' },
  documentsNeeded: { state: 'waiting', outcome: null },
  owedBack: { state: 'done', outcome: 'eligible', reimbursed: 1_500_000, owed: 1_000_000 },
  disagrees: { state: 'done', outcome: 'disputed' },
  appealReceived: { state: 'done', outcome: 'notEligible', appeals: [appeal] },
  appealDecided: { state: 'done', outcome: 'notEligible', appeals: [{ ...appeal, answered }] },
};
const reviewOf = (kind: LetterKind, other: Partial<ClaimReview> = {}) =>
  ({
    ...{ cause, byRules: 2_000_000, eligible: 500_000, declined: 1_500_000, reimbursed: 0, owed: 0 },
    ...{ appeals: [], disputed: 0, writtenOff: 0, chain: null },
    ...states[kind],
    ...other,
  }) as ClaimReview;
const factsOf = (kind: LetterKind, other: Partial<LetterFacts> = {}): LetterFacts => ({
  claim,
  review: reviewOf(kind),
  carrier: 'Blue Plan',
  address: '12 Elm Street\nAlbany, NY 12208',
  answerDays: 45,
  ...other,
});
const options = { settings, typed: { note: 'The itemized receipt.' }, today };
const make = (kind: LetterKind, other: Partial<LetterFacts> = {}, change: Partial<typeof options> = {}) =>
  makeLetter(kind, factsOf(kind, other), { ...options, ...change });

/** What makes each part blank. */
const blanks: Record<LetterField, Parameters<typeof make> extends [unknown, ...infer Rest] ? Rest : never> = {
  date: [],
  member: [
    { claim: { ...claim, members: [{ employer: { id: 5, name: 'Acme' } }] } as unknown as ClaimRecord },
  ],
  employer: [],
  claim: [{ claim: { ...claim, service_provider: '' } as ClaimRecord }],
  amounts: [],
  reason: [],
  provision: [{}, { settings: { ...settings, byCause: {} } }],
  change: [{}, { settings: { ...settings, byCause: {} } }],
  documents: [{}, { typed: { note: ' ' } }],
  explanation: [{}, { typed: { note: '' } }],
  appeal: [{}, { settings: { ...settings, returnAddress: '' } }],
  contact: [{}, { settings: { ...settings, contact: '' } }],
  asked: [],
  answerDue: [],
  answer: [],
  rights: [{}, { settings: { ...settings, returnAddress: '' } }],
};

describe.each(letterKinds)('A letter: %s', (kind) => {
  const { parts, text } = letterTable[kind];
  const required = requiredOf(kind);

  test('has all its parts, and its default text is a template', () => {
    expect(refuseTemplate(kind, text)).toBeNull();
    expect(make(kind).missing).toEqual([]);
    expect(make(kind).text).not.toMatch(/[{}]|missing\]/);
  });

  test.each(required)('can’t be made without %s, which is reported', (field) => {
    const [other = {}, change = {}] = blanks[field];
    const byReview: Partial<Record<LetterField, Partial<ClaimReview>>> = {
      amounts: { eligible: null },
      reason:
        kind === 'appealDecided'
          ? { appeals: [{ ...appeal, answered: { ...answered, reason: '' } }] }
          : { cause: null },
      asked: { appeals: [] },
      answerDue: { appeals: [] },
      answer: { appeals: [] },
    };
    const review = reviewOf(kind, byReview[field]);
    const isTyped =
      (kind === 'owedBack' && field === 'reason') || (kind === 'appealDecided' && field === 'provision');
    const note = isTyped ? { typed: { note: '' } } : {};
    const letter = make(kind, { review, ...other }, { ...change, ...note });
    expect(letter.missing.length).toBeGreaterThan(0);
    expect(letter.text).toContain(`[${letterFields[field]}: missing]`);
  });

  test.each(parts.filter(({ words }) => words !== undefined))(
    'meets $rule: $words',
    ({ field, words = '' }) => {
      expect(make(kind).text).toContain(words);
      // The words are those of the field, which no template can leave out.
      expect(
        make(kind, {}, { settings: { ...settings, templates: { [kind]: `{${field}}` } } }).text,
      ).toContain(words);
    },
  );

  test.each(required)('has no template without {%s}', (field) => {
    const without = text.replaceAll(`{${field}}`, '');
    expect(checkTemplate(kind, without).dropped).toEqual([field]);
    const templates = { [kind]: without };
    expect(make(kind, {}, { settings: { ...settings, templates } }).missing).toContain(
      `The letter must have {${field}}.`,
    );
  });

  test('refuses unknown fields by name, and does not read its values as a template', () => {
    expect(refuseTemplate(kind, `${text} {ssn} {constructor}`)).toBe(
      'These fields don’t exist: {ssn}, {constructor}.',
    );
    expect(fillTemplate('{contact} {member}', { contact: '{member} $&', member: 'Ana' })).toBe(
      '{member} $& Ana',
    );
  });
});

/** The paragraphs of 29 CFR 2560.503-1 that apply to claims for care that was given, by the letter that they are about. */
const lawOf: Partial<Record<LetterKind, readonly string[]>> = Object.fromEntries([
  ...(['notEligible', 'partlyEligible'] as const).map((kind) => [
    kind,
    [
      '(g)(1)(i)',
      '(g)(1)(ii)',
      '(g)(1)(iii)',
      '(g)(1)(iv)',
      '(g)(1)(v)(A)',
      '(g)(1)(v)(B)',
      '(h)(2)(ii)',
      '(h)(2)(iii)',
      '(h)(2)(iv)',
      '(h)(3)(i)',
      '(h)(3)(ii)',
      '(i)(2)(iii)',
    ],
  ]),
  [
    'owedBack',
    [
      ...[
        '(g)(1)(i)',
        '(g)(1)(ii)',
        '(g)(1)(iv)',
        '(g)(1)(v)(A)',
        '(g)(1)(v)(B)',
        '(h)(2)(ii)',
        '(h)(2)(iii)',
      ],
      ...['(h)(2)(iv)', '(h)(3)(i)', '(h)(3)(ii)', '(i)(2)(iii)'],
    ],
  ],
  ['appealDecided', ['(j)(1)', '(j)(2)', '(j)(3)', '(j)(4)(i)', '(j)(5)(i)', '(j)(5)(ii)', '(j)(5)(iii)']],
]);
test.each(Object.entries(lawOf))('%s has each part that the law requires of it', (kind, rules) => {
  const { parts } = letterTable[kind as LetterKind];
  expect([...new Set(parts.flatMap(({ rule }) => rule ?? []))].sort()).toEqual([...(rules ?? [])].sort());
});

test('a plan that is not under ERISA promises neither its rights nor its times', () => {
  const isErisa = false;
  for (const kind of letterKinds)
    expect(make(kind, {}, { settings: { ...settings, isErisa } }).text).not.toMatch(
      /ERISA|45 days to|mediation|someone who did not/,
    );
});

test('a kind applies to claims with its decision', () => {
  expect(make('notEligible', { review: reviewOf('partlyEligible') }).missing).toEqual([
    'The claim is not decided as Not eligible.',
  ]);
  expect(make('owedBack', { review: reviewOf('owedBack', { owed: 0 }) }).missing).toEqual([
    'Nothing is owed back on this claim.',
  ]);
});

/** A chain in which claim 8 stands, and claim 7 is the other one; without the amounts that a test adds. */
const chainOf = (role: ChainRole, other: Partial<ChainRest>) =>
  ({
    ...{ role, by: role === 'standing' ? 7 : 8, isShown: role === 'standing', replaces: role === 'standing' },
    ...{ eligible: 0, disputed: 0, reimbursed: 0, writtenOff: 0, claims: [], ...other },
  }) as NonNullable<ClaimReview['chain']>;

test('what is owed back is stated with the amounts of the whole chain, which add up', () => {
  // $500.00 were reimbursed for the first claim, and its correction stands with $300.00.
  const chain = chainOf('standing', { reimbursed: 5_000_000, writtenOff: 400_000 });
  const own = { outcome: 'eligible' as const, kept: null, reimbursed: 100_000, writtenOff: 100_000 };
  const review = reviewOf('owedBack', { ...own, ...decideAmounts(3_000_000, own, chain), chain });
  const letter = make('owedBack', { review });
  expect(letter.missing).toEqual([]);
  expect(letter.text).toContain(
    'Reimbursed: $510.00\nEligible: $300.00\nWritten off: $50.00\nOwed back: $160.00\n',
  );
  const later = { ...review, chain: { ...chain, writtenOff: 300_000 } };
  expect(isStillTrue('owedBack', letter.said, saidOf(later))).toBe(false);
  const disputed = { ...review, disputed: 600_000, owed: 1_000_000 };
  expect(make('owedBack', { review: disputed }).text).toContain(
    'In question with the carrier: $60.00\nWritten off: $50.00\nOwed back: $100.00\n',
  );
  expect(make('owedBack', { review: { ...review, owed: 1_000_000 } }).missing).toEqual([
    'An amount of the decision is not known, or the amounts don’t add up.',
  ]);
});

test('a claim that another one represents has no letter about a decision', () => {
  const review = (chain: ClaimReview['chain']) => ({ review: reviewOf('notEligible', { chain }) });
  expect(make('notEligible', review(chainOf('replaced', {}))).missing).toEqual([
    'Replaced by claim 8, which counts instead.',
  ]);
  expect(make('notEligible', review(chainOf('takenBack', {}))).missing).toEqual([
    'Claim 8 reversed it. Neither of them counts.',
  ]);
  expect(make('notEligible', review(chainOf('standing', {}))).missing).toEqual([]);
});

test('letters about appeals have the day, who appealed, the answer and its reason', () => {
  expect(make('appealReceived').text).toContain('You appealed; we received the appeal on October 2, 2026.');
  expect(make('appealReceived').text).toContain('We answer in writing by December 1, 2026.');
  const { text } = make('appealDecided');
  for (const part of ['The first decision stays', 'Why: The plan excludes it.', 'section 502(a) of ERISA'])
    expect(text).toContain(part);
  const sent = { ...appeal, direction: 'sent' as const };
  const missing = (kind: LetterKind, other: Partial<ClaimReview>) =>
    make(kind, { review: reviewOf(kind, other) }).missing;
  expect(missing('appealReceived', { appeals: [sent] })).toContain(
    'No appeal that we received about the claim is open.',
  );
  expect(missing('appealDecided', { appeals: [appeal] })).toContain(
    'No appeal that we received about the claim is decided.',
  );
  expect(missing('appealDecided', { state: 'todo', outcome: null })).toContain(
    'Decide the claim again first, so that the letter has its amounts.',
  );
});

test('an appeal has at least 180 days under ERISA, and the letter states the day', () => {
  expect(letterSettingsSchema.safeParse({ appealDays: 179 }).success).toBe(false);
  expect(letterSettingsSchema.safeParse({ appealDays: 60, isErisa: false }).success).toBe(true);
  const { text } = make('notEligible');
  expect(text).toContain('within 180 days after you receive this letter');
  expect(text).toContain('May 27, 2027');
  expect(text).toContain('section 502(a) of ERISA');
});

test('a letter about an appeal promises no day after the law’s, and no amounts of another decision', () => {
  const late = { ...appeal, due: '2026-12-02' };
  const { missing } = make('appealReceived', { review: reviewOf('appealReceived', { appeals: [late] }) });
  expect(missing).toEqual([
    'Under ERISA, an appeal is answered within 60 days. This one is due on December 2, 2026.',
  ]);
  const other = make(
    'appealReceived',
    { review: reviewOf('appealReceived', { appeals: [late] }) },
    { settings: { ...settings, isErisa: false } },
  );
  expect(other.missing).toEqual([]);

  const upheld = { appeals: [{ ...appeal, answered }], reviewedAt: '2026-11-20T12:00:01Z' };
  expect(make('appealDecided', { review: reviewOf('appealDecided', upheld) }).missing).toEqual([
    'The claim was decided again after the appeal was upheld, so its amounts are not the upheld ones.',
  ]);
});

test('what is needed ends as a sentence, and is more than a punctuation mark', () => {
  const ask = (note: string) => make('documentsNeeded', {}, { typed: { note } });
  expect(ask('Which doctor did you see?').text).toContain('see? You have 45 days');
  expect(ask('A receipt.').text).toContain('A receipt. You have 45 days');
  expect(ask('...').missing).toEqual(['What is needed is blank.']);
});

test('a template has the date', () => {
  const { text } = letterTable.notEligible;
  expect(refuseTemplate('notEligible', text.replace('{date}', ''))).toBe('The letter must have {date}.');
});

test('an appeal is answered within the days of the employer’s rules, under ERISA at most 60', () => {
  expect(make('notEligible').text).toContain('in writing within 45 days after we receive it.');
  expect(make('notEligible', { answerDays: 61 }).missing).toEqual([
    'Under ERISA, an appeal is answered within 60 days. The employer’s reimbursement rules have 61 days to answer.',
  ]);
  expect(make('documentsNeeded', { answerDays: 61 }).missing).toEqual([]);
  const other = make(
    'notEligible',
    { answerDays: 90 },
    { settings: { ...settings, isErisa: false, appealDays: 1 } },
  );
  expect(other.missing).toEqual([]);
  expect(other.text).toContain('within 1 day after you receive this letter');
  expect(other.text).toContain('in writing within 90 days after we receive it.');
  expect(other.text).not.toContain('ERISA');
});

test.each([
  [{ appealDays: 0 }, 'Days to appeal must be a number from 1 to 1,000.'],
  [{ appealDays: 179 }, 'Under ERISA, members have at least 180 days to appeal.'],
  [{ contact: 'x'.repeat(2_001) }, 'The contact for questions has more than 2,000 characters.'],
])('a setting that can’t be stored is reported: %#', (change, sentence) => {
  const { missing } = make('notEligible', {}, { settings: { ...settings, ...change } });
  expect(missing).toEqual([sentence]);
});

test('an address is never made up', () => {
  expect(make('notEligible', { address: null })).toMatchObject({
    addressee: ['Margaret Edwards'],
    isAddressed: false,
  });
  expect(make('disagrees').addressee).toEqual(['Blue Plan']);
});

test('an employer’s letter texts are stored as a separate view, and one by a newer version is left unchanged', () => {
  const view = (name: string, query: string) => ({ id: 'v', name, query, createdAt: '', updatedAt: '' });
  const { name, query } = toStoredLetters('5', settings);
  const newer = view('$letters/6', '{"settings":{"appealDays":3}}');
  const ofTeam = {
    ...view('$letters/', toStoredLetters('', { ...settings, contact: 'Us' }).query),
    isOfTeam: true,
  };
  const stored = findLetters([
    view('$letters/', query),
    view(name, query),
    newer,
    view('Mine', query),
    ofTeam,
  ]);
  expect(Object.keys(stored).sort()).toEqual(['', '5', '6']);
  expect(lettersOf(stored, '5')).toEqual({ id: 'v', settings, isReadable: true, isOfTeam: false });
  expect(lettersOf(stored, '6').isReadable).toBe(false);
  // An employer without its own has those of all employers, which the team's replace.
  expect(lettersOf(stored, '7')).toMatchObject({ id: null, isReadable: true, isOfTeam: true });
  expect(lettersOf(stored, '7').settings.contact).toBe('Us');
  expect(lettersOf({}, '7')).toMatchObject({ id: null, isReadable: true, isOfTeam: false });
});

const isStillTrue = (letter: LetterKind, said: LetterSaid, now: LetterSaid): boolean =>
  findUntrue([{ letter, said }], now).length === 0;

const saidFirst: LetterSaid = {
  ...{ outcome: 'notEligible', cause, eligible: 0, declined: 500, reimbursed: 300, owed: 100 },
  ...{ counted: 100, disputed: 0, writtenOff: 0 },
};
const decidedAgain = { outcome: 'eligible', cause: null, eligible: 500, declined: 0 } as const;
/** What leaves each kind of letter true, and what doesn't. */
const truths: Record<LetterKind, { leaves: Partial<LetterSaid>[]; ends: Partial<LetterSaid>[] }> = {
  notEligible: {
    leaves: [{ reimbursed: 0, owed: 0 }, { counted: 5 }, { disputed: 5 }],
    ends: [{ outcome: 'partlyEligible' }, { cause: 'Cosmetic' }, { eligible: 1 }, { declined: 1 }],
  },
  partlyEligible: {
    leaves: [{ reimbursed: 0, owed: 0 }, { writtenOff: 5 }],
    ends: [{ outcome: 'eligible' }, { cause: null }, { eligible: null }, { declined: 1 }],
  },
  appealDecided: {
    leaves: [{ cause: 'Cosmetic' }, { reimbursed: 0 }],
    ends: [decidedAgain, { declined: 1 }],
  },
  owedBack: {
    leaves: [{ reimbursed: 200, owed: 0 }, { cause: null }],
    ends: [{ reimbursed: 301, owed: 101 }, { writtenOff: 100, owed: 0 }, { counted: 300 }, { disputed: 1 }],
  },
  documentsNeeded: { leaves: [decidedAgain, { reimbursed: 900 }], ends: [] },
  disagrees: { leaves: [decidedAgain, { outcome: 'disputed' }], ends: [] },
  appealReceived: { leaves: [decidedAgain], ends: [] },
};
test.each(letterKinds)('what leaves it true, and what doesn’t: %s', (kind) => {
  const { leaves, ends } = truths[kind];
  for (const change of [{}, ...leaves])
    expect(isStillTrue(kind, saidFirst, { ...saidFirst, ...change }), JSON.stringify(change)).toBe(true);
  for (const change of ends)
    expect(isStillTrue(kind, saidFirst, { ...saidFirst, ...change }), JSON.stringify(change)).toBe(false);
});

test('a letter is replaced by a later one that states the same, and by no other', () => {
  const now = { ...saidFirst, outcome: 'partlyEligible' as const, eligible: 200, declined: 300 };
  const first = { letter: 'notEligible' as const, said: saidFirst };
  const again = { letter: 'partlyEligible' as const, said: now };
  const others = (['owedBack', 'documentsNeeded', 'appealReceived'] as const).map((letter) => ({
    letter,
    said: now,
  }));
  expect(findUntrue([first, ...others], now)).toEqual([first]);
  expect(findUntrue([first, ...others, again], now)).toEqual([]);
  expect(findUntrue([again, first], now)).toEqual([first]);
});

const cents = fc.integer({ min: 0, max: 10_000_000 }).map((amount) => amount * 100);
test('its amounts are those of the decision, and it is no longer true once they change', () => {
  fc.assert(
    fc.property(cents, cents, cents, (byRules, part, reimbursed) => {
      const outcome = 'partlyEligible' as const;
      const kept = { eligible: Math.min(part, byRules), byRules };
      const decided = decideAmounts(byRules, { outcome, kept, reimbursed, writtenOff: 0 });
      const review = reviewOf('partlyEligible', { ...decided, reimbursed });
      const { text, said } = make('partlyEligible', { review });
      expect(text).toContain(`Eligible: ${formatTenThousandths(decided.eligible)}\n`);
      expect(text).toContain(`Declined: ${formatTenThousandths(decided.declined)}\n`);
      const paid = { ...review, reimbursed: reimbursed + 100 };
      expect(isStillTrue('partlyEligible', said, saidOf(paid))).toBe(true);
      const later = { ...review, eligible: (review.eligible ?? 0) + 100 };
      expect(isStillTrue('partlyEligible', said, saidOf(later))).toBe(false);
      if ((decided.owed ?? 0) > 0)
        expect(make('owedBack', { review }).text).toContain(
          `Owed back: ${formatTenThousandths(decided.owed)}`,
        );
    }),
  );
});

test('pages are read by another program, with any name, and 200 of them are made in ten seconds', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'letters-'));
  try {
    const chunks: Uint8Array[] = [];
    const pdf = createPagesPdf({
      title: 'Letters',
      at: '2026-11-28T12:00:00Z',
      write: async (bytes) => void chunks.push(bytes),
    });
    const began = performance.now();
    const six = ['Attn: Claims', 'c/o Lee', 'Building 4', 'Floor 2', '12 Elm Street', 'Albany, NY 12208'];
    const letters = [
      make('notEligible'),
      { ...make('partlyEligible'), addressee: ['王小明 מרים محمد', ...six] },
      make('owedBack', { address: null }),
    ];
    for (let made = 0; made < 200; made += 1)
      await pdf.writeLetter(letters[made % letters.length] as (typeof letters)[number]);
    await pdf.end();
    expect(performance.now() - began).toBeLessThan(10_000);
    const file = join(process.env.CLAIMDESK_LETTERS ?? folder, 'letters.pdf');
    writeFileSync(file, Buffer.concat(chunks));
    const text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
    for (const part of [
      'Margaret Edwards',
      'Patient: Margaret Edwards',
      'Declined: $150.00',
      '王小明',
      'Section 4.2',
    ])
      expect(text).toContain(part);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a letter of an answer is true until its appeal’s answer changes; an answer to another one does not affect it', () => {
  const { said } = make('appealDecided');
  const review = reviewOf('appealDecided');
  const isTrue = (...appeals: Appeal[]) =>
    findUntrue(compareAnswers([{ letter: 'appealDecided', said }], appeals), saidOf(review)).length === 0;
  const second = { ...appeal, id: 'b', level: 2 };
  expect(isTrue({ ...appeal, answered })).toBe(true);
  expect(isTrue({ ...appeal, answered }, { ...second, answered: { ...answered, answer: 'partly' } })).toBe(
    true,
  );
  expect(
    isTrue({ ...appeal, answered: { ...answered, day: '2026-11-21', at: '2026-11-21T12:00:00Z' } }),
  ).toBe(true);
  expect(isTrue({ ...appeal, answered: { ...answered, answer: 'partly' } })).toBe(false);
  expect(isTrue({ ...appeal, answered: { ...answered, reason: 'It was late.' } })).toBe(false);
  expect(isTrue(appeal)).toBe(false);
  expect(isTrue()).toBe(false);
  // Letters of earlier versions did not store the answer.
  const { appeal: _none, ...earlier } = said;
  expect(compareAnswers([{ letter: 'appealDecided' as const, said: earlier }], [])).toEqual([
    { letter: 'appealDecided', said: earlier },
  ]);
});

test('if the plan has two levels, a letter says how to appeal a second time, and answers are due within 30 days', () => {
  const two = { settings: { ...settings, hasTwoLevels: true } };
  const decided = (more: Partial<Appeal> = {}) =>
    make(
      'appealDecided',
      { review: reviewOf('appealDecided', { appeals: [{ ...appeal, answered, ...more }] }) },
      two,
    );
  const second = 'If you disagree, you can appeal a second time. Write to Acme Benefits';
  expect(decided().text).toContain(second);
  expect(decided().text).toContain(
    'If your second appeal is denied, you have the right to bring a civil action',
  );
  expect(decided().text).toContain('May 27, 2027');
  expect(decided({ level: 2 }).text).not.toContain('second time');
  expect(decided({ answered: { ...answered, answer: 'overturned' } }).text).not.toContain('second time');
  expect(make('appealDecided').text).not.toContain('second time');
  expect(make('notEligible', { answerDays: 30 }, two).text).toContain('you can appeal a second time');
  expect(make('notEligible', { answerDays: 30 }, two).missing).toEqual([]);
  expect(make('notEligible', { answerDays: 31 }, two).missing).toEqual([
    'Under ERISA, an appeal is answered within 30 days where there are two levels. The employer’s reimbursement rules have 31 days to answer.',
  ]);
});
