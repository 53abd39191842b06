import { readDays } from './date-range.ts';
import { isDay } from './days.ts';
import { formatTenThousandths } from './money/dollars.ts';
import { wordsOf } from './person-names.ts';

/** The most characters of a document's text that are held against claims. */
export const maxMatchedText = 200_000;

/** What the text of a document says that can be held against claims. */
export interface DocumentFacts {
  /** What may be the number of a claim, as written and in capitals. */
  readonly numbers: readonly string[];
  /** The forms in which claims may have the names in it. */
  readonly names: readonly string[];
  readonly days: readonly string[];
  /** In ten-thousandths of a dollar. */
  readonly amounts: readonly number[];
  /** Where each of its words is, without case and accents. */
  readonly positions: ReadonlyMap<string, readonly number[]>;
}

/** The values of a claim that are held against a document. */
export interface ComparedClaim {
  readonly claimId: number;
  /** The carrier's claim number. */
  readonly number: string | null;
  readonly patient: string | null;
  readonly providers: readonly (string | null)[];
  /** As `writeDays` writes them. */
  readonly days: string | null;
  readonly amounts: readonly (number | null)[];
}

/** A claim that a document may belong to. `says`: what agrees, and what differs. */
export interface DocumentMatch {
  readonly claimId: number;
  readonly isByNumber: boolean;
  readonly says: string;
}

function unique<T>(values: Iterable<T>, limit: number): T[] {
  const kept = new Set<T>();
  for (const value of values) if (kept.add(value).size >= limit) break;
  return [...kept];
}

/** A shorter number is one only after the word "claim". */
const minNumberLength = 6;

