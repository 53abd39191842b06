/** docs/figures.md has a section for each bench, made from the rows that the bench printed. */

interface FigureRow {
  readonly what: string;
  readonly figure: number;
  readonly unit: string;
  /** The limit to meet, as text in the unit of the figure: `≤ 300`. */
  readonly reach?: string;
  readonly how: string;
  /** How long the fixed work took beside it. */
  readonly workMs?: number;
}

/** What the last run had of a figure; an older one has no multiple. */
interface LastFigure {
  readonly figure: number;
  readonly multiple?: number;
}

const head = `# Figures

Made by \`npm run bench\`, which replaces the sections of the benches that it runs; not edited by hand. Reach is what
Claimdesk aims for on two cores. × work is the figure as a multiple of a fixed piece of work that is timed beside it
(\`test/bench/support/fixed-work.ts\`). Versions are compared by it, so that the computer matters less.
`;

/** The figures among the lines that a bench printed; other lines are ignored. */
export function readFigures(output: string): FigureRow[] {
  return output.split('\n').flatMap((line) => {
    if (!line.startsWith('{"what":')) return [];
    return [JSON.parse(line) as FigureRow];
  });
}

/** Where this bench has a section in the document, the figures there by what they measure. */
export function readSection(page: string, title: string): Map<string, LastFigure> {
  const section = page.split(/^(?=## )/m).find((part) => part.startsWith(`## ${title}\n`)) ?? '';
  const rows = [...section.matchAll(/^\| (.+?) \| (-?[\d,.]+)[^|]*\|(?: ([\d,.]+) × \|)?/gm)];
  return new Map(
    rows.map(([, what = '', figure = '', multiple]) => [
      what.replaceAll('\\|', '|'),
      { figure: toNumber(figure), ...(multiple === undefined ? {} : { multiple: toNumber(multiple) }) },
    ]),
  );
}

const msOf: Readonly<Record<string, number>> = { µs: 0.001, ms: 1, s: 1000 };

/** A time as a multiple of the fixed work, or what a rate does while it lasts; undefined for what depends on no computer. */
function multipleOf({ figure, unit, workMs }: FigureRow): number | undefined {
  if (workMs === undefined) return undefined;
  const ms = msOf[unit];
  const multiple = ms === undefined ? (figure * workMs) / 1000 : (figure * ms) / workMs;
  return ms === undefined && !unit.endsWith('/s') ? undefined : Number(multiple.toPrecision(3));
}

const toNumber = (text: string): number => Number(text.replaceAll(',', ''));

/** A figure that is worse by more than this factor is told; smaller differences are the noise of a machine. */
const noticed = 1.25;

/**
 * A figure as one line: whether it is within its reach, and how it compares with the last one, by the multiple of the
 * fixed work where both have it. Rates are better when higher, everything else when lower. `slower` is what got worse by
 * more than a quarter.
 */
export function judgeRow(row: FigureRow, last: LastFigure | undefined): { verdict: string; line: string } {
  const { what, figure, unit, reach } = row;
  const [, sign, limit] = /^([≤≥]) ([\d,.]+)/.exec(reach ?? '') ?? [];
  const isRate = sign === '≥' || unit.endsWith('/s');
  const isShort = limit !== undefined && (isRate ? figure < toNumber(limit) : figure > toNumber(limit));
  const multiple = multipleOf(row);
  const [now, before] =
    multiple === undefined || last?.multiple === undefined
      ? [figure, last?.figure]
      : [multiple, last.multiple];
  const isSlower = before !== undefined && (isRate ? now * noticed < before : now > before * noticed);
  const words = [limit !== undefined && (isShort ? 'short' : 'ok'), isSlower && 'slower'];
  const verdict = words.filter(Boolean).join(', ');
  const lastMultiple = last?.multiple === undefined ? '' : `, last ${writeMultiple(last.multiple)}`;
  const notes = [
    reach && `reach ${reach}`,
    last === undefined ? 'no last figure' : `last ${write(last.figure)}`,
    multiple !== undefined && `${writeMultiple(multiple)} × work${lastMultiple}`,
  ];
  const value = `${write(figure)} ${unit}`.trim();
  return { verdict, line: `${verdict.padEnd(13)} ${what}: ${value} (${notes.filter(Boolean).join('; ')})` };
}

const write = (value: number): string => value.toLocaleString('en-US');
/** Times of a claim are small parts of the fixed work. */
const writeMultiple = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 6 });

const cell = (text: string): string => text.replaceAll('|', '\\|');

function writeRow(row: FigureRow): string {
  const { what, figure, unit, reach, how } = row;
  const multiple = multipleOf(row);
  const times = multiple === undefined ? '' : `${writeMultiple(multiple)} ×`;
  return `| ${[what, `${write(figure)} ${unit}`.trim(), times, reach ?? '', how].map(cell).join(' | ')} |`;
}

/** The document with this section instead of the one with the same title; sections are sorted by title. */
export function putSection(
  page: string,
  section: { readonly title: string; readonly measured: string; readonly rows: readonly FigureRow[] },
): string {
  const others = page
    .split(/^(?=## )/m)
    .filter((part) => part.startsWith('## ') && !part.startsWith(`## ${section.title}\n`))
    .map((part) => part.trimEnd());
  const own = [
    `## ${section.title}\n\n${section.measured}\n`,
    '| what | figure | × work | reach | how measured |\n|---|---|---|---|---|',
    ...section.rows.map(writeRow),
  ].join('\n');
  const sections = [...others, own].sort((a, b) => (a < b ? -1 : 1));
  return `${[head.trimEnd(), ...sections].join('\n\n')}\n`;
}
