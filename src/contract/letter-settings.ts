import { z } from 'zod';
import { letterKinds, letterTable, refuseTemplate } from '../rules/letters/letter-kinds.ts';
import type { SavedView } from './store.ts';

/** Where the plan is under ERISA: the days to appeal, at least, and to answer, at most, by whether there are two levels (29 CFR 2560.503-1(h)(3)(i), (i)(2)(iii)). */
const erisaDays = { appeal: 180, answer: 60, answerOfTwo: 30 } as const;

const text = (what: string) => z.string().trim().max(2_000, `${what} has more than 2,000 characters.`);
const daysNeeded = 'Days to appeal must be a number from 1 to 1,000.';
/** Texts for letters of one employer that aren't in its claims. `byCause`: by the reason for declining. */
export const letterSettingsSchema = z
  .object({
    contact: text('The contact for questions').default(''),
    returnAddress: text('The return address').default(''),
    isErisa: z.boolean().default(true),
    /** A claimant who is denied on appeal can appeal a second time. */
    hasTwoLevels: z.boolean().default(false),
    appealDays: z.int().min(1, daysNeeded).max(1_000, daysNeeded).default(erisaDays.appeal),
    byCause: z
      .record(
        z.string().max(200),
        z.object({
          provision: text('What the plan says about a reason'),
          change: text('What would change a decision'),
        }),
      )
      .default({}),
    templates: z
      .partialRecord(
        z.enum(letterKinds),
        z.string().max(10_000, 'The text of a letter has more than 10,000 characters.'),
      )
      .default({}),
  })
  .refine(({ isErisa, appealDays }) => !isErisa || appealDays < 1 || appealDays >= erisaDays.appeal, {
    error: 'Under ERISA, members have at least 180 days to appeal.',
  });
export type LetterSettings = z.infer<typeof letterSettingsSchema>;

/**
 * Each employer's are stored as a saved view, so that they are encrypted and in backups, and a team shares them like other
 * views; those of all employers without their own have no ID.
 */
const viewPrefix = '$letters/';
const storedSchema = z.object({ settings: letterSettingsSchema });

interface StoredLetter {
  /** The ID of the saved view; null: the employer has no settings. */
  readonly id: string | null;
  readonly settings: LetterSettings;
  /** False: a newer version wrote them, so they are not changed here. */
  readonly isReadable: boolean;
  readonly isOfTeam: boolean;
}
/** The settings of each employer, under its ID as text. */
export type StoredLetters = Readonly<Record<string, StoredLetter>>;

/** The employer whose letters a saved view has; null: it is another view. */
export const letterEmployerIn = (name: string): string | null =>
  name.startsWith(viewPrefix) ? name.slice(viewPrefix.length) : null;

function readStored(query: string): Pick<StoredLetter, 'settings' | 'isReadable'> {
  try {
    return { ...storedSchema.parse(JSON.parse(query)), isReadable: true };
  } catch {
    return { settings: letterSettingsSchema.parse({}), isReadable: false };
  }
}

/** The texts for letters of each employer; those of the team, which are listed last, replace own ones. */
export const findLetters = (views: readonly SavedView[]): StoredLetters =>
  Object.fromEntries(
    views.flatMap(({ id, name, query, isOfTeam = false }) => {
      const employer = letterEmployerIn(name);
      return employer === null ? [] : [[employer, { id, isOfTeam, ...readStored(query) }]];
    }),
  );

/** Returns the settings of an employer in the form that `views:save` needs. */
export const toStoredLetters = (employer: string, settings: LetterSettings) => ({
  name: `${viewPrefix}${employer}`,
  query: JSON.stringify({ version: 1, kind: 'letters', settings }),
});

/** The texts for letters of an employer: its own settings, else those for all employers. */
export function lettersOf(stored: StoredLetters, employer: string): StoredLetter {
  const usual = { settings: letterSettingsSchema.parse({}), isReadable: true, isOfTeam: false };
  return stored[employer] ?? { ...(stored[''] ?? usual), id: null };
}

/** The days in which an appeal is answered at most. */
export const maxDaysOf = ({ hasTwoLevels }: LetterSettings): number =>
  hasTwoLevels ? erisaDays.answerOfTwo : erisaDays.answer;
/** The sentence of the law about them. */
export const sayMaxDays = (settings: LetterSettings): string =>
  `Under ERISA, an appeal is answered within ${maxDaysOf(settings)} days${settings.hasTwoLevels ? ' where there are two levels' : ''}.`;

const refuseValues = (settings: LetterSettings): string[] =>
  letterSettingsSchema.safeParse(settings).error?.issues.map(({ message }) => message) ?? [];

/** Lists, as sentences, what keeps the settings from being stored: values, and texts that lack a required part. */
export const refuseLetters = (settings: LetterSettings): string[] => [
  ...refuseValues(settings),
  ...letterKinds.flatMap((kind) => {
    const { label, text: usual } = letterTable[kind];
    const refused = refuseTemplate(kind, settings.templates[kind] ?? usual);
    return refused === null ? [] : `${label}: ${refused}`;
  }),
];

/** Lists, as sentences, what keeps the settings from being used for a letter. */
export function refuseSettings(settings: LetterSettings, hasAppeal: boolean, answerDays: number): string[] {
  const sentences = refuseValues(settings);
  if (!hasAppeal || !settings.isErisa || answerDays <= maxDaysOf(settings)) return sentences;
  const rules = `The employer’s reimbursement rules have ${answerDays} days to answer.`;
  return [...sentences, `${sayMaxDays(settings)} ${rules}`];
}
