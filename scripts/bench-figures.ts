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

const cell = (text: string): string => text.replaceAll('|', '\\|');

const writeRow = ({ what, figure, unit, reach, how }: FigureRow): string =>
  `| ${[what, `${figure.toLocaleString('en-US')} ${unit}`.trim(), reach ?? '', how].map(cell).join(' | ')} |`;

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
