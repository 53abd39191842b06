import type { tableFormats } from '../../../contract/export.ts';
import { type CommandEntry, commandTable } from './command-table.ts';
import { findCommand } from './run-command.ts';

const formatHelp: Readonly<Record<(typeof tableFormats)[number], string>> = {
  csv: "for systems (the default, unless the file ends with .xlsx): UTF-8, comma, ISO dates, plain decimals, the service's names",
  xlsx: 'an Excel workbook with typed cells, and a sheet of notes with the query, count, and sums',
  'excel-csv': 'CSV that Excel opens on this computer: byte-order mark, its separator and decimal sign',
};
const formatLines = Object.entries(formatHelp)
  .map(([format, text]) => `  --format ${format.padEnd(12)}${text}`)
  .join('\n');

/** `claimdesk list --help` and `claimdesk export --help`: the whole query language, each sign with an example. */
export const listHelp = `Arguments are visible to everyone who uses this computer: give names, dates of birth and SSNs by --input, as a
JSON object in a file or on stdin (-):
  {"search": "garcia", "filter": ["ssn=123-45-6789", "status=Rejected"], "reason": "A call"}

The window, this command, and the export use the same queries. A record must match all filters and the search.

--search WORDS   every word must start a word of the record; case and accents are ignored:
                 --search 'garcia mri' finds "José García" with an "MRI brain" among its procedures
                 Searched: names, providers, check and claim numbers, procedures, diagnoses, remarks, …
                 Members and dependents: a full SSN (123-45-6789) finds its person and is recorded in
                 the audit log; a partial SSN finds nothing

--filter FIELD SIGN VALUE, without spaces, quoted for the shell:
  =        is                     'status=Rejected'   'amount_billed=120.50'   'is_incomplete=true'
  !=       is not, or is blank    'network!=IN'
  =a|b     is one of              'status=Rejected|Adjusted'
  ==       is, taken literally    'remarks==a|b'
  =a..b    between, both included 'amount_billed=1000..2500'   'processed_on=2025-01-01..2025-03-31'
  ~        contains               'service_provider~clinic'
  ^=       starts with            'check_number^=CHK-00'
  >=  <=   at least, at most      'amount_billed>=1000'   'patient_responsibility<=0'
  >   <    more, less than        'amount_paid>0'
  >   <    after, before          'processed_on>2025-06-30'   'createddate<2025-01-01'
  =        (nothing after)        'check_number='     is blank
  !=       (nothing after)        'check_number!='    is not blank
  Amounts are exact, in dollars. Dates are written 2025-03-31; a day includes all its times.
  ~ and ^= ignore case; the other signs don't. An SSN can only be matched whole, with = or |, or as blank
  or not blank.

Fields have the service's names, with dots for nested ones: type.name, employer.name,
policy_holder.last_name. The header of an export lists them all. Also:
  date_of_service=2025-01-01..2025-03-31   claims and lines with a day of service in that time
  date_of_service<2025-01-01               whose last day of service is before that day
  date_of_service>2025-01-01               whose first day of service is after that day
  date_of_service.first_day, date_of_service.last_day
                                           the first and the last day of service, both included
  date_of_service.month=2025-03            whose first day of service is in that month
  date_of_service.start, .end, .bounds     the dates of service as they were sent
  members.id=7                             claims of a member
  members.employer.id, members.employer.name, members.tenant.id, members.tenant.name
                                           claims by a member's employer or tenant
  review.decided_by=…                      claims by who decided them; review people prints these filters
  claim_id (lines), member_id (dependents) the record they belong to

--sort FIELD[:asc|desc][:nulls-first|nulls-last], several by comma or repeated; blanks come last unless
                 set, and ties are ordered by ID:
                 --sort status,amount_billed:desc   --sort check_date:desc:nulls-first
                 --sort date_of_service is by the first, then the last day of service

--totals         one line with the count and exact sums of the whole list instead of its records
--group-by FIELD one line per group, largest first: its value, count, exact sums, and the filter that returns
                 exactly its rows. By any field except dates and SSNs, and by date_of_service.month,
                 members.id, members.employer.id, members.tenant.id; a claim with two members is in both
                 groups.
                 claimdesk list claims --filter 'network=OUT' --group-by service_provider --limit 10

--active         leaves out archived members        --missing   includes records no longer in the service
--limit N --offset N                             --reveal full SSNs, recorded in the audit log

Exports
${formatLines}
  --preset standard    all columns except sensitive ones and reviews (the default)
  --preset full        all columns except notes
  --preset de-identified   no names, numbers, employers, or dates of people (claims and lines)
  --preset accounting      who, when, and the amounts (claims and lines)
  --reason TEXT        what the file is for, recorded in the audit log; required when columns identify people
  --delimiter D        comma, semicolon, vertical bar, or tab, for csv
  --split N            at most N rows in each file, with numbered names; Excel's own limit always applies
  --sign               writes FILE.sig, a signature by the workspace's SSH key; see claimdesk verify
  --out -              writes to standard output; --quiet leaves out progress
  claim-lines          one row per line with the columns of its claim (claim.…, line.…); the amounts of a
                       claim are on its first line only, so that they add up
  payments             one row per payment recorded for the claims of the list; what was repaid or reversed is
                       negative, so that the amounts add up to what was reimbursed

  claimdesk list claims --filter 'status=Rejected' --filter 'amount_billed>=1000' \\
    --filter 'date_of_service=2025-01-01..2025-03-31' --search 'garcia mri' --sort amount_billed:desc \\
    --reason 'Denials of the first quarter'
`;

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

/** A command as the help shows it: its usage and its description. */
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

/** The first words of commands, grouped by purpose, as the first screen of the help shows them. */
export const helpGroups: Readonly<Record<string, readonly string[]>> = {
  'Set up': ['workspace', 'key', 'connect', 'unlock', 'doctor'],
  Records: ['sync', 'list', 'show', 'export', 'statement', 'letter', 'verify'],
  Work: ['review', 'runs', 'rules', 'family', 'plan-rules'],
  'This computer': ['audit', 'store', 'data', 'backup', 'restore'],
  Team: ['team', 'team-server'],
  'Try it out': ['demo', 'sandbox'],
};

/** Writes the one screen that `claimdesk` prints without arguments. */
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

/** The help for the commands that begin with these words, for all commands (`all`), or the first screen. */
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
