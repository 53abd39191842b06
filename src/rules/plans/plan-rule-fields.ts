import { noLimit, startOf } from './plan-rules.ts';

/** A field of plan rules, by its name in the schema; forms are drawn from these. */
export type RuleField = { readonly name: string; readonly label: string } & (
  | {
      readonly kind: 'names';
      readonly about: string;
      /** The rule is null if there are no names. */
      readonly isNullable?: true;
    }
  | {
      readonly kind: 'flag';
      /** Applies where this other field is present. */
      readonly onlyWith?: string;
    }
  | {
      readonly kind: 'choice';
      readonly choices: readonly { readonly value: string; readonly label: string }[];
    }
  | { readonly kind: 'amount' }
  | {
      readonly kind: 'days';
      readonly about: string;
      readonly min: number;
      /** The rule is null if the field is blank. */
      readonly isNullable?: true;
    }
  | { readonly kind: 'layers' }
  /** Fields that are always shown. */
  | { readonly kind: 'group'; readonly fields: readonly RuleField[] }
  /** Fields that are shown if a box is checked, with `start` as initial values; otherwise the rule is null. */
  | {
      readonly kind: 'part';
      readonly legend?: string;
      readonly start: unknown;
      readonly fields: readonly RuleField[];
      readonly about?: string;
    }
);

/** A limit, in the order of the form: what it limits, and for whom. */
const limitFields = (limitName: string): readonly RuleField[] => [
  { kind: 'amount', name: 'alone', label: `${limitName}, member alone` },
  { kind: 'amount', name: 'person', label: `${limitName}, person within a family` },
  { kind: 'amount', name: 'family', label: `${limitName}, whole family` },
];

const meterFields = (types: string): readonly RuleField[] => [
  { kind: 'group', name: 'inNetwork', label: 'Limit', fields: limitFields('Limit') },
  {
    kind: 'part',
    name: 'outOfNetwork',
    label: 'Separate out-of-network limit',
    start: noLimit,
    fields: limitFields('Out of network'),
  },
  {
    kind: 'flag',
    name: 'outCountsIn',
    label: 'Out-of-network amounts also count in network',
    onlyWith: 'outOfNetwork',
  },
  {
    kind: 'flag',
    name: 'inCountsOut',
    label: 'In-network amounts also count out of network',
    onlyWith: 'outOfNetwork',
  },
  { kind: 'names', name: 'types', label: 'Types of claims that count', about: types, isNullable: true },
];
const allTypes = 'As the claims service names them. Leave blank for all.';
const blankLimit =
  'Leave a limit blank for none. If only the family has a deductible, leave the one per person blank.';

/** The fields of the rules from one day on, in the order of the form. */
export const planYearFields: readonly RuleField[] = [
  {
    kind: 'flag',
    name: 'countsEarlier',
    label: 'If these rules begin during a plan year, count what was used earlier in it',
  },
  {
    kind: 'names',
    name: 'inNetwork',
    label: 'In-network names',
    about: 'As the claims service names them',
  },
  {
    kind: 'names',
    name: 'outOfNetwork',
    label: 'Out-of-network names',
    about: 'As the claims service names them',
  },
  {
    kind: 'part',
    name: 'deductible',
    legend: 'Deductible',
    label: 'This plan has a deductible',
    start: startOf.deductible,
    fields: meterFields(allTypes),
    about: blankLimit,
  },
  {
    kind: 'part',
    name: 'drugDeductible',
    legend: 'Drug deductible',
    label: 'Separate drug deductible',
    start: startOf.drugDeductible,
    about: blankLimit,
    fields: meterFields('Types of drug claims. They do not count toward the other deductible.'),
  },
  {
    kind: 'part',
    name: 'outOfPocket',
    legend: 'Out-of-pocket maximum',
    label: 'This plan has an out-of-pocket maximum',
    start: startOf.outOfPocket,
    fields: meterFields(allTypes),
    about: blankLimit,
  },
  {
    kind: 'part',
    name: 'account',
    legend: 'Reimbursement account',
    start: startOf.account,
    label: 'The account pays by layers or up to a limit',
    about: 'A layer without an amount has no end. After the last layer the member pays.',
    fields: [
      {
        kind: 'choice',
        name: 'per',
        label: 'Layers of a family count',
        choices: [
          { value: 'family', label: 'for the whole family' },
          { value: 'person', label: 'for each person' },
        ],
      },
      {
        kind: 'group',
        name: 'layers',
        label: 'Layers',
        fields: [
          { kind: 'layers', name: 'alone', label: 'Member alone' },
          { kind: 'layers', name: 'family', label: 'Family' },
        ],
      },
      { kind: 'group', name: 'limit', label: 'Yearly limit', fields: limitFields('Yearly limit') },
      {
        kind: 'part',
        name: 'carryOver',
        label: 'Carry over what is left',
        start: { most: null },
        fields: [{ kind: 'amount', name: 'most', label: 'Carry over at most' }],
      },
    ],
  },
];

/** The fields of the reimbursement rules that are numbers of days. */
export const deadlineFields: readonly RuleField[] = [
  { kind: 'days', name: 'runOutDays', label: 'Run-out days', about: 'After the plan year ends', min: 0 },
  {
    kind: 'days',
    name: 'decideDays',
    label: 'Days to decide',
    about: 'After the carrier processed it. Leave blank for no rule.',
    min: 1,
    isNullable: true,
  },
  {
    kind: 'days',
    name: 'appealDays',
    label: 'Days to appeal',
    about: 'After the carrier processed it',
    min: 1,
  },
  {
    kind: 'days',
    name: 'answerDays',
    label: 'Days to answer',
    about: 'After an appeal was received or sent',
    min: 1,
  },
];

/** Plan rules that these rules can't express; the form and the command line list them. */
const unsupportedRules: readonly { readonly name: string; readonly about: string }[] = [
  { name: 'Proration', about: 'lower limits for members who join during the plan year' },
  {
    name: 'Last-quarter carry-over',
    about: 'deductible of the last three months that also counts in the next plan year',
  },
];
export const sayUnsupported = (): string =>
  `Not supported: ${unsupportedRules.map(({ name, about }) => `${name.toLowerCase()} (${about})`).join('; ')}.`;
