import { tableFormats } from '../../../contract/export.ts';
import { keyTypes } from '../../../contract/ssh-keys.ts';
import type { Output } from './output.ts';
import type { Command } from './parse-command.ts';

/** Runs one command to its end; the exit code is 0 done, 1 failed, 2 wrong usage. */
export type Runner = (command: Command, output: Output) => Promise<number>;

export interface CommandEntry {
  /**
   * The ways to call it, one each: words in lower case as they are typed, then arguments in capitals or as their
   * choices (`a|b`), and options, with their value where `optionTypes` says that they have one. `[…]` can be left out,
   * `…` repeats. Arguments and options that are not listed here are refused. Lines after the first are continued.
   */
  readonly synopses: readonly string[];
  /** What it does, as the help shows it. */
  readonly about?: string;
  /** Loads the command when it is called: the help, a typing error and a key command do not need the engine's code. */
  readonly load: () => Promise<Runner>;
}

const runWorkspace = async () => (await import('./commands/workspace.ts')).runWorkspace;
const runKey = async () => (await import('./commands/key.ts')).runKey;
const runSync = async () => (await import('./commands/sync.ts')).runSyncCommand;
const runExport = async () => (await import('./commands/export.ts')).runExportCommand;
const runTeam = async () => (await import('./commands/team.ts')).runTeam;
const runReview = async () => (await import('./commands/review.ts')).runReview;
const runRuns = async () => (await import('./commands/runs.ts')).runRuns;
const runAudit = async () => (await import('./commands/audit.ts')).runAudit;
const runStore = async () => (await import('./commands/store.ts')).runStore;
const runData = async () => (await import('./commands/data.ts')).runData;
const runTeamServer = async () => (await import('./commands/team-server.ts')).runTeamServer;
const runUnlock = async () => (await import('./commands/unlock.ts')).runUnlock;
const runConnect = async () => (await import('./commands/connect.ts')).runConnect;

