import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'vite';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Words that mean something in this project only, with what they are called instead. A new colleague would have to
 * ask about them (docs/glossary.md has the words that may be used).
 */
const bannedWords: Readonly<Record<string, string>> = {
  wish: 'predicate, options, request',
  wishes: 'predicates, options, requests',
  keeper: 'maintenance thread, session store',
  gone: 'missing, closed, ended, removed',
  anew: 'again, refresh, reload',
  our: 'user data, own',
  ours: 'user data, own',
  their: 'records',
  theirs: 'records',
  looks: 'scenarios',
};

/** `readGoneMark`, `gone-records.ts`, `OUR_STORE` as their words. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
}

/** Words that mean something private at the end of a compound name, with what is meant instead. */
const bannedEndings: Readonly<Record<string, string>> = {
  place: 'path, row, location, step, route, position',
  places: 'paths, rows, locations, steps, ranges',
  room: 'workspace, layer, section',
  rooms: 'workspaces, layers, sections',
  way: 'path, method',
  ways: 'paths, methods',
  words: 'label, text, message',
};

/** Names that end so in their usual sense: words of a search, an option of DOMPurify, the words of this test. */
const usualEndings = new Set(['splitWords', 'hasWords', 'bannedWords', 'IN_PLACE']);

/** Limits are called max and min: `mostRows` → `maxRows`. */
const bannedStart = /^(most|least|longest)[A-Z]/;

const bannedCompoundsIn = (name: string): string[] => {
  if (usualEndings.has(name)) return [];
  const words = wordsOf(name).filter((word) => word !== '');
  const last = words.at(-1) ?? '';
  const ending =
    words.length > 1 && Object.hasOwn(bannedEndings, last)
      ? [`${name}: …${last} → ${bannedEndings[last]}`]
      : [];
  return bannedStart.test(name) ? [...ending, `${name}: → max, min`] : ending;
};

/** Programs check, report and receive. Tests have these words where people speak. */
const bannedInSource: Readonly<Record<string, string>> = {
  tell: 'report, send, print',
  tells: 'reports',
  told: 'reported, sent',
  hear: 'receive',
  hears: 'receives',
  heard: 'received',
  nobody: 'none, never',
  somebody: 'user, member',
};

/** A duplicate is judged by its reviewer: the kind of that event, as it is stored. */
const judgedByUser = /^judge(Duplicate|d.*)?$/;

const bannedInSourceIn = (name: string): string[] => {
  const banned = wordsOf(name).flatMap((word) =>
    Object.hasOwn(bannedInSource, word) ? [`${name}: ${word} → ${bannedInSource[word]}`] : [],
  );
  return name.startsWith('judge') && !judgedByUser.test(name)
    ? [...banned, `${name}: judge… → check, find, compare`]
    : banned;
};

/** Names of columns as they are stored since the first version. */
const storedNames = new Set(['gone_since']);

const bannedIn = (name: string): string[] =>
  (storedNames.has(name) ? [] : wordsOf(name)).flatMap((word) =>
    Object.hasOwn(bannedWords, word) ? [`${name}: ${word} → ${bannedWords[word]}`] : [],
  );

/** Every name that a file declares or uses: identifiers, keys, JSX names, private members. */
function namesIn(path: string, code: string): Set<string> {
  const names = new Set<string>();
  const { program, errors } = parseSync(path, code);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const add = ({ name }: { name: string }): void => void names.add(name);
  new Visitor({ Identifier: add, PrivateIdentifier: add, JSXIdentifier: add }).visit(program);
  return names;
}

/** Words that are no noun for what a variable holds. */
const bannedVariables = new Set(['one', 'found', 'known', 'wanted', 'own', 'told']);

/** The variables and parameters of a file with such a name; a property keeps its name where it is unpacked. */
function bannedVariablesIn(path: string, code: string): string[] {
  const banned: string[] = [];
  const add = (node: { type: string; name?: string } | null): void => {
    if (node?.type === 'Identifier' && bannedVariables.has(node.name ?? '')) banned.push(node.name ?? '');
  };
  const addAll = ({ params }: { params: readonly { type: string; name?: string }[] }) => params.forEach(add);
  new Visitor({
    VariableDeclarator: ({ id }) => add(id),
    FunctionDeclaration: addAll,
    FunctionExpression: addAll,
    ArrowFunctionExpression: addAll,
  }).visit(parseSync(path, code).program);
  return banned;
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'fixtures' ? [] : listFiles(path);
    return [path];
  });
}

