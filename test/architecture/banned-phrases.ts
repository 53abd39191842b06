import type { UserFacingString } from './user-facing-strings.ts';

/**
 * Maps phrases that users must not see, as whole words, to what is written instead. The terms that stay in
 * the code because the service uses them (payer, policy holder, copayment) are in docs/glossary.md.
 */
export const bannedPhrases: Readonly<Record<string, string>> = {
  anew: 'again',
  '(?:go|goes|going|went) on': 'continue',
  '(?:bring|brings|brought|bringing) (?:\\w+ ){0,3}in': 'add',
  '(?:stands|stood)': 'is',
  'under way': 'in progress',
  meanwhile: '(leave it out)',
  'fits?': 'matches',
  '(?:prove[ns]?|proves|proved|proven|proof|unproven)': 'verified',
  '(?:not|nothing|is) given': '(Blank), not reported, is blank',
  'policy ?holders?': 'subscriber',
  'co-?payments?': 'copay',
  'payers?': 'carrier',
  'birth ?dates?': 'date of birth',
  'desk mode': 'privacy mode',
  'no longer (?:returned|returns?)': 'no longer in the service',
  'set aside': 'unreadable',
  'all the same': 'anyway',
  '(?:could|can)(?: ?not|’t) be had': 'couldn’t open',
  'your provider': 'your claims vendor',
  'put right': 'fix',
  'for good': 'permanently',
  nobody: 'no one, or the sentence with you',
  somebody: 'someone, or their role',
  'a person': 'you, a member, someone',
  'any more': 'no longer',
  'of (?:its|their|your) own': 'separate, own',
  '(?:take|takes|taken|took) back': 'undo, reverse',
  'puts? into': 'add to',
  '(?:deal|deals|dealt) out|dealings?': 'assign',
  '(?:is|are) to be': 'will be, must be',
};

/** Abbreviations in the wrong case, each with its form in capitals. */
export const bannedSpellings: Readonly<Record<string, string>> = {
  'ids?': 'ID',
  eob: 'EOB',
  npi: 'NPI',
};

/** Where a banned phrase is meant, and why. */
export const allowed: readonly { file: string; phrase: string; reason: string }[] = [
  {
    file: 'src/rules/list-fields.ts',
    phrase: 'payer',
    reason: 'whoever pays members, not the carrier',
  },
  {
    file: 'src/rules/worklists/worklist-table.ts',
    phrase: 'payer',
    reason: 'whoever pays members, not the carrier',
  },
  {
    file: 'docs/admin-guide.md',
    phrase: 'payer',
    reason: 'whoever pays members, not the carrier',
  },
  { file: 'src/contract/sent-fields.ts', phrase: 'id', reason: 'a field of the service' },
  { file: 'src/contract/sent-fields.ts', phrase: 'copayment', reason: 'a field of the service' },
  { file: 'src/rules/review/reviewed-fields.ts', phrase: 'id', reason: 'a field of the service' },
  { file: 'src/rules/review/reviewed-fields.ts', phrase: 'copayment', reason: 'a field of the service' },
  { file: 'src/main/engine/export/xlsx.ts', phrase: 'id', reason: 'an attribute of XML' },
  {
    file: 'src/main/shells/cli/command-table.ts',
    phrase: 'payers',
    reason: 'the name of the command that lists the carriers',
  },
  {
    file: 'src/main/shells/cli/command-table.ts',
    phrase: 'payer',
    reason: 'a key of plan rules in a file',
  },
  { file: 'src/main/shells/cli/parse-command.ts', phrase: 'payer', reason: 'the name of an option' },
  ...[
    'src/renderer/domain/run/rejected-claims.tsx',
    'src/renderer/features/runs/results-dialog.tsx',
    'src/renderer/features/runs/run-page.tsx',
    'docs/admin-guide.md',
  ].map((file) => ({
    ...{ file, phrase: 'payer', reason: 'whoever pays a run, which is no carrier' },
  })),
];

/** Folders and files whose texts are still being rewritten; an empty list in the end. */
export const stillToDo: readonly string[] = [];

export interface Violation extends UserFacingString {
  /** The phrase as written in the text. */
  readonly phrase: string;
  readonly instead: string;
}

const rules = [
  ...Object.entries(bannedPhrases).map(([phrase, instead]) => ({ phrase, instead, flags: 'gi' })),
  ...Object.entries(bannedSpellings).map(([phrase, instead]) => ({ phrase, instead, flags: 'g' })),
].map(({ phrase, instead, flags }) => ({
  pattern: new RegExp(`(?<![\\w.-])(?:${phrase})(?![\\w-]|\\.\\w)`, flags),
  instead,
}));

/** Each banned phrase in each of the texts. Options (`--payer`) and paths of fields (`members.id`) are no prose. */
export function findBanned(strings: readonly UserFacingString[]): Violation[] {
  return strings.flatMap((one) =>
    rules.flatMap(({ pattern, instead }) =>
      [...one.text.matchAll(pattern)].map(([phrase]) => ({ ...one, phrase, instead })),
    ),
  );
}

export function isAllowed({ file, phrase }: Violation): boolean {
  return allowed.some((one) => one.file === file && one.phrase === phrase);
}