/** Every command, in the order of the help. */
export const commandTable: readonly CommandEntry[] = [
  {
    synopses: ['sandbox [--port 0] [--members 2000] [--claims 20000] [--seed 1]'],
    about: 'Runs the sample service. The first line shows its URL; SIGTERM stops it.',
    load: async () => (await import('./commands/sandbox.ts')).runSandbox,
  },
  { synopses: ['workspace add --base-url URL --email E [--name N]'], load: runWorkspace },
  { synopses: ['workspace list'], load: runWorkspace },
  { synopses: ['workspace remove N'], load: runWorkspace },
  {
    synopses: ['workspace set N [--header H] [--scheme S]'],
    about: `The header the sign-in token travels in and the word before it; Authorization and SSH-JWT unless the service
wants others.`,
    load: runWorkspace,
  },
  {
    synopses: ['key generate [--type TYPE] [--name N]'],
    about: `TYPE: ${keyTypes.map((type) => (type === 'ed25519' ? `${type} (default)` : type)).join(', ')}`,
    load: runKey,
  },
  { synopses: ['key list'], load: runKey },
  { synopses: ['key public ID'], load: runKey },
  { synopses: ['key show ID'], load: runKey },
  { synopses: ['key check ID [--yes]'], load: runKey },
  {
    synopses: ['key use ID [--yes]'],
    about:
      'A key belongs to the services it signs in to; another one is confirmed at the terminal, or with --yes.',
    load: runKey,
  },
  { synopses: ['key rename ID --name N'], load: runKey },
  {
    synopses: ['key import FILE [--passphrase-stdin] [--name N]'],
    about:
      'OpenSSH, PKCS#1, PKCS#8, SEC1, or PuTTY. The passphrase is read from stdin, up to the first newline.',
    load: runKey,
  },
  {
    synopses: ['key backup ID --out FILE --passphrase-stdin [--yes]'],
    about: `Saves an OpenSSH file encrypted with that passphrase (at least 12 characters). Confirmed at the terminal, or
with --yes.`,
    load: runKey,
  },
  {
    synopses: [
      'key rotate [--type TYPE]',
      'key rotate --answer registered|others-switched|old-deleted|keep-old|cancel',
    ],
    about: `Starts or continues replacing the workspace's key. Prints the current step and what to do next.
Exit 0 if it is finished or waiting for a person, 1 if it couldn't continue.`,
    load: runKey,
  },
  {
    synopses: ['key retire ID [--confirm-name NAME]'],
    about: 'Permanently removes a key; the last working key only with its name.',
    load: runKey,
  },
  {
    synopses: ['doctor [--accept-clock [--yes]]'],
    about: `Explains connection problems and what to do. Exit 0 if there are none. --accept-clock signs in by the
service's clock for a day if it differs by more than ten minutes; confirmed at the terminal, or with --yes.`,
    load: async () => (await import('./commands/doctor.ts')).runDoctorCommand,
  },
  {
    synopses: ['sync [--accept-loss | --decline-loss]'],
    about: `Reads members and claims until two reads match. Exit 0 only if the records are verified complete.
If many records are missing, it stops and asks: --accept-loss marks them as no longer in the service,
--decline-loss does not.`,
    load: runSync,
  },
  {
    synopses: ['sync quick'],
    about: 'Fetches new records only. Does not verify completeness.',
    load: runSync,
  },
  {
    synopses: ['sync member ID [--employer-key K] [--member-key K] [--vendor-tenant L]'],
    about: 'Refreshes one member with the claims of their connections.',
    load: runSync,
  },
  { synopses: ['sync connection ID'], about: "Refreshes one connection's claims.", load: runSync },
  {
    synopses: ['sync status'],
    about:
      'The latest receipts, any open question about missing records, and whether quick refresh is available.',
    load: runSync,
  },
  {
    synopses: ['sync changes [RUN] [--reason TEXT]'],
    about:
      'What a sync changed: new, changed (by field), missing, confirmed missing, returned. Needs a reason.',
    load: runSync,
  },
  {
    synopses: [
      `list members|dependents|claims|lines
[--search T] [--filter F]… [--sort field[:desc]]… [--limit N] [--offset N] [--active]
[--missing] [--totals | --group-by FIELD] [--reason TEXT]`,
    ],
    about: `--totals or --group-by: count and exact sums, for all or by group
--missing includes records no longer in the service
--reason: what the records are for. Each list is recorded in the audit log. Whole records identify people, so a
reason is required for these; for groups, only of people. Your organization can require it always.`,
    load: async () => (await import('./commands/list.ts')).runList,
  },
  {
    synopses: [
      'review worklist [--limit N]',
      'review worklist NAME [--mine | --unassigned] [--limit N] [--reason TEXT]',
    ],
    about: `The counts of all worklists, or the claims of one in the order to work through them, one a line. The claims
need a reason. --mine: those that you own; --unassigned: those without an owner.`,
    load: runReview,
  },
  {
    synopses: ['review deal WORKLIST [--mine | --unassigned] EMAIL…'],
    about: `Makes these people the owners of the claims of a worklist, in equal parts: each gets every nth claim in its
order. One person gets all. Prints how many claims each got, and the entry, which one undo takes back.`,
    load: runReview,
  },
  {
    synopses: ['review owed [--member ID] [--limit N]'],
    about: `What members owe back: their balances, largest first, one a line; with --member the ledger of one: each claim
with its payments, and the balance. Owed back is what was reimbursed above what is eligible now, less what was written off.`,
    load: runReview,
  },
  {
    synopses: ['review calendar --out FILE'],
    about: `A calendar file (.ics) of the next deadlines of claims: one entry a day, deadline and employer, with the number
of claims and nothing else of them. Claims over their time to decide are left out.`,
    load: runReview,
  },
  {
    synopses: ['runs list'],
    about: "Reimbursement runs, newest first, one a line. A run's RUN is its ID.",
    load: runRuns,
  },
  {
    synopses: ['runs show RUN'],
    about: 'A run with its totals by employer, its steps, and the claims that changed since it was made.',
    load: runRuns,
  },
  {
    synopses: ['runs make --name N [--account TEXT] [--filter F]… [--offsets]'],
    about: `Puts the claims to pay, or those of them that the filters leave, into a run, each with what is open of it now.
Prints how many were left out and why. --offsets: members who owe something back are paid that much less.`,
    load: runRuns,
  },
  {
    synopses: ['runs file RUN --out FILE [--employer ID] [--reason TEXT] [--sign]'],
    about: `Writes the file for whoever pays, in the layout that is kept for the employer or for all. The window makes
layouts. A file that identifies people needs a reason.`,
    load: runRuns,
  },
  { synopses: ['runs check RUN'], about: 'Somebody looked at the run before it is sent.', load: runRuns },
  {
    synopses: ['runs send RUN [--employer ID] [--file FILE]'],
    about: 'The run was sent; the step keeps the name and digest of the file.',
    load: runRuns,
  },
  {
    synopses: ['runs record RUN --date DATE'],
    about: 'Marks the claims that were sent as reimbursed, in one act.',
    load: runRuns,
  },
  {
    synopses: ['runs leave-out RUN ID… --reason TEXT'],
    about: 'These claims leave the run; where they were recorded as reimbursed, that is reversed.',
    load: runRuns,
  },
  {
    synopses: ['runs back RUN --reason TEXT'],
    about: 'Takes back the last step; of a run without one, the run.',
    load: runRuns,
  },
  {
    synopses: ['runs results RUN FILE [--date DATE]'],
    about: `Matches a CSV of results with the run: columns claim or member ID, and where there are any amount, result,
reason. Rejected claims leave the run; with --date, paid ones are recorded. Prints the rows that don't match.`,
    load: runRuns,
  },
  {
    synopses: ['review people [--from DATE] [--to DATE]'],
    about: `Of a workspace with a team, one person a line: open claims by age; and claims decided from one day to another,
both included, in the last 30 days unless they are given: by outcome and day, those that a sync reopened after that, and
those whose decision someone else checked, or disagreed with. Each number has the filters of its claims:
claimdesk list claims --missing --filter 'review.decided_by=reopened 2026-11-01/2026-11-24 by ben@acme.example' \\
--reason 'Reopened in November'`,
    load: runReview,
  },
  {
    synopses: ['review list [--state STATE] [--limit N] [--reason TEXT]'],
    about: `Reviewed claims with their notes, or those of a state: todo, inReview, waiting, back, escalated, done,
notSelected. Needs a reason.`,
    load: runReview,
  },
  {
    synopses: [
      'review set ID… --state STATE [--outcome O] [--on-whom W --reason R] [--reminder DATE]',
      'review set ID… [--owner O] [--tag T]… [--untag T]… [--flag | --unflag] [--reminder DATE]',
      'review set ID… --state done --outcome partlyEligible (--amount A | --line N=A…) [--cause TEXT]',
      'review set ID… --state done --outcome partlyEligible (--without PART… | --share PERCENT) [--cause TEXT]',
    ],
    about: `done needs an outcome: eligible, partlyEligible, notEligible, noAction, duplicate, disputed.
waiting and escalated need --on-whom and --reason.
How much is eligible: of one claim, an amount, or amounts of claim lines, counted from 1; or all that the
rules give but deductible, coinsurance, or copay; or a share of it. The rest is declined. Claims for which the rules give
no amount are left out (notKnown), as are those that the team's two-person rule leaves to a colleague (needsSecond).
--cause, also with notEligible, says why: review causes lists the usual ones.`,
    load: runReview,
  },
  {
    synopses: ['review check ID (--agree | --disagree --reason TEXT)'],
    about: `The quality check of a claim that someone else reviewed. A claim that you disagree with is to do again for its
reviewer.`,
    load: runReview,
  },
  { synopses: ['review note ID --text TEXT'], about: 'Best from --input: {"text": "…"}', load: runReview },
  {
    synopses: [
      'review pay ID [--amount A] --date D [--kind KIND] [--account T]',
      'review pay --file FILE [--kind K] [--account T]',
    ],
    about: `KIND: reimbursed, matchedToCard, repaid, offset, reversed or writtenOff, which needs the reason as --account. Without
--amount, what is open. A CSV file with the columns claim (ID or number), amount, and date; what doesn't
match is listed, as is what the team's two-person rule leaves to a colleague, and the rest is recorded.`,
    load: runReview,
  },
  {
    synopses: ['review causes'],
    about: 'The reasons to decline that the workspace offers, one a line.',
    load: runReview,
  },
  {
    synopses: ['review history [ID] [--limit N] [--reason TEXT]'],
    about: 'Every entry, newest first. Needs a reason.',
    load: runReview,
  },
  { synopses: ['review undo EVENT'], about: 'Adds that an entry no longer counts.', load: runReview },
  { synopses: ['review export --out FILE --passphrase-stdin'], load: runReview },
  {
    synopses: ['review import --file FILE --passphrase-stdin'],
    about: `Reviews as one encrypted file (at least 12 characters). Import adds what isn't here yet; the newest entry
decides. It prints what was added, by person and by the keys that signed it, and what was left out.`,
    load: runReview,
  },
  { synopses: ['team status'], about: 'What the workspace has of its team.', load: runTeam },
  {
    synopses: ['team sync'],
    about: 'Sends and reads once what is new. In the app this happens by itself.',
    load: runTeam,
  },
  {
    synopses: ['team create --server URL [--setup-code CODE]'],
    about: `Makes a team on a team server, with this computer as its first. The code is from whoever runs the server.
Prints the recovery key, once. The code is taken by --input alone: {"setup-code": "…"}`,
    load: runTeam,
  },
  {
    synopses: [
      'team recover --server URL --team ID [--recovery-key KEY]',
      'team recover --renew [--recovery-key KEY] [--yes]',
    ],
    about: `Joins with the printed recovery key, for a team whose admins lost their computers. --renew prints a new one and,
with the key as typed from its page, makes it the team's; the one before admits nobody any more.
The key is taken by --input alone: {"recovery-key": "…"}`,
    load: runTeam,
  },
  {
    synopses: ['team invite [--recovery-key KEY]'],
    about: `An invitation for one computer, good for 72 hours. While the team has one person, it takes the printed
recovery key, to try it, by --input alone: {"recovery-key": "…"}`,
    load: runTeam,
  },
  {
    synopses: ['team join [--invitation TEXT]'],
    about: `Asks to join, and prints the code for the admin. The invitation is taken by --input alone: {"invitation": "…"}`,
    load: runTeam,
  },
  {
    synopses: ['team joins'],
    about: 'Who asked to join, one a line, with the code that the person has to have too.',
    load: runTeam,
  },
  { synopses: ['team approve COMPUTER --role admin|reviewer|reader'], load: runTeam },
  { synopses: ['team members'], about: 'The people of the team, one a line.', load: runTeam },
  { synopses: ['team role EMAIL --role admin|reviewer|reader'], load: runTeam },
  {
    synopses: ['team revoke EMAIL|COMPUTER'],
    about: 'Ends a membership and renews the team key. What that computer has, it keeps.',
    load: runTeam,
  },
  {
    synopses: ['team verify [FILE]'],
    about: `Checks the log on the team's server from its first entry on, or an exported one: the order of the entries, who
wrote each, who was a member when, and that content is what was signed. Exit 1 if anything is changed or missing.`,
    load: runTeam,
  },
  {
    synopses: ['team export --out FILE --reason TEXT'],
    about: `The team's log as JSON lines, with certificates, signatures, and content. It has names and notes.
docs/team-server.md says how anyone checks it without Claimdesk.`,
    load: runTeam,
  },
  {
    synopses: [
      'team remove (--claims-before DATE | --member ID | --employer ID | --everything) --reason TEXT [--yes]',
    ],
    about: `Permanently removes records and reviews from every computer of the team, and reviews from its server; by an admin.
Without --yes it only counts. Export first: nobody can bring them back, also not by a backup or a file of reviews.`,
    load: runTeam,
  },
  {
    synopses: ['team removals'],
    about: 'What was removed for the team, by whom and why, and which computers have done it, one a line.',
    load: runTeam,
  },
  {
    synopses: ['team minimum-version [VERSION|any] [--yes]'],
    about: `The version that computers need to send to the team, and which ones it leaves out. An admin changes it; where
computers would be left out, --yes is needed.`,
    load: runTeam,
  },
  {
    synopses: ['team settings [--two-people-above AMOUNT|none]'],
    about: `What all computers of the team hold in common. An admin changes the two-person rule: whoever decided a claim can't
record its payment above this amount.`,
    load: runTeam,
  },
  { synopses: ['team leave'], about: 'Reviews stay on this computer.', load: runTeam },
  {
    synopses: ['show member|claim ID [--reason TEXT]'],
    about: 'One record, a member with dependents and claims. Needs a reason.',
    load: async () => (await import('./commands/list.ts')).runShow,
  },
  {
    synopses: ['family MEMBER [--plan-year YEAR] [--try FILE] [--reason TEXT]'],
    about: `What a member's family has used in a plan year of its deductible, out-of-pocket maximum, and account by the plan
rules, with its claims in the order of processing. Needs a reason. --try: what the plan rules in a file would change
for the member's employer, which changes nothing.`,
    load: async () => (await import('./commands/family.ts')).runFamily,
  },
  {
    synopses: ['plan-rules [--employer ID] [--file FILE]'],
    about: `The plan rules of an employer, or of all others; --file sets them, or removes them with null in the file:
{"years": [{"from": "2026-01-01", "inNetwork": ["IN"], "outOfNetwork": ["OUT"],
"deductible": {"kind": "embedded", "inNetwork": {"person": 1500, "family": 3000}, "outOfNetwork": null, "types": null},
"outOfPocket": null, "account": null}]}`,
    load: async () => (await import('./commands/plan-rules.ts')).runPlanRules,
  },
  {
    synopses: [
      `export members|dependents|claims|lines|claim-lines|payments --out FILE|-
[--format ${tableFormats.join('|')}] [--preset NAME | --columns a,b,…] [--reason TEXT] [--quiet]
[--search T] [--filter F]… [--sort field[:desc]]… [--active] [--missing] [--group-by FIELD]
[--delimiter D] [--split N] [--sign]`,
    ],
    about: `--sign writes FILE.sig, a signature by the workspace's SSH key
--group-by: one row per group with exact sums instead
--reason is required when columns identify people. claimdesk export --help explains all of it.`,
    load: runExport,
  },
  {
    synopses: [
      `export changes [RUN] --out FILE|- [--format ${tableFormats.join('|')}] [--columns a,b,…] [--reason TEXT]
[--preset NAME] [--quiet] [--delimiter D] [--split N] [--sign]`,
    ],
    about: 'What a sync changed, one row per field.',
    load: runExport,
  },
  {
    synopses: [
      'statement ID… --out FILE|- [--reason TEXT] [--sign] [--quiet]',
      `statement [--worklist NAME] [--search T] [--filter F]… [--sort field[:desc]]… [--missing] --out FILE|-
[--reason TEXT] [--split N] [--sign] [--quiet]`,
    ],
    about: `Substantiation statements as one PDF, a page for each claim and more where its lines need them: the expense as the
carrier has it, what is missing, the decision, and the sync it comes from. In the order of the list, up to 10,000 claims
in a file. Where one of the IDs isn't found, there is no file. Needs a reason.`,
    load: async () => (await import('./commands/statement.ts')).runStatement,
  },
  {
    synopses: ['verify FILE'],
    about: `Says whether the signature beside an export (FILE.sig) is good and by which key, and whether this profile's
audit log has the file's SHA-256. Exit 0 if one of the profile's keys or its log shows that the file is
unchanged, 1 if the signature is of other content, 3 if neither can tell. Anyone else can check the signature:
ssh-keygen -Y check-novalidate -n file -s FILE.sig < FILE`,
    load: async () => (await import('./commands/verify.ts')).runVerify,
  },
  { synopses: ['audit list [--limit N] [--offset N]'], load: runAudit },
  {
    synopses: ['audit verify [--file FILE]'],
    about: "Checks the audit log, or an exported file, with this profile's key. Exit 1 if it isn't intact.",
    load: runAudit,
  },
  {
    synopses: ['audit export --out FILE|-'],
    about: 'Every entry, oldest first, as JSON lines with the hash chain.',
    load: runAudit,
  },
  {
    synopses: ['audit accept --yes'],
    about: `After a restore or a loss: accepts the log as it is, which is recorded with what was found.
What was revealed, exported, copied, and done with keys; verify detects changes to the log.`,
    load: runAudit,
  },
  { synopses: ['store state'], load: runStore },
  { synopses: ['store check [--full]'], load: runStore },
  { synopses: ['store repair [--user-data] [--may-lose]'], load: runStore },
  {
    synopses: ['store clean'],
    about: `The files on this computer: size, backups, checks. repair fixes what it can without data loss and lists
what else would be lost; --may-lose repairs even if data is lost. --user-data repairs notes and the audit log.
clean deletes the damaged files that repairs kept.`,
    load: runStore,
  },
  {
    synopses: ['data remove (--claims-before DATE | --member ID | --workspace N | --everything) [--yes]'],
    about: `Permanently removes records, backups included; without --yes it only counts them. A claim counts as older
if its last day of service is; a member is removed with dependents and claims that belong to no one else.`,
    load: runData,
  },
  {
    synopses: ['data allow-again'],
    about: 'Syncs skip removed records; this allows them to sync again.',
    load: runData,
  },
  {
    synopses: ['data take-over'],
    about: 'Frees a profile that another computer left open. Only when Claimdesk no longer runs there.',
    load: runData,
  },
  { synopses: ['unlock set [--new-passphrase-fd N] [--yes]'], load: runUnlock },
  { synopses: ['unlock change [--new-passphrase-fd N]'], load: runUnlock },
  { synopses: ['unlock remove'], load: runUnlock },
  {
    synopses: ['unlock recovery-code'],
    about: `The unlock passphrase of this profile (at least 12 characters), asked for on the terminal, or read from
--passphrase-fd N (the one that is set) and --new-passphrase-fd N. set and recovery-code print a recovery
code once: print it and keep it.`,
    load: runUnlock,
  },
  {
    synopses: ['unlock recover [--code-fd N] [--new-passphrase-fd N]'],
    about: 'Opens the profile with the recovery code and sets a new passphrase.',
    load: runUnlock,
  },
  {
    synopses: [
      `connect setup --public-token T [--secret-stdin] [--tenant-label L --tenant-key K]
[--demo] [--legacy]`,
    ],
    about: "The workspace's Connect integration. The secret key is read from stdin, up to the first newline.",
    load: runConnect,
  },
  {
    synopses: ['connect mint [--email E]'],
    about: 'Verifies the secret key by requesting an access token, which is not printed.',
    load: runConnect,
  },
  {
    synopses: ['connect employers'],
    about: 'The employers to choose from, with their IDs.',
    load: runConnect,
  },
  {
    synopses: [
      `connect bootstrap --email E --first-name F --last-name L (--employer ID|NAME | --new-employer NAME)
[--system-key K --vendor V] [--date-of-birth D] [--phone P] [--member-key K] [--plan] [--confirm WORD]…`,
    ],
    about: `Adds a member, or matches an existing one; may be repeated. --employer takes a known employer; a new one is
created with --new-employer alone. K is the employer's ID in your benefits system (ask whoever set up the
integration), V its vendor; both are kept, so each employer needs them once. It says what it creates
before it does; --plan does no more than that. --confirm same-name | other-employer | unknown-key goes
ahead after that refusal (connect.employerExists, .memberElsewhere, .employerKeyUnknown).`,
    load: runConnect,
  },
  {
    synopses: ['connect payers --email E [--payer ID]'],
    about: 'Carriers, or one carrier with its form.',
    load: runConnect,
  },
  {
    synopses: ['connect terms --email E'],
    about: 'HTML as received: sanitize it before showing it.',
    load: runConnect,
  },
  {
    synopses: [
      `connect submit --email E --payer ID --username U --password-stdin --accept-terms
[--field k=v | --field k:=JSON]… [--connection ID]`,
    ],
    about: `Submits a carrier login, or updates a connection's login. --accept-terms: the member has read the terms
and authorizes their tenant to receive their claims. The fields are those of the carrier's form (connect
payers --payer ID), nested ones as outer.inner; if several are secret, stdin is a JSON object. Checked as in
the window before anything is sent. If the carrier decides at once, prints the result: exit 0 if it accepted
the login, 1 if not.`,
    load: runConnect,
  },
  { synopses: ['connect status ID [--email E]'], load: runConnect },
  { synopses: ['connect watch ID [--email E]'], load: runConnect },
  { synopses: ['connect method ID M [--email E]'], load: runConnect },
  {
    synopses: ['connect code ID CODE [--email E]', 'connect code ID --code CODE [--email E]'],
    about: `ID is the connection (policyHolderId) that submit prints. watch prints a line at each change, exit 0 if
the carrier accepted the login; M is one of the carrier's own values. No answer sends the login again. If
the result is still unknown after the longest wait, watch exits with 1: run it again to check again.
It only reads the profile: what the service tells just once is kept by submit or the window, not by watch.
A code is best given by --input.`,
    load: runConnect,
  },
  {
    synopses: ['connect fix [--email E] [--reason TEXT]'],
    about: 'Connections with problems and what to do, worst first. Needs a reason.',
    load: runConnect,
  },
  {
    synopses: ['connect show ID [--reason TEXT]'],
    about: "One connection, read again, with its claims and the carrier's reason. Needs a reason.",
    load: runConnect,
  },
  {
    synopses: ['connect new-carrier ID'],
    about:
      "The carrier that a migrating carrier's members move to. Submit the login there with its ID as --payer.",
    load: runConnect,
  },
  {
    synopses: ['connect interop --email E [--payer ID --accept-terms]'],
    about:
      "Sign-in on the carrier's own page (Patient Access): prints its address and waits; exit 0 if connected.",
    load: runConnect,
  },
  {
    synopses: [
      `team-server (--data DIR | --database URL) [--tls-cert FILE --tls-key FILE] [--port 8443] [--origin URL]
[--password-file FILE] [--metrics-token-file FILE]`,
    ],
    about: `Runs the server that the computers of a team exchange their work through, in a folder or a PostgreSQL
database (postgres://claimdesk_server@HOST/NAME; its password is in a file or in PGPASSWORD). Without a
certificate it answers on this computer only, for a proxy. --origin is the address that the computers use.
docs/team-server.md explains all of it.`,
    load: runTeamServer,
  },
  {
    synopses: ['team-server code (--data DIR | --database URL) [--password-file FILE]'],
    about: 'Prints a set-up code, with which somebody creates a team on the server: once, within 24 hours.',
    load: runTeamServer,
  },
  {
    synopses: ['team-server migrate --database URL [--password-file FILE]'],
    about: 'Creates or updates the tables, as the owner of the database.',
    load: runTeamServer,
  },
  {
    synopses: ['demo [--claims N] [--keep DIR]'],
    about: 'Full walkthrough on sample data: key, registration, sync, offline search, export.',
    load: async () => (await import('./commands/demo.ts')).runDemo,
  },
];