const source = join(root, 'src/');
const files = ['src', 'test', 'scripts'].flatMap((folder) => listFiles(join(root, folder)));

describe('names', () => {
  it('are the words of the field or of everybody, in files', () => {
    expect(files.length).toBeGreaterThan(800);
    const paths = files.map((path) => relative(root, path));
    expect(paths.flatMap(bannedIn)).toEqual([]);
    const names = paths.filter((path) => path.startsWith('src/')).map((path) => basename(path));
    expect(names.flatMap(bannedInSourceIn)).toEqual(['judge-duplicate.ts: judge… → check, find, compare']);
  });

  it('are the words of the field or of everybody, in the code', () => {
    let read = 0;
    const found = files
      .filter((path) => /\.(ts|tsx|mjs|mts)$/.test(path) && !/(names.test|banned-phrases).ts$/.test(path))
      .flatMap((path) => {
        const names = [...namesIn(path, readFileSync(path, 'utf8'))];
        read += names.length;
        return names.flatMap((name) =>
          [
            ...bannedIn(name),
            ...bannedCompoundsIn(name),
            ...(path.startsWith(source) ? bannedInSourceIn(name) : []),
          ].map((wrong) => `${relative(root, path)} ${wrong}`),
        );
      });
    expect(read).toBeGreaterThan(10_000);
    expect(found).toEqual([]);
  });

  it('of variables are nouns', () => {
    const code = files.filter(
      (path) => path.startsWith(source) && /\.tsx?$/.test(path) && !/migrations\/\d/.test(path),
    );
    const banned = code.flatMap((path) =>
      bannedVariablesIn(path, readFileSync(path, 'utf8')).map((name) => `${relative(root, path)} ${name}`),
    );
    expect(banned).toEqual([]);
    expect(bannedVariablesIn('planted.ts', 'const found = (one) => one; const { own } = x;')).toEqual([
      'found',
      'one',
    ]);
  });

  it('of exported types are given once', () => {
    const types = files
      .filter((path) => path.startsWith(source) && /\.tsx?$/.test(path))
      .flatMap((path) => readFileSync(path, 'utf8').match(/^export (?:type|interface) \w+/gm) ?? [])
      .map((declaration) => declaration.split(' ').at(-1));
    expect(types.length).toBeGreaterThan(800);
    expect(types.filter((name, at) => types.indexOf(name) !== at)).toEqual([]);
  });

  it.each([
    ['readGoneMark', 1],
    ['GroupWish', 1],
    ['gone-records.ts', 1],
    ['OUR_STORE', 1],
    ['oursOf', 1],
    ['hours', 0],
    ['colours', 0],
    ['lookup', 0],
    ['forgone', 0],
  ])('a planted %s is found %i times', (name, times) => {
    expect(bannedIn(name)).toHaveLength(times);
  });

  it.each([
    ['WorkspacePlace', 1],
    ['UUID_PLACES', 1],
    ['statusWords', 1],
    ['ConnectRoom', 1],
    ['judgeWay', 1],
    ['chosenWays', 1],
    ['mostRows', 1],
    ['leastBusy', 1],
    ['longestWay', 2],
    ['replace', 0],
    ['placeholder', 0],
    ['splitWords', 0],
    ['wordCount', 0],
    ['atMost', 0],
    ['most_recent_claim_date', 0],
  ])('a planted compound %s is found %i times', (name, times) => {
    expect(bannedCompoundsIn(name)).toHaveLength(times);
  });

  it.each([
    ['judgePage', 1],
    ['isTold', 1],
    ['hear-news', 1],
    ['judgeDuplicate', 0],
    ['judgedPairs', 0],
    ['hearing', 0],
  ])('a planted %s is found %i times in the source', (name, times) => {
    expect(bannedInSourceIn(name)).toHaveLength(times);
  });

  it('a planted name in code is found', () => {
    const names = [...namesIn('planted.ts', 'export const { isGone: gone } = x; class A { #wishes = 1; }')];
    expect(names.flatMap(bannedIn)).toHaveLength(3);
    const compounds = [
      ...namesIn('planted.ts', 'const judgeWay = 1; type A = { rowPlace: 1 }; f({ emptyWords: 1 })'),
    ];
    expect(compounds.flatMap(bannedCompoundsIn)).toHaveLength(3);
  });
});
