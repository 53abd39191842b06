import { commandTable } from './command-table.ts';
import { everywhere } from './parse-command.ts';
import { readSynopsis } from './run-command.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
type CompletionShell = (typeof shells)[number];

/** What can follow each beginning of a command: the next words, then the options. The empty text is the beginning. */
function listFollowers(): Map<string, Set<string>> {
  const followers = new Map<string, Set<string>>();
  const add = (beginning: string, next: string): void => {
    followers.set(beginning, (followers.get(beginning) ?? new Set()).add(next));
  };
  for (const { words, options } of commandTable.flatMap(({ synopses }) => synopses.map(readSynopsis))) {
    for (const [at, word] of words.entries()) add(words.slice(0, at).join(' '), word);
    for (const option of [...options, ...everywhere]) add(words.join(' '), `--${option}`);
  }
  for (const word of ['help', 'completion']) add('', word);
  for (const shell of shells) add('completion', shell);
  return followers;
}

/** The longest beginnings first, so that the first one that matches is the command. */
const sortByLength = (followers: ReadonlyMap<string, ReadonlySet<string>>) =>
  [...followers].sort(([a], [b]) => b.split(' ').length - a.split(' ').length || (b === '' ? -1 : 0));

/** A script that a shell reads at its start, by which it completes the words and options of `claimdesk`. */
export function writeCompletion(shell: CompletionShell): string {
  const followers = sortByLength(listFollowers());
  if (shell === 'fish') {
    const lines = followers.map(([beginning, next]) => {
      const typed = beginning === '' ? '' : ` ${beginning}`;
      return `complete -c claimdesk -n 'string match -qr "^claimdesk${typed} [^ ]*\\$" -- (commandline -c)' -a '${[...next].join(' ')}'`;
    });
    return `${lines.join('\n')}\n`;
  }
  const cases = followers.map(([beginning, next]) => {
    const pattern = beginning === '' ? '*' : `"${beginning} "*`;
    return `    ${pattern}) words="${[...next].join(' ')}" ;;`;
  });
  const script = `_claimdesk() {
  local words current="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1} " in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _claimdesk claimdesk
`;
  return shell === 'zsh' ? `autoload -U +X bashcompinit && bashcompinit\n${script}` : script;
}
