/** docs/figures.md has a section for each bench, made from the rows that the bench printed. */

interface FigureRow {
  readonly what: string;
  readonly figure: number;
  readonly unit: string;
  /** The limit to meet, as text in the unit of the figure: `≤ 300`. */
  readonly reach?: string;
  readonly how: string;
}

const head = `# Figures

Made by \`npm run bench\`, which replaces the sections of the benches that it runs; not edited by hand. Reach is what
Claimdesk aims for on two cores.
`;

/** The figures among the lines that a bench printed; other lines are ignored. */
export function readFigures(output: string): FigureRow[] {
  return output.split('\n').flatMap((line) => {
    if (!line.startsWith('{"what":')) return [];
    return [JSON.parse(line) as FigureRow];
  });
}

/** Where this bench has a section in the document, the figures there by what they measure. */
export function readSection(page: string, title: string): Map<string, number> {
  const section = page.split(/^(?=## )/m).find((part) => part.startsWith(`## ${title}\n`)) ?? '';
  const rows = [...section.matchAll(/^\| (.+?) \| (-?[\d,.]+)[^|]*\|/gm)];
  return new Map(
    rows.map(([, what = '', figure = '']) => [what.replaceAll('\\|', '|'), toNumber(figure)] as const),
  );
}

const toNumber = (text: string): number => Number(text.replaceAll(',', ''));

/** A figure that is worse by more than this factor is told; smaller differences are the noise of a machine. */
const noticed = 1.25;

/**
 * A figure as one line: whether it is within its reach, and how it compares with the last one. Rates are better when
 * higher, everything else when lower. `slower` is what got worse by more than a quarter.
 */
export function judgeRow(
  { what, figure, unit, reach }: FigureRow,
  last: number | undefined,
): { verdict: string; line: string } {
  const [, sign, limit] = /^([≤≥]) ([\d,.]+)/.exec(reach ?? '') ?? [];
  const isRate = sign === '≥' || unit.endsWith('/s');
  const isShort = limit !== undefined && (isRate ? figure < toNumber(limit) : figure > toNumber(limit));
  const isSlower = last !== undefined && (isRate ? figure * noticed < last : figure > last * noticed);
  const words = [limit !== undefined && (isShort ? 'short' : 'ok'), isSlower && 'slower'];
  const verdict = words.filter(Boolean).join(', ');
  const notes = [reach && `reach ${reach}`, last === undefined ? 'no last figure' : `last ${write(last)}`];
  const value = `${write(figure)} ${unit}`.trim();
  return { verdict, line: `${verdict.padEnd(13)} ${what}: ${value} (${notes.filter(Boolean).join('; ')})` };
}

const write = (value: number): string => value.toLocaleString('en-US');

const cell = (text: string): string => text.replaceAll('|', '\\|');

const writeRow = ({ what, figure, unit, reach, how }: FigureRow): string =>
  `| ${[what, `${write(figure)} ${unit}`.trim(), reach ?? '', how].map(cell).join(' | ')} |`;

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
    '| what | figure | reach | how measured |\n|---|---|---|---|',
    ...section.rows.map(writeRow),
  ].join('\n');
  const sections = [...others, own].sort((a, b) => (a < b ? -1 : 1));
  return `${[head.trimEnd(), ...sections].join('\n\n')}\n`;
}
