import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ExportSource, tableOf } from '../src/contract/export.ts';
import { exportColumnsOf, exportPresets, presetColumns, presetsOf } from '../src/contract/export-columns.ts';
import { headerOf, wordsOf } from '../src/main/engine/export/csv.ts';
import type { FieldKind } from '../src/rules/list-fields.ts';

// Generates docs/export-columns.md from the columns that exports can have; with --check, only compares it.
const path = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'export-columns.md');

const types: Readonly<Record<FieldKind, string>> = {
  id: 'integer',
  integer: 'integer',
  number: 'number',
  money: 'decimal',
  text: 'text',
  boolean: 'boolean',
  date: 'date',
  dateTime: 'timestamp',
  dateRange: 'text',
};
const sources: readonly (readonly [title: string, source: ExportSource])[] = [
  ['Members', { kind: 'list', query: { entity: 'members' } }],
  ['Dependents', { kind: 'list', query: { entity: 'dependents' } }],
  ['Claims', { kind: 'list', query: { entity: 'claims' } }],
  ['Claim lines', { kind: 'list', query: { entity: 'lines' } }],
  ['Claims with lines (claim-lines)', { kind: 'claimLines', query: { entity: 'claims' } }],
  ['Payments (payments)', { kind: 'payments', query: { entity: 'claims' } }],
  ['Groups of claims by status', { kind: 'groups', query: { entity: 'claims' }, by: 'status' }],
  ['What a sync changed', { kind: 'changes', syncId: '' }],
];

const care = (column: { sensitivity?: string; identifies?: boolean }): string =>
  column.sensitivity !== undefined ? 'sensitive' : column.identifies === true ? 'identifies' : '';

const sections = sources.map(([title, source]) => {
  const presets = exportPresets.filter((one) => presetsOf(tableOf(source)).includes(one));
  const inPreset = new Map(presets.map((one) => [one, new Set(presetColumns(source, one))]));
  const rows = exportColumnsOf(source).map((column) => {
    const marks = presets.map((one) => (inPreset.get(one)?.has(column.path) ? 'x' : ''));
    const cells = [
      `\`${headerOf(column.path)}\``,
      wordsOf(column),
      types[column.kind],
      care(column),
      ...marks,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const head = ['For systems', 'For people', 'Type', 'Care', ...presets];
  return `## ${title}\n\n| ${head.join(' | ')} |\n|${head.map(() => '---|').join('')}\n${rows.join('\n')}\n`;
});

const page = `# Columns of exports

Made from \`src/contract/export-columns.ts\` by \`npm run docs\`. "For systems" is the header in CSV for systems and
the name for \`--columns\`; "for people" that in the forms for Excel. Columns marked *identifies* or *sensitive* need a reason.
A workbook has names of people and times as the screens do: times are local, so their headers have no "(UTC)".

Types in CSV for systems: *integer* and *number* as digits; *decimal*: US dollars with a point and up to four decimals,
or as many as the service sent, exact; *date*: \`2025-03-09\`, and as it came where a time of day was sent; *timestamp*:
ISO 8601 as the service sent it; *boolean*: \`true\` or \`false\`. Null is an empty cell, the empty text is \`""\`. A text
that a spreadsheet would run has one \`'\` in front. A value that the service sent in another type than its own comes as it
is; an amount sent as text (\`"200.50"\`) is an amount, and one that can't be a number is in no sum.
The IDs of members and employers, and fields that Claimdesk does not know (\`unknown.NAME\`, in claims with lines
\`claim.unknown.NAME\` and \`line.unknown.NAME\`), are in no preset: they are chosen by name. What looks like an SSN in an
unknown field is masked.
Of payments, what was repaid or reversed is negative: the amounts add up to what was reimbursed.

No test runs these examples.

\`\`\`sql
-- DuckDB: without the type of an amount it would be a double, whose sums are not exact.
SELECT status, sum(amount_billed)
FROM read_csv('claims.csv', header = true, types = {'amount_billed': 'DECIMAL(18,6)'})
GROUP BY status;
\`\`\`

\`\`\`python
# Spark: amounts as exact decimals.
spark.read.csv("claims.csv", header=True, multiLine=True, escape='"', schema="id BIGINT, amount_billed DECIMAL(18,6)")
\`\`\`

${sections.join('\n')}`;

if (process.argv.includes('--check')) {
  if (readFileSync(path, 'utf8') !== page) {
    process.stderr.write('docs/export-columns.md is not what the columns are; run npm run docs\n');
    process.exitCode = 1;
  }
} else writeFileSync(path, page);
