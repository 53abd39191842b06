import { readDays } from './date-range.ts';
import { isDay } from './days.ts';
import { formatTenThousandths } from './money/format-amount.ts';
import { wordsOf } from './person-names.ts';

/** The most characters of a document's text that are compared with claims. */
export const maxMatchedText = 200_000;

/** The values in the text of a document that can be compared with claims. */
export interface DocumentFacts {
  /** Texts that may be the number of a claim, as written and in capitals. */
  readonly numbers: readonly string[];
  /** Numbers that may be the ID of a claim: after "claim number", or a short one directly after "claim". */
  readonly ids: readonly number[];
  readonly unsureIds: readonly number[];
  /** The forms in which claims may have the names in the document. */
  readonly names: readonly string[];
  readonly days: readonly string[];
  /** The amounts are in ten-thousandths of a dollar. */
  readonly amounts: readonly number[];
  /** The positions of each word, without case and accents, and those of possible names. */
  readonly positions: Positions;
  readonly namePositions: Positions;
}

type Positions = ReadonlyMap<string, readonly number[]>;

/** The values of a claim that are compared with a document. */
export interface CandidateClaim {
  readonly claimId: number;
  /** The carrier's claim number. */
  readonly number: string | null;
  readonly patient: string | null;
  readonly providers: readonly (string | null)[];
  /** The days in the form of `writeDays`. */
  readonly days: string | null;
  readonly amounts: readonly (number | null)[];
}

/** A claim to which a document may belong. `says` has the values that agree, and those that differ. */
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

/** A shorter number counts only after the word "claim". */
const minNumberLength = 6;

