import { entities, fieldsOf } from '../../rules/list-fields.ts';
import { wordsOf } from '../../rules/person-names.ts';

/** Shown instead of a masked value. */
export const deskMask = '••••';

/** Fields that have no column, by the names that the service may send. */
const maskedNames =
  /^(date_of_birth|birth_?date|birthday|dob|.*diagnos[ei]s.*|icd\w*|remarks?|notes?|comments?|phone\w*)$/i;

/** Columns that name people or are about one alone. IDs, by which pages and filters find records, are shown. */
const maskedColumns = entities.flatMap((entity) =>
  fieldsOf[entity].flatMap(({ path, kind, isPersonal, sensitivity }) =>
    (isPersonal === true && kind !== 'id') || sensitivity !== undefined ? [path] : [],
  ),
);
/** The names of answers and files for a field, or for one within another. */
const otherFields =
  'memberName firstName lastName member_name memberSystemKey vendor_members.key username usernameHint persons.name papers.patient rejections.member rejections.reason setAside.value';
const maskedFields = new Set([...maskedColumns, ...otherFields.split(' ')]);
/** Masked word by word, so that pages still find whose claim it is. */
const namesPeople = /(name|hint|key|email|phone\w*|papers\.patient|rejections\.member)$/i;

/** Whether privacy mode masks the field at the end of this path: names, emails, SSNs, birth dates, diagnoses, notes. */
export function isMaskedAtDesk(path: string): boolean {
  const names = path.replace(/\[\d*\]/g, '').split('.');
  const last = names.at(-1) ?? '';
  return maskedNames.test(last) || maskedFields.has(last) || maskedFields.has(names.slice(-2).join('.'));
}

type Hide = (name: string) => string;

/** A copy in which every masked field is replaced, at any depth; absent fields stay absent. */
export function maskForDesk(value: unknown, hide: Hide = () => deskMask, within = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => maskForDesk(item, hide, within));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const path = `${within}.${name}`;
      if (inner === null || inner === undefined || inner === '') return [name, inner];
      if (!isMaskedAtDesk(path)) return [name, maskForDesk(inner, hide, name)];
      return [name, typeof inner === 'string' && namesPeople.test(path) ? hide(inner) : deskMask];
    }),
  );
}

const wordMask = new RegExp(`${deskMask}[₀-₉]+′*`, 'g');

/**
 * Masks for the words of names. Words that differ in case or accents alone have the same number, so that pages find the same
 * people, and another count of `′`, so that calls from the window can contain masks: `restore` returns what was sent.
 */
export function createWordMasks() {
  const masks = new Map<string, string>();
  const words = new Map<string, string>();
  const spellings = new Map<string, { readonly number: string; count: number }>();
  const add = (word: string): string => {
    const plain = wordsOf(word).join('') || word;
    const number = String(spellings.size + 1).replace(/\d/g, (digit) =>
      String.fromCharCode(0x2080 + Number(digit)),
    );
    const spelling = spellings.get(plain) ?? { number, count: 0 };
    spellings.set(plain, spelling);
    const mask = `${deskMask}${spelling.number}${'′'.repeat(spelling.count)}`;
    spelling.count += 1;
    masks.set(word, mask);
    words.set(mask, word);
    return mask;
  };
  const hide: Hide = (name) => name.replace(/[\p{L}\p{N}\p{M}]+/gu, (word) => masks.get(word) ?? add(word));
  const restore = <T>(value: T): T => {
    if (words.size === 0) return value;
    if (typeof value === 'string') return value.replace(wordMask, (mask) => words.get(mask) ?? mask) as T;
    if (Array.isArray(value)) return value.map(restore) as T;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, restore(inner)])) as T;
  };
  return { hide, restore };
}
