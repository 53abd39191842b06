/** The parts of a patient's name: carriers write `Edwards, Margaret A`, `MARGARET EDWARDS` and `Margaret  Edwards `. */
export interface PersonName {
  readonly first: string;
  readonly middle: readonly string[];
  readonly last: string;
  /** All parts in alphabetical order. */
  readonly parts: string;
}

const accents = /\p{M}/gu;
const plainText = (text: string): string => text.normalize('NFD').replace(accents, '').toUpperCase();

/** Reads a name; null where it has fewer than two parts, and so does not identify an individual. */
export function readName(text: string | null): PersonName | null {
  if (text === null) return null;
  const plain = plainText(text);
  const comma = plain.indexOf(',');
  const ordered = comma < 0 ? plain : `${plain.slice(comma + 1)} ${plain.slice(0, comma)}`;
  const parts = ordered.replace(/['’.]/g, '').match(/[\p{L}\p{N}]+/gu) ?? [];
  const [first, last] = [parts[0], parts.at(-1)];
  if (parts.length < 2 || first === undefined || last === undefined) return null;
  return { first, middle: parts.slice(1, -1), last, parts: parts.toSorted().join(' ') };
}

const startsAlike = (a: string, b: string): boolean =>
  a === b || (a.length === 1 && b.startsWith(a)) || (b.length === 1 && a.startsWith(b));

/**
 * Whether two names can be the same person: a middle name may be missing or an initial; `Baby A` and `Baby B` differ,
 * and so do a junior and a senior.
 */
export function isSamePerson(a: PersonName, b: PersonName): boolean {
  if (a.parts === b.parts) return true;
  if (a.first !== b.first || a.last !== b.last) return false;
  if (a.middle.length === b.middle.length)
    return a.middle.every((part, at) => startsAlike(part, b.middle[at] ?? ''));
  const [aNames, bNames] = [a.middle, b.middle].map((middle) =>
    middle.filter((part) => part.length > 1).join(' '),
  );
  const [aInitials, bInitials] = [a.middle, b.middle].map((middle) =>
    middle.filter((part) => part.length === 1).join(' '),
  );
  const isCompatible = (left = '', right = ''): boolean => left === right || left === '' || right === '';
  return isCompatible(aNames, bNames) && isCompatible(aInitials, bInitials);
}

/** A provider's identifiers, the most reliable first; null where one is missing. */
export type ProviderIds = readonly (string | null)[];

const companyEndings = /\b(LLC|INC|PC|PLLC|PA|LTD|CORP|MD|DO|DDS|DMD)\b/g;

export function readProvider(provider: {
  readonly npi: unknown;
  readonly taxId: unknown;
  readonly name: unknown;
  readonly billingNpi: unknown;
  readonly billingTaxId: unknown;
  readonly billingName: unknown;
}): ProviderIds {
  const digits = (value: unknown): string | null => String(value ?? '').replace(/\D/g, '') || null;
  const name = (value: unknown): string | null =>
    plainText(String(value ?? ''))
      .replace(/[.'’]/g, '')
      .replace(companyEndings, '')
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? null;
  return [
    digits(provider.npi),
    digits(provider.taxId),
    name(provider.name),
    digits(provider.billingNpi),
    digits(provider.billingTaxId),
    name(provider.billingName),
  ];
}

/** Compares the most reliable identifier that both have. */
export function isSameProvider(a: ProviderIds, b: ProviderIds): boolean {
  const best = a.findIndex((id, at) => id !== null && (b[at] ?? null) !== null);
  return best >= 0 && a[best] === b[best];
}

/** A procedure code without the text that may follow it (docs/service.md, "Lists and values"), and its modifiers. */
export interface ProcedureCode {
  readonly code: string;
  readonly modifiers: string;
}

/** Reads `73721-LT`, `73721 LT`, `73721LT` and `87254 - Virus isolation`. Null where there is no code. */
export function readProcedure(text: string | null): ProcedureCode | null {
  const match = /^\s*([A-Z0-9]{4,5})((?:[\s:,-]?[A-Z0-9]{2}(?![A-Z0-9]))*)/.exec((text ?? '').toUpperCase());
  if (match === null) return null;
  const [, code = '', rest = ''] = match;
  const modifiers = rest.match(/[A-Z0-9]{2}/g) ?? [];
  return { code, modifiers: modifiers.toSorted().join(' ') };
}

/** Modifiers of a service that was intentionally repeated, or is separate from another. */
const repeatModifiers = /\b(59|76|77|91|XE|XP|XS|XU)\b/;

/** Whether two codes are the same service: one may lack modifiers, unless the other's mean a wanted repetition. */
export function isSameProcedure(a: ProcedureCode, b: ProcedureCode): boolean {
  if (a.code !== b.code) return false;
  if (a.modifiers === b.modifiers) return true;
  return (a.modifiers === '' || b.modifiers === '') && !repeatModifiers.test(a.modifiers + b.modifiers);
}

/** A carrier's claim number in one spelling, without the suffix of an adjustment (`C000123-01`). */
export interface ClaimNumber {
  readonly whole: string;
  readonly base: string;
}

export function readClaimNumber(text: string | null): ClaimNumber | null {
  const whole = (text ?? '').toUpperCase().replace(/\s/g, '');
  if (whole === '') return null;
  const base = /^(.{6,})[-./][A-Z0-9]{1,2}$/.exec(whole)?.[1] ?? whole;
  return { whole, base };
}

/** Returns a drug code as eleven digits, or as many as were sent. */
export const readDrugCode = (text: string | null): string | null => (text ?? '').replace(/\D/g, '') || null;
