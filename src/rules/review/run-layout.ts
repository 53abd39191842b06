import { z } from 'zod';
import { isFormula } from '../formula-texts.ts';
import type { FieldKind } from '../list-fields.ts';
import { employerKeyOf } from '../money/reimbursement.ts';

/**
 * The columns that the file of a run can have. `ofClaim`: only in a file with one row for each claim. `identifies`: it
 * identifies an individual.
 */
export const layoutFields = {
  memberId: { label: 'Member record no.', kind: 'text', identifies: true },
  memberKey: { label: 'Member partner key', kind: 'text', identifies: true },
  memberLast: { label: 'Member last name', kind: 'text', identifies: true },
  memberFirst: { label: 'Member first name', kind: 'text', identifies: true },
  employer: { label: 'Employer', kind: 'text' },
  amount: { label: 'Amount', kind: 'money' },
  claims: { label: 'Number of claims', kind: 'integer' },
  claim: { label: 'Claim', kind: 'text', ofClaim: true },
  claimNumber: { label: 'Carrier claim no.', kind: 'text', ofClaim: true },
  patient: { label: 'Patient', kind: 'text', ofClaim: true, identifies: true },
  procedure: { label: 'Procedure', kind: 'text', ofClaim: true },
  billed: { label: 'Billed', kind: 'money', ofClaim: true },
  allowed: { label: 'Allowed', kind: 'money', ofClaim: true },
  line: { label: 'Claim line', kind: 'text', ofClaim: true },
  disposition: { label: 'Disposition', kind: 'text', ofClaim: true },
  reference: { label: 'Reference', kind: 'text', ofClaim: true },
  original: { label: 'Reference of the original', kind: 'text', ofClaim: true },
  serviceStart: { label: 'Service start', kind: 'date', ofClaim: true },
  serviceEnd: { label: 'Service end', kind: 'date', ofClaim: true },
  provider: { label: 'Provider', kind: 'text', ofClaim: true },
  run: { label: 'Run', kind: 'text' },
  account: { label: 'Account', kind: 'text' },
  today: { label: 'Date of the file', kind: 'date' },
  fixed: { label: 'Fixed text', kind: 'text' },
} as const satisfies Record<string, { label: string; kind: FieldKind; ofClaim?: true; identifies?: true }>;
export type LayoutField = keyof typeof layoutFields;
export const layoutFieldNames = Object.keys(layoutFields) as [LayoutField, ...LayoutField[]];

export const isOfClaim = (name: LayoutField): boolean => 'ofClaim' in layoutFields[name];

/** How days and amounts are written. The first of each is a real date, or a number, in a workbook. */
export const layoutDates = ['MM/DD/YYYY', 'YYYY-MM-DD', 'YYYYMMDD', 'MMDDYYYY'] as const;
export const layoutAmounts = ['1234.50', '1,234.50', '$1,234.50', '123450'] as const;

export const runLayoutSchema = z.object({
  /**
   * One row for each claim, for each of its lines (`line-parts.ts`; amounts that belong to no line have a separate
   * row), or for each member and employer with the sum of the member's claims.
   */
  rows: z.enum(['claim', 'line', 'member']),
  format: z.enum(['xlsx', 'csv']),
  delimiter: z.enum([',', ';', '\t', '|']),
  dates: z.enum(layoutDates),
  amounts: z.enum(layoutAmounts),
  columns: z
    .array(
      z.object({
        field: z.enum(layoutFieldNames),
        header: z.string().trim().min(1).max(80),
        /** The text of a `fixed` column. */
        text: z.string().max(200).optional(),
      }),
    )
    .min(1)
    .max(40)
    .refine((columns) => columns.some(({ field }) => field === 'amount')),
});
export type RunLayout = z.infer<typeof runLayoutSchema>;

const column = (field: LayoutField) => ({ field, header: layoutFields[field].label });

const defaultRunLayout: RunLayout = {
  rows: 'member',
  format: 'xlsx',
  delimiter: ',',
  dates: 'MM/DD/YYYY',
  amounts: '1234.50',
  columns: [column('memberId'), column('memberLast'), column('memberFirst'), column('amount')],
};

/** The columns that a layout has in its file: those about claims only if each claim has a row. */
export const columnsOf = ({ rows, columns }: RunLayout): RunLayout['columns'] =>
  rows !== 'member' ? columns : columns.filter(({ field }) => !isOfClaim(field));

/** The fixed texts of a layout that are preceded by a `'` in its file, so that no spreadsheet runs them. */
export const guardedTexts = ({ format, columns }: RunLayout): string[] =>
  format === 'csv'
    ? columns.flatMap(({ field, text = '' }) => (field === 'fixed' && isFormula(text) ? [text] : []))
    : [];

type FileKind = 'text' | 'integer' | 'number' | 'money' | 'date';

/**
 * Returns the columns of the file. In a workbook, amounts and days are typed cells if their format allows it, otherwise
 * texts; plain numbers are written unchanged.
 */
export const fileColumnsOf = (layout: RunLayout) =>
  columnsOf(layout).map(({ field, header }, index) => {
    const { kind, ...more } = layoutFields[field];
    const isValue =
      layout.format === 'xlsx' &&
      (kind === 'date' ? layout.dates === layoutDates[0] : layout.amounts === layoutAmounts[0]);
    const isWritten = (kind === 'date' || kind === 'money') && !isValue;
    const isPlain = kind === 'money' && /^[\d.]+$/.test(layout.amounts);
    return {
      path: `column${index + 1}`,
      label: header,
      isHeader: true as const,
      kind: (isWritten ? (isPlain ? 'number' : 'text') : kind) as FileKind,
      ...('identifies' in more ? { identifies: true as const } : {}),
    };
  });

/** The layout for an employer: its own, otherwise the one for all employers of the service, otherwise the default. */
export const layoutOf = (
  layouts: Readonly<Record<string, RunLayout>>,
  service: string,
  employerId: number | null,
): RunLayout => layouts[employerKeyOf(service, employerId)] ?? layouts[service] ?? defaultRunLayout;
