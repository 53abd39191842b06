import { z } from 'zod';
import { entities } from './list-fields.ts';

/**
 * A value in a list or in a record: text, number, boolean or null. An integer beyond 2^53 is decimal text. A number of the
 * kind money is ten-thousandths of a dollar in a row, a group or an export (`amountOfCell`, `formatCell`), but dollars as
 * sent in a record and in reviewed values (`readTenThousandths`, `formatValue`).
 */
export const cellSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type Cell = z.infer<typeof cellSchema>;

/**
 * A row of a list: cells under the service's (dotted) field names. SSNs are masked. An amount is text where it has more
 * than four decimals or is not a number (`toAmountCell`).
 */
export const rowSchema = z.record(z.string(), cellSchema);
export type Row = z.infer<typeof rowSchema>;

export const operators = [
  'is',
  'isNot',
  'isOneOf',
  'contains',
  'startsWith',
  'atLeast',
  'atMost',
  'moreThan',
  'lessThan',
  'between',
  'isEmpty',
  'isNotEmpty',
] as const;
export type Operator = (typeof operators)[number];

/**
 * A condition on one column. `values` is empty for isEmpty and isNotEmpty, has two elements for between (both
 * included), one or more for isOneOf, otherwise one. Money is compared exactly; dates as ISO dates.
 */
export const conditionSchema = z.object({
  field: z.string().max(80),
  operator: z.enum(operators),
  values: z.array(z.union([z.string().max(500), z.number(), z.boolean()])).max(1000),
});
export type Condition = z.infer<typeof conditionSchema>;

export const sortSchema = z.object({
  field: z.string().max(80),
  direction: z.enum(['asc', 'desc']),
  /** Position of rows without a value, in either direction; last where absent. */
  nulls: z.enum(['first', 'last']).optional(),
});
export type Sort = z.infer<typeof sortSchema>;

/** The query of a list. Rows with equal values are sorted by ID, in the direction of the last sort. */
export const listQuerySchema = z.object({
  entity: z.enum(entities),
  search: z.string().max(500).optional(),
  /**
   * If no record has the words of the search, find those with similar spellings. Only windows request this; files,
   * paper, and commands have exact matches only, because their records leave Claimdesk.
   */
  findsSimilar: z.boolean().optional(),
  conditions: z.array(conditionSchema).max(50).optional(),
  sort: z.array(sortSchema).max(8).optional(),
  /** Include archived members; for members only (docs/service.md, "What the claim fields mean"). */
  includesArchived: z.boolean().optional(),
  /** Include records that the service no longer returns. */
  includesMissing: z.boolean().optional(),
});
export type ListQuery = z.infer<typeof listQuerySchema>;

/** An exact sum in ten-thousandths of a dollar. Beyond 2^53 it is text. */
export const amountSchema = z.union([z.int(), z.string().regex(/^-?\d+$/)]);
export type Amount = z.infer<typeof amountSchema>;

/** The sums of a list of claims or lines. */
export const sumNames = ['billed', 'allowed', 'paid', 'patientResponsibility'] as const;
export type SumName = (typeof sumNames)[number];
/** The field of each sum. */
export const fieldOfSum = {
  billed: 'amount_billed',
  allowed: 'amount_allowed',
  paid: 'amount_paid',
  patientResponsibility: 'patient_responsibility',
} as const satisfies Record<SumName, string>;

const notCountedSchema = z.partialRecord(z.enum(sumNames), z.int().min(1));

/**
 * Number of rows and exact sums of a list; a sum is null where no row has the amount. `notCounted`: for each sum, how
 * many amounts it leaves out because they can't be numbers; absent where there are none.
 */
export const totalsSchema = z.object({
  count: z.int(),
  billed: amountSchema.nullable(),
  allowed: amountSchema.nullable(),
  paid: amountSchema.nullable(),
  patientResponsibility: amountSchema.nullable(),
  notCounted: notCountedSchema.optional(),
});
export type Totals = z.infer<typeof totalsSchema>;

/**
 * One group of a list. Added to the conditions of the list, `conditions` select exactly the rows of the group; the
 * group with a null value has the rows without a value. `label` is a name where the value is an ID.
 */
export const groupSchema = z.object({
  value: cellSchema,
  label: z.string().nullable(),
  totals: totalsSchema,
  conditions: z.array(conditionSchema),
});
export type Group = z.infer<typeof groupSchema>;
