import { type CommandEntry, commandTable } from './command-table.ts';
import { askNearest } from './nearest-name.ts';
import type { Printer } from './output.ts';
import { type Command, everywhere, type OptionName, optionTypes } from './parse-command.ts';
import { UsageError } from './usage.ts';

/** One way to call a command. `fewest` and `most` are the numbers of arguments after its words. */
type Synopsis = ReturnType<typeof readSynopsis>;

/** Parses one synopsis of the command table. */
export function readSynopsis(text: string) {
  const words: string[] = [];
  const options = new Set<OptionName>();
  let [fewest, most, depth] = [0, 0, 0];
  let isValue = false;
  for (const [part] of text.matchAll(/[[\]]|[^\s[\]()]+/g)) {
    const option = part.startsWith('--') ? (part.slice(2) as OptionName) : null;
    if (part === '[' || part === ']') depth += part === '[' ? 1 : -1;
    else if (option !== null) {
      if (!Object.hasOwn(optionTypes, option)) throw new Error(`There is no option ${part}.`);
      options.add(option);
      isValue = optionTypes[option] !== 'boolean';
    } else if (isValue) isValue = false;
    else if (part === '|' || part === '…') continue;
    else if (most === 0 && options.size === 0 && /^[a-z-]+$/.test(part)) words.push(part);
    else {
      most += part.endsWith('…') ? Number.POSITIVE_INFINITY : 1;
      if (depth === 0) fewest += 1;
    }
  }
  return { text, words, fewest, most, options };
}

interface Found {
  readonly entry: CommandEntry;
  readonly synopses: readonly Synopsis[];
}

/** The command that the words begin with, the longest of several. @throws UsageError */
export function findCommand([word, ...rest]: readonly string[]): Found {
  if (word === undefined) throw new UsageError('enter a command');
  const ofWord = commandTable
    .map((entry) => ({ entry, synopses: entry.synopses.map(readSynopsis) }))
    .filter(({ synopses }) => synopses[0]?.words[0] === word);
  if (ofWord.length === 0) {
    const words = commandTable.flatMap(({ synopses }) => readSynopsis(synopses[0] ?? '').words[0] ?? []);
    throw new UsageError(`there is no command ${word}${askNearest(word, words)}`);
  }
  const wordsOf = ({ synopses }: Found): readonly string[] => synopses[0]?.words.slice(1) ?? [];
  const [bestMatch] = ofWord
    .filter((candidate) => wordsOf(candidate).every((each, index) => rest[index] === each))
    .sort((candidate, other) => wordsOf(other).length - wordsOf(candidate).length);
  if (bestMatch !== undefined) return bestMatch;
  const verbs = [...new Set(ofWord.map((candidate) => wordsOf(candidate).join(' ')))];
  const nearest = rest[0] === undefined ? '' : askNearest(rest[0], verbs, `${word} `);
  throw new UsageError(`use ${word} ${verbs.slice(0, -1).join(', ')}, or ${verbs.at(-1)}${nearest}`);
}

/** Refuses options and arguments that a command does not have, so that none is silently ignored. @throws UsageError */
export function requireFit({ synopses }: Pick<Found, 'synopses'>, { words, options }: Command): void {
  const path = synopses[0]?.words ?? [];
  const count = words.length - path.length;
  const fitting = synopses.filter(({ fewest, most }) => count >= fewest && count <= most);
  const ways = fitting.length === 0 ? synopses : fitting;
  for (const name of Object.keys(options) as OptionName[]) {
    if (everywhere.includes(name) || ways.some((way) => way.options.has(name))) continue;
    const right = synopses.find((way) => way.options.has(name));
    throw new UsageError(
      right === undefined
        ? `--${name} can’t be used with \`${path.join(' ')}\``
        : `--${name} goes with \`${right.text.replaceAll('\n', ' ')}\``,
    );
  }
  if (fitting.length > 0) return;
  const most = Math.max(...synopses.map((way) => way.most));
  throw new UsageError(
    count > most
      ? `unexpected: ${words.slice(path.length + most).join(' ')}`
      : `something is missing after \`${words.join(' ')}\``,
  );
}

/** Checks one command against the table and runs it; the exit code is 0 done, 1 failed. @throws UsageError, DeskError */
export async function runCommand(command: Command, output: Printer): Promise<number> {
  const match = findCommand(command.words);
  requireFit(match, command);
  return (await match.entry.load())(command, output);
}
