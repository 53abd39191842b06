import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sideFilesOf } from '../../src/main/engine/store/file/side-files.ts';
import { profilePaths } from '../../src/main/lib/paths.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Paths of the repository that a document names, in back quotes or in the picture of a tree. */
const pathsIn = (text: string): string[] => [
  ...new Set(text.match(/(?<![\w/.-])(?:src|test|scripts|docs)\/[\w./-]*[\w-]/g) ?? []),
];

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'), { recursive: true })
    .map((name) => `docs/${String(name).replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.md')),
];

/** Rows of tables that have another number of cells than the first row of theirs. */
function oddRowsIn(text: string): string[] {
  let cells = 0;
  return text.split('\n').filter((line) => {
    if (!line.startsWith('|')) cells = 0;
    const count = line.replace(/`[^`]*`|\\\|/g, '').split('|').length;
    if (line.startsWith('|') && cells === 0) cells = count;
    return line.startsWith('|') && count !== cells;
  });
}

describe('documents', () => {
  it.each(documents)('%s names files and folders that are there', (document) => {
    const paths = pathsIn(readFileSync(join(root, document), 'utf8'));
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it.each(documents)('%s has tables whose rows are whole', (document) => {
    expect(oddRowsIn(readFileSync(join(root, document), 'utf8'))).toEqual([]);
    expect(oddRowsIn('| a | b |\n|---|---|\n| `|` | \\| |\n| one |\n\n| c |')).toEqual(['| one |']);
  });

  it('the recipes and the walks name more than a few', () => {
    const named = ['CONTRIBUTING.md', 'docs/architecture.md'].map(
      (document) => pathsIn(readFileSync(join(root, document), 'utf8')).length,
    );
    expect(Math.min(...named)).toBeGreaterThan(25);
  });

  it('a planted path is found', () => {
    expect(pathsIn('see `src/main/desk.ts`, src/nowhere/at-all.ts and https://x.example/src/a.ts')).toEqual([
      'src/main/desk.ts',
      'src/nowhere/at-all.ts',
    ]);
  });
});

describe('the security questionnaire', () => {
  const linksIn = (text: string) =>
    [...text.matchAll(/\]\(([^)\s#]*)#?([^)\s"]*)(?: "([^"]*)")?\)/g)].map(
      ([, path = '', part = '', title = '']) => ({
        path: path === '' ? 'docs/security-questionnaire.md' : posix.join('docs', path),
        part,
        title,
      }),
    );
  const idsOf = (path: string): string[] =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
  /** What is wrong with a link; null where its file, part and test are there. */
  function findFault({ path, part, title }: { path: string; part: string; title: string }): string | null {
    if (!existsSync(join(root, path))) return `${path} is missing`;
    if (part !== '' && !idsOf(path).includes(part)) return `${path} has no part #${part}`;
    if (!path.startsWith('test/')) return null;
    const text = readFileSync(join(root, path), 'utf8');
    const isThere =
      title !== '' && ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote}`));
    return isThere ? null : `${path} has no test “${title}”`;
  }

  it('every answer of the security questionnaire names a test or a file that is there', () => {
    const lines = readFileSync(join(root, 'docs/security-questionnaire.md'), 'utf8').split(/\n(?=[|#])|\n\n/);
    const answers = lines
      .map((line) => line.trim())
      .filter((line) => line !== '' && !/^#|^\|---|^\| (Question|45 CFR) \|/.test(line));
    expect(answers.length).toBeGreaterThan(60);
    expect(answers.filter((answer) => linksIn(answer).length === 0)).toEqual([]);
    expect(
      answers.flatMap((answer) => linksIn(answer).map(findFault)).filter((fault) => fault !== null),
    ).toEqual([]);
  });

  it('a planted link to nothing is found', () => {
    const planted =
      '[a](none.md), [b](security.md#none), [c](../test/architecture/names.test.ts "no such test")';
    expect(linksIn(planted).map(findFault)).toEqual([
      'docs/none.md is missing',
      'docs/security.md has no part #none',
      'test/architecture/names.test.ts has no test “no such test”',
    ]);
  });
});

it('every file and folder of a profile has its place in the document about them', () => {
  const text = readFileSync(join(root, 'docs/data-on-this-computer.md'), 'utf8');
  const { workspaceDir, keyFile, ...paths } = profilePaths('', posix.join);
  const files = Object.values({ ...paths, workspaceDir: workspaceDir('id'), keyFile: keyFile('id') })
    .map((path) => path.replace('/id', '/ID'))
    .concat(Object.values(sideFilesOf('*.db')).map((path) => path.replace(/^\*\.db\./, '*.')));
  expect(files.length).toBeGreaterThan(25);
  // A folder is named with all in it: `logs/` names `logs/claimdesk.log`.
  const isNamed = (path: string): boolean =>
    [`\`${path}\``, `\`${path}/`, `\`${path.split('/')[0]}/\``, `${path.replace('*.', 'ours.db.')}\``].some(
      (name) => text.includes(name),
    );
  expect(files.filter((path) => !isNamed(path))).toEqual([]);
});
