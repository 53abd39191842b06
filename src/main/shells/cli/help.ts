import { type CommandEntry, commandTable } from './command-table.ts';
import { listHelp } from './list-help.ts';
import { findCommand } from './run-command.ts';

/** The text of the help before the commands. */
export const introduction = `claimdesk: your health plan's members and claims from the command line

Personal data: arguments are visible to everyone who uses this computer. Any options can come from a file or
from stdin instead, as one JSON object by their names:
  claimdesk connect bootstrap --input member.json     {"email": "…", "first-name": "…", "date-of-birth": "…"}
  claimdesk list members --input -                    {"filter": ["ssn=…"], "reason": "…"}
  claimdesk connect submit --input login.json         {"email": "…", "field": {"member_id": "…"}, "secret": "…"}
  claimdesk connect code ID --input -                 {"code": "…"}
  secret is what the command reads from stdin otherwise (a password, a passphrase, a secret key).`;

/** The text of the help after the commands. */
export const appendix = `Everywhere
  --input FILE|-   options as a JSON object, from a file or stdin
  --profile DIR    profile folder (or CLAIMDESK_PROFILE); default: the desktop app's
  --workspace N    name or ID; required if there are several
  --passphrase-fd N  reads the unlock passphrase from file descriptor N, up to the first newline
  --json           one JSON object per line on stdout and nothing else; an error is one on stderr
  --reveal         full SSNs instead of the last four digits
  --help, --version

Filters
  field=value        is                    field!=value   is not
  field=a..b         between, both included
  field=a|b|c        is one of             field~text     contains
  field^=text        starts with           field>=n  field<=n  field>n  field<n
  field=             is empty              field!=        is not empty
  Fields have the service's names (amount_billed, policy_holder.id, members.id, …).
  date_of_service=2025-01-01..2025-03-31 finds claims with a day of service in that time.
  --active leaves out archived members. claimdesk list --help explains all of it, with examples.

Exit: 0 done, 1 failed (code: message on stderr), 2 wrong usage.
Secrets are sealed in the profile under a key in the system's keychain or under the unlock passphrase. In a script,
hand that over as a file descriptor: claimdesk sync --passphrase-fd 3 3< <(pass show claimdesk). The variable
CLAIMDESK_VAULT_PASSPHRASE works as well, but other programs of the same user can read it.`;

const indented = (text: string, blanks: number): string => text.replace(/^/gm, ' '.repeat(blanks));

/** A command as the help shows it: how it is called, and what it does. */
const describeCommand = ({ synopses, about }: CommandEntry): string =>
  [
    ...synopses.map((synopsis) => `claimdesk ${synopsis.replaceAll('\n', '\n    ')}`),
    ...(about === undefined ? [] : [indented(about, 4)]),
  ].join('\n');

/** The words that commands begin with, in the order of the help. */
export const commandGroups: readonly string[] = [
  ...new Set(commandTable.map(({ synopses }) => (synopses[0] as string).split(/[ \n]/)[0] as string)),
];

/** The commands that begin with a word, as the help shows them. */
export const describeGroup = (word: string): string =>
  commandTable
    .filter(({ synopses }) => synopses[0]?.split(/[ \n]/)[0] === word)
    .map(describeCommand)
    .join('\n');

/** The first words of commands by what they are for, as the first screen of the help shows them. */
export const helpGroups: Readonly<Record<string, readonly string[]>> = {
  'Set up': ['workspace', 'key', 'connect', 'unlock', 'doctor'],
  Records: ['sync', 'list', 'show', 'export', 'statement', 'verify'],
  Work: ['review', 'runs', 'family', 'plan-rules'],
  'This computer': ['audit', 'store', 'data'],
  Team: ['team', 'team-server'],
  'Try it out': ['demo', 'sandbox'],
};

/** What `claimdesk` alone prints: one screen. */
function writeFirstScreen(): string {
  const groups = Object.entries(helpGroups).map(
    ([title, words]) => `  ${title.padEnd(15)}${words.join(', ')}`,
  );
  return `${introduction.split('\n')[0]}

${groups.join('\n')}

  claimdesk help WORD        the commands that begin with a word: claimdesk help key
  claimdesk help WORD WORD   one command, as does --help after it: claimdesk key rotate --help
  claimdesk help all         all of it; claimdesk list --help explains filters
  claimdesk completion SHELL a script for bash, zsh, or fish that completes words and options

  -h, --help    -v, --version    --profile DIR    --workspace N    --json    --input FILE|-
Arguments are visible to everyone who uses this computer: personal data goes into --input.
`;
}

/** The help: of the words that a command begins with, of all (`all`), or the first screen. */
export function writeHelp(words: readonly string[]): string {
  const [word, ...rest] = words;
  if (word === 'all') {
    const commands = indented(commandGroups.map(describeGroup).join('\n'), 2);
    return `${introduction}\n\n${commands}\n\n${appendix}\n`;
  }
  if (word === undefined || !commandGroups.includes(word)) return writeFirstScreen();
  if (rest.length > 0) return `${describeCommand(findCommand(words).entry)}\n`;
  const hasLists = word === 'list' || word === 'export';
  return `${describeGroup(word)}\n\n${hasLists ? listHelp : `${appendix.split('\n\n')[0]}\n`}`;
}