function* findNumbers(text: string): Generator<string> {
  const named = /\bclaim(?: ?(?:number|no\.?|id|#|:))* ?([\p{L}\d]+(?:[-./_][\p{L}\d]+)*)/giu;
  for (const [, number = ''] of text.matchAll(named)) if (/\d/.test(number)) yield* inCases(number);
  // The parts of an amount or a version are not claim numbers.
  for (const [token] of text.matchAll(/[\p{L}\d]+(?:[-./_][\p{L}\d]+)*/gu))
    for (const number of new Set([token, ...(/^[\d.]+$/.test(token) ? [] : token.split(/[./_]/))]))
      if (number.length >= minNumberLength && number.length <= 40 && /\d/.test(number))
        yield* inCases(number);
}
const inCases = (number: string): string[] => [number, number.toUpperCase()];

function* findIds(text: string, isNamed: boolean): Generator<number> {
  const named = /\bclaim((?: ?(?:number|no\.?|id|#|:))*) ?(\d{1,15})(?![\p{L}\d]|[-./_,]\d)/giu;
  for (const [, name = '', id = ''] of text.matchAll(named))
    if ((/[^ :]/.test(name) || id.length >= minNumberLength) === isNamed) yield Number(id);
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const monthNames =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const dayForms: readonly (readonly [RegExp, (parts: string[]) => (string | undefined)[]])[] = [
  [/(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/g, ([y, m, d]) => [y, m, d]],
  [/(?<![\d/])(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?![\d/])/g, ([m, d, y]) => [y, m, d]],
  [
    new RegExp(`\\b(${monthNames})\\.? (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})\\b`, 'gi'),
    ([m, d, y]) => [y, m, d],
  ],
  [new RegExp(`\\b(\\d{1,2}) (${monthNames})\\.?,? (\\d{4})\\b`, 'gi'), ([d, m, y]) => [y, m, d]],
];

function* findDays(text: string): Generator<string> {
  for (const [form, order] of dayForms) {
    for (const [, ...parts] of text.matchAll(form)) {
      const [year = '', month = '', date = ''] = order(parts);
      const named = months.indexOf(month.slice(0, 3).toLowerCase()) + 1;
      const monthOf = /^\d/.test(month) ? month : String(named);
      const day = `${year.length === 2 ? `20${year}` : year}-${monthOf.padStart(2, '0')}-${date.padStart(2, '0')}`;
      if (isDay(day)) yield day;
    }
  }
}

/** Finds amounts; version numbers and diagnosis codes are left out. */
function* findAmounts(text: string): Generator<number> {
  for (const [, whole = '', cents = ''] of text.matchAll(
    /(?<![\p{L}\d.,])(?<!\bver(?:sion|\.)? )(\d{1,3}(?:,\d{3})+|\d{1,8})\.(\d{2})(?![\d.]*\d)/giu,
  )) {
    const amount = Number(whole.replaceAll(',', '')) * 10_000 + Number(cents) * 100;
    if (amount > 0) yield amount;
  }
}

const capitalize = (name: string): string =>
  name.toLowerCase().replace(/(^|[\s'’-])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());

/** The most consecutive words of a name, each with a capital. */
const maxNameLength = 4;

/** Consecutive words with a capital each. */
const namesForm = /(?<![\p{L}'’-])\p{Lu}[\p{L}\p{M}'’-]{0,30}(?:[.,]? \p{Lu}[\p{L}\p{M}'’-]{0,30})+/gu;

/** The forms of each run of words that may be a name: first or last name first, with a comma or without, in capitals or not. */
function* findNames(text: string): Generator<string> {
  const seen = new Set<string>();
  for (const [run] of text.matchAll(namesForm)) {
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

/** Only the first positions of a repeated word are compared, so that no text takes long. */
const maxPositions = 50;
/** Words in different parts of a text are at least this far apart. */
const betweenParts = 100;

function findPositions(parts: readonly string[]): Positions {
  const positions = new Map<string, number[]>();
  let at = 0;
  for (const part of parts) {
    for (const word of wordsOf(part)) {
      const before = positions.get(word);
      if (before === undefined) positions.set(word, [at]);
      else if (before.length < maxPositions) before.push(at);
      at += 1;
    }
    at += betweenParts;
  }
  return positions;
}

/** Reads the values in a text; for a long text, only its beginning. */
export function readDocumentFacts(whole: string): DocumentFacts {
  // Consecutive blanks would make the patterns slow.
  const text = whole
    .slice(0, maxMatchedText)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/(?: ?\n)+ ?/g, '\n');
  return {
    numbers: unique(findNumbers(text), 20_000),
    ids: unique(findIds(text, true), 1_000),
    unsureIds: unique(findIds(text, false), 1_000),
    names: unique(findNames(text), 12_000),
    days: unique(findDays(text), 40),
    amounts: unique(findAmounts(text), 500),
    positions: findPositions([text]),
    namePositions: findPositions(text.match(namesForm) ?? []),
  };
}

/** Words that distinguish members of a family with the same name. */
const generations = ['jr', 'sr', 'ii', 'iii', 'iv'];
/** Words that are part of a name in some texts and missing from others. */
const besideName = new Set([...generations, ...'md do dds inc llc pllc pc ltd the and of'.split(' ')]);
const mainWordsOf = (name: string | null): string[] =>
  wordsOf(name ?? '').filter((word) => !besideName.has(word));

/** Returns a position where all these words are close to each other, in any order; null if there is none. */
function findClose(positions: Positions, words: readonly string[]): number | null {
  const [first = [], ...others] = words.map((word) => positions.get(word) ?? []);
  const reach = words.length + 1;
  const start = first.find((at) => {
    const taken = new Set([at]);
    return others.every((words) => {
      const next = words.find((place) => !taken.has(place) && Math.abs(place - at) <= reach);
      return next !== undefined && taken.add(next);
    });
  });
  return start ?? null;
}

/** Returns whether the text contains this name, each word with a capital. Another generation is another person. */
function hasPatient({ namePositions }: DocumentFacts, name: string | null): boolean {
  const all = mainWordsOf(name);
  const long = all.filter((word) => word.length > 1);
  const words = long.length > 1 ? long : all;
  const at = words.length > 1 ? findClose(namePositions, words) : null;
  const ofClaim = wordsOf(name ?? '').filter((word) => generations.includes(word));
  if (at === null || ofClaim.length === 0) return at !== null;
  const isNear = (word: string): boolean =>
    namePositions.get(word)?.some((next) => Math.abs(next - at) <= words.length + 1) === true;
  return ofClaim.some(isNear) || !generations.some(isNear);
}

function hasProvider({ positions }: DocumentFacts, name: string | null): boolean {
  const words = mainWordsOf(name).filter((word) => word.length > 1);
  return words.length > 0 && findClose(positions, words) !== null;
}

function hasDay({ days }: DocumentFacts, ofClaim: string | null): boolean {
  const span = readDays(ofClaim ?? '');
  if (span === null) return false;
  return days.some((day) => day >= (span.first ?? span.last ?? '') && day <= (span.last ?? span.first ?? ''));
}

/** A carrier may add a suffix to a claim's number, or leave it out (docs/service.md, "What the claim fields mean"). */
const suffix = /-[^-]{1,3}$/;
/** A number with a suffix and one without are the same claim; two suffixes are two claims. */
const suffixKeyOf = (number: string, hasSuffix: boolean): string =>
  `${number.replace(suffix, '')} ${hasSuffix}`;

const points = { exactNumber: 120, number: 100, patient: 30, day: 25, amount: 20, provider: 15 } as const;
/** Two of patient, day, and amount suffice, or the patient and the provider. */
const enough = points.day + points.amount;

function compare(facts: DocumentFacts, claim: CandidateClaim, numbers: ReadonlySet<string>) {
  const number = claim.number?.toUpperCase() ?? '';
  const agreed = new Set(claim.amounts.filter((amount) => amount !== null && facts.amounts.includes(amount)));
  const amounts = [...agreed].slice(0, 2).map((amount) => formatTenThousandths(BigInt(amount ?? 0)));
  const [isOfPatient, isOfDay] = [hasPatient(facts, claim.patient), hasDay(facts, claim.days)];
  const isOfProvider = claim.providers.some((provider) => hasProvider(facts, provider));
  const isExact =
    numbers.has(number) ||
    facts.ids.includes(claim.claimId) ||
    (facts.unsureIds.includes(claim.claimId) && (isOfPatient || isOfDay || amounts.length > 0));
  const isByNumber = isExact || (number !== '' && numbers.has(suffixKeyOf(number, suffix.test(number))));
  const score =
    (isExact ? points.exactNumber : isByNumber ? points.number : 0) +
    (isOfPatient ? points.patient : 0) +
    (isOfDay ? points.day : 0) +
    (amounts.length > 0 ? points.amount + Math.min(agreed.size, 4) : 0) +
    (isOfProvider ? points.provider : 0);
  const agrees = [
    ...(isByNumber ? ['claim number'] : []),
    ...(isOfPatient ? ['patient'] : []),
    ...(isOfDay ? ['day'] : []),
    ...amounts,
    ...(isOfProvider ? ['provider'] : []),
  ];
  const hasDays = readDays(claim.days ?? '') !== null;
  const hasAmounts = claim.amounts.some((amount) => amount !== null);
  const differs = [
    ...(isOfPatient || claim.patient === null || facts.names.length === 0 ? [] : ['patient']),
    ...(isOfDay || !hasDays || facts.days.length === 0 ? [] : ['day']),
    ...(amounts.length > 0 || !hasAmounts || facts.amounts.length === 0 ? [] : ['amount']),
  ];
  return { claim, isByNumber, score, says: sayCompared(agrees, differs) };
}

function sayCompared(agrees: readonly string[], differs: readonly string[]): string {
  const verb = (parts: readonly string[], singular: string) =>
    `${parts.join(', ')} ${parts.length === 1 ? `${singular}s` : singular}`;
  const text = [verb(agrees, 'agree'), ...(differs.length === 0 ? [] : [verb(differs, 'differ')])].join('; ');
  return text.replace(/^\p{L}/u, (letter) => letter.toUpperCase());
}

/** The best three claims, the best first. A claim whose number is in the document comes before all others. */
export function rankClaims(facts: DocumentFacts, claims: readonly CandidateClaim[]): DocumentMatch[] {
  const numbers = new Set(
    facts.numbers.flatMap((number) => [number, suffixKeyOf(number, !suffix.test(number))]),
  );
  return claims
    .map((claim) => compare(facts, claim, numbers))
    .filter(({ score }) => score >= enough)
    .sort(
      (left, other) =>
        other.score - left.score ||
        (other.claim.days ?? '').localeCompare(left.claim.days ?? '') ||
        left.claim.claimId - other.claim.claimId,
    )
    .slice(0, 3)
    .map(({ claim: { claimId }, isByNumber, says }) => ({ claimId, isByNumber, says }));
}