function* findNumbers(text: string): Generator<string> {
  const named = /\bclaim(?: ?(?:number|no\.?|id|#|:))* ?([\p{L}\d]+(?:[-./_][\p{L}\d]+)*)/giu;
  for (const [, number = ''] of text.matchAll(named)) if (/\d/.test(number)) yield* inCases(number);
  for (const [token] of text.matchAll(/[\p{L}\d]+(?:[-./_][\p{L}\d]+)*/gu))
    for (const number of new Set([token, ...token.split(/[./_]/)]))
      if (number.length >= minNumberLength && number.length <= 40 && /\d/.test(number))
        yield* inCases(number);
}
const inCases = (number: string): string[] => [number, number.toUpperCase()];

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const dayForms: readonly (readonly [RegExp, (parts: string[]) => (string | undefined)[]])[] = [
  [/(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/g, ([y, m, d]) => [y, m, d]],
  [/(?<![\d/])(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?![\d/])/g, ([m, d, y]) => [y, m, d]],
  [/\b([A-Za-z]{3})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b/g, ([m, d, y]) => [y, m, d]],
  [/\b(\d{1,2}) ([A-Za-z]{3})[a-z]*\.?,? (\d{4})\b/g, ([d, m, y]) => [y, m, d]],
];

function* findDays(text: string): Generator<string> {
  for (const [form, order] of dayForms) {
    for (const [, ...parts] of text.matchAll(form)) {
      const [year = '', month = '', date = ''] = order(parts);
      const named = months.indexOf(month.toLowerCase()) + 1;
      const monthOf = /^\d/.test(month) ? month : String(named);
      const day = `${year.length === 2 ? `20${year}` : year}-${monthOf.padStart(2, '0')}-${date.padStart(2, '0')}`;
      if (isDay(day)) yield day;
    }
  }
}

function* findAmounts(text: string): Generator<number> {
  for (const [, whole = '', cents = ''] of text.matchAll(
    /(?<![\d.,])(\d{1,3}(?:,\d{3})+|\d{1,8})\.(\d{2})(?![\d.]*\d)/g,
  )) {
    const amount = Number(whole.replaceAll(',', '')) * 10_000 + Number(cents) * 100;
    if (amount > 0) yield amount;
  }
}

const capitalize = (name: string): string =>
  name.toLowerCase().replace(/(^|[\s'’-])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());

/** A name is at most this many words that follow each other, each with a capital. */
const maxNameLength = 4;

/** The forms of each run of words that may be a name: first or last name first, with a comma or without, in capitals or not. */
function* findNames(text: string): Generator<string> {
  const seen = new Set<string>();
  for (const [run] of text.matchAll(
    /(?<![\p{L}'’-])\p{Lu}[\p{L}'’-]{0,30}(?:[.,]? \p{Lu}[\p{L}'’-]{0,30})+/gu,
  )) {
    const parts = run.split(/[.,]? /);
    for (let from = 0; from < parts.length - 1; from += 1) {
      for (let count = 2; count <= maxNameLength && from + count <= parts.length; count += 1) {
        const name = parts.slice(from, from + count);
        const key = name.join(' ');
        if (seen.has(key)) continue;
        seen.add(key);
        const isInitial = count === 3 && name[1]?.length === 1;
        for (const form of [...formsOf(name), ...(isInitial ? formsOf([name[0] ?? '', name[2] ?? '']) : [])])
          yield* new Set([form, capitalize(form), form.toUpperCase()]);
      }
    }
  }
}

function* formsOf(name: readonly string[]): Generator<string> {
  yield name.join(' ');
  for (let at = 1; at < name.length; at += 1) {
    const [front, back] = [name.slice(0, at).join(' '), name.slice(at).join(' ')];
    yield `${back} ${front}`;
    yield `${back}, ${front}`;
    yield `${front}, ${back}`;
  }
}

/** A word that is repeated is looked for at its first places, so that no text takes long. */
const maxPositions = 50;

/** Reads what a text says. Of a long one, what comes first. */
export function readDocumentFacts(whole: string): DocumentFacts {
  // Blanks that follow each other would make the patterns slow.
  const text = whole
    .slice(0, maxMatchedText)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/(?: ?\n)+ ?/g, '\n');
  const positions = new Map<string, number[]>();
  for (const [at, word] of wordsOf(text).entries()) {
    const before = positions.get(word);
    if (before === undefined) positions.set(word, [at]);
    else if (before.length < maxPositions) before.push(at);
  }
  return {
    numbers: unique(findNumbers(text), 20_000),
    names: unique(findNames(text), 12_000),
    days: unique(findDays(text), 40),
    amounts: unique(findAmounts(text), 500),
    positions,
  };
}

/** Words that a name has at one place and lacks at another. */
const besideName = new Set([
  'jr',
  'sr',
  'ii',
  'iii',
  'md',
  'do',
  'dds',
  'inc',
  'llc',
  'pllc',
  'pc',
  'ltd',
  'the',
  'and',
  'of',
]);

/** Whether the words of a name are close to each other in the document, in any order. */
function hasName({ positions }: DocumentFacts, name: string | null, minCount: number): boolean {
  const words = wordsOf(name ?? '').filter((word) => word.length > 1 && !besideName.has(word));
  if (words.length < minCount) return false;
  const [first = [], ...others] = words.map((word) => positions.get(word) ?? []);
  const reach = words.length + 1;
  return first.some((at) => others.every((one) => one.some((next) => Math.abs(next - at) <= reach)));
}

function hasDay({ days }: DocumentFacts, ofClaim: string | null): boolean {
  const span = readDays(ofClaim ?? '');
  if (span === null) return false;
  return days.some((day) => day >= (span.first ?? span.last ?? '') && day <= (span.last ?? span.first ?? ''));
}

/** A carrier adds a suffix to the number of a claim, or leaves it out (docs/service.md, "What the claim fields mean"). */
const cutSuffix = (number: string): string => number.replace(/-[^-]{1,3}$/, '');

const points = { exactNumber: 120, number: 100, patient: 30, day: 25, amount: 20, provider: 15 } as const;
/** Two of patient, day and amount, or one of the first with the provider. */
const enough = points.day + points.amount;

function compare(facts: DocumentFacts, claim: ComparedClaim, numbers: ReadonlySet<string>) {
  const number = claim.number?.toUpperCase() ?? '';
  const isExact = numbers.has(number) || numbers.has(String(claim.claimId));
  const isByNumber = isExact || (number !== '' && numbers.has(`${cutSuffix(number)}-`));
  const agreed = new Set(claim.amounts.filter((amount) => amount !== null && facts.amounts.includes(amount)));
  const amounts = [...agreed].slice(0, 2).map((amount) => formatTenThousandths(BigInt(amount ?? 0)));
  const [hasPatient, isOfDay] = [hasName(facts, claim.patient, 2), hasDay(facts, claim.days)];
  const hasProvider = claim.providers.some((provider) => hasName(facts, provider, 1));
  const score =
    (isExact ? points.exactNumber : isByNumber ? points.number : 0) +
    (hasPatient ? points.patient : 0) +
    (isOfDay ? points.day : 0) +
    (amounts.length > 0 ? points.amount + Math.min(agreed.size, 4) : 0) +
    (hasProvider ? points.provider : 0);
  const agrees = [
    ...(isByNumber ? ['claim number'] : []),
    ...(hasPatient ? ['patient'] : []),
    ...(isOfDay ? ['day'] : []),
    ...amounts,
    ...(hasProvider ? ['provider'] : []),
  ];
  const differs = [
    ...(hasPatient || claim.patient === null || facts.names.length === 0 ? [] : ['patient']),
    ...(isOfDay || facts.days.length === 0 ? [] : ['day']),
    ...(amounts.length > 0 || facts.amounts.length === 0 ? [] : ['amount']),
  ];
  return { claim, isByNumber, score, says: sayCompared(agrees, differs) };
}

function sayCompared(agrees: readonly string[], differs: readonly string[]): string {
  const verb = (parts: readonly string[], one: string) =>
    `${parts.join(', ')} ${parts.length === 1 ? `${one}s` : one}`;
  const text = [verb(agrees, 'agree'), ...(differs.length === 0 ? [] : [verb(differs, 'differ')])].join('; ');
  return text.replace(/^\p{L}/u, (letter) => letter.toUpperCase());
}

/** The best three claims, the best first. A claim whose number is in the document comes before all others. */
export function rankClaims(facts: DocumentFacts, claims: readonly ComparedClaim[]): DocumentMatch[] {
  // A number without its suffix also stands for those with one.
  const numbers = new Set(facts.numbers.flatMap((number) => [number, `${cutSuffix(number)}-`]));
  return claims
    .map((claim) => compare(facts, claim, numbers))
    .filter(({ score }) => score >= enough)
    .sort(
      (one, other) =>
        other.score - one.score ||
        (other.claim.days ?? '').localeCompare(one.claim.days ?? '') ||
        one.claim.claimId - other.claim.claimId,
    )
    .slice(0, 3)
    .map(({ claim: { claimId }, isByNumber, says }) => ({ claimId, isByNumber, says }));
}
