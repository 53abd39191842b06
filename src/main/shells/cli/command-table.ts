import { tableFormats } from '../../../contract/export.ts';
import { keyTypes } from '../../../contract/ssh-keys.ts';
import { letterKinds } from '../../../rules/letters/letter-kinds.ts';
import { sayUnsupported } from '../../../rules/plans/plan-rule-fields.ts';
import type { Runner } from './command-row.ts';

export interface CommandEntry {
  /**
   * The ways to call the command: words in lower case as they are typed, then arguments in capitals or as their choices
   * (`a|b`), and options, with a value if they have one in `optionTypes`. `[…]` can be left out, `…` repeats. Arguments
   * and options that are not listed here are refused. Lines after the first are continued.
   */
  readonly synopses: readonly string[];
  readonly about?: string;
  /** Loads the command when it is called: the help, a typing error and a key command do not need the engine's code. */
  readonly load: () => Promise<Runner>;
}

/** Loads the function that runs a command, or those of a word by their verbs. */
type Load = () => Promise<Runner | Readonly<Record<string, Runner>>>;

/**
 * Every command, in the order of the help, with the file that runs it. A line that begins in the first column is the
 * usage of a command, lines indented by two spaces continue it, and lines indented by four describe it.
 */
const groups: readonly (readonly [load: Load, commands: string])[] = [
  [
    async () => (await import('./commands/sandbox.ts')).runSandbox,
    `sandbox [--port 0] [--members 2000] [--claims 20000] [--seed 1]
    Runs the sample service. The first line shows its URL; SIGTERM stops it.`,
  ],
  [
    async () => (await import('./commands/workspace.ts')).workspaceCommands,
    `workspace add --base-url URL --email E [--name N]
workspace list
workspace remove N
workspace set N [--header H] [--scheme S]
    The header of the sign-in token and the word before it; Authorization and SSH-JWT by default.`,
  ],
  [
    async () => (await import('./commands/key.ts')).keyCommands,
    `key generate [--type TYPE] [--name N]
    TYPE: ${keyTypes.map((type) => (type === 'ed25519' ? `${type} (default)` : type)).join(', ')}
key list
key public ID
key show ID
key check ID [--yes]
key use ID [--yes]
    A key belongs to the services it signs in to; another one is confirmed at the terminal, or with --yes.
key rename ID --name N
key import FILE [--passphrase-stdin] [--name N]
    OpenSSH, PKCS#1, PKCS#8, SEC1, or PuTTY. The passphrase is read from stdin, up to the first newline.
key backup ID --out FILE --passphrase-stdin [--yes]
    Saves an OpenSSH file encrypted with that passphrase (at least 12 characters). Confirmed at the terminal, or
    with --yes.
key rotate [--type TYPE]
key rotate --answer registered|others-switched|old-deleted|keep-old|cancel
    Starts or continues replacing the workspace's key. Prints the current step and what to do next.
    Exit 0 if it is finished or waiting for you, 1 if it couldn't continue.
key retire ID [--confirm-name NAME]
    Permanently removes a key; the last working key only with its name.`,
  ],
  [
    async () => (await import('./commands/doctor.ts')).runDoctorCommand,
    `doctor [--accept-clock [--yes]]
    Explains connection problems and what to do. Exit 0 if there are none. --accept-clock signs in by the
    service's clock for a day if it differs by more than ten minutes; confirmed at the terminal, or with --yes.`,
  ],
  [
    async () => (await import('./commands/sync.ts')).syncCommands,
    `sync [--accept-loss | --decline-loss]
    Reads members and claims until two reads match. Exit 0 only if the records are verified complete.
    If many records are missing, it stops and asks: --accept-loss marks them as no longer in the service,
    --decline-loss does not.
sync quick
    Fetches new records only. Does not verify completeness.
sync member ID [--employer-key K] [--member-key K] [--vendor-tenant L]
    Refreshes one member with the claims of their connections.
sync connection ID
    Refreshes one connection's claims.
sync status
    The latest receipts, any open question about missing records, and whether quick refresh is available.
sync changes [SYNC] [--reason TEXT]
    What a sync changed: new, changed (by field), missing, confirmed missing, returned. Needs a reason.`,
  ],
  [
    async () => (await import('./commands/list.ts')).runList,
    `list members|dependents|claims|lines
  [--search T] [--filter F]… [--sort field[:desc]]… [--limit N] [--offset N] [--active]
  [--missing] [--totals | --group-by FIELD] [--reason TEXT]
    --totals or --group-by: count and exact sums, for all or by group
    --missing includes records no longer in the service
    --reason: what the records are for. Each list is recorded in the audit log. Whole records identify people, so a
    reason is required for these; for groups, only of people. Your organization can require it always.`,
  ],
  [
    async () => (await import('./commands/review.ts')).reviewCommands,
    `review worklist [--limit N]
review worklist NAME [--mine | --unassigned] [--limit N] [--reason TEXT]
    The counts of all worklists, or the claims of one in its order, one a line. The claims need a reason.
    --mine: claims that you own; --unassigned: claims without an owner.
review deal WORKLIST [--mine | --unassigned] EMAIL…
    Assigns the claims of a worklist to these people in equal parts: each gets every nth claim in its order.
    Prints how many claims each got, and the ID of the entry that one undo reverts.
review owed [--member ID] [--limit N]
    What members owe back: their balances, largest first, one a line; with --member the ledger of one: each claim
    with its payments, and the balance. Owed back is the reimbursed amount above what is eligible now, minus write-offs.
review calendar --out FILE
    A calendar file (.ics) of the next deadlines of claims: one entry per day, deadline, and employer, with only the
    number of claims. Claims that are overdue to decide are left out.
review people [--from DATE] [--to DATE]
    Team members, one a line: open claims by age, and claims decided from one day to another, both included (default:
    the last 30 days), by outcome and day, how many a sync reopened later, and how many decisions someone else
    checked or disagreed with. Each number has the filters of its claims:
    claimdesk list claims --missing --filter 'review.decided_by=reopened 2026-11-01/2026-11-24 by ben@acme.example' \\
    --reason 'Reopened in November'
review list [--state STATE] [--limit N] [--reason TEXT]
    Reviewed claims with their notes, or those of a state: todo, inReview, waiting, back, escalated, done,
    notSelected. Needs a reason.
review set ID… --state STATE [--outcome O] [--on-whom W --reason R] [--reminder DATE]
review set ID… [--owner O] [--tag T]… [--untag T]… [--flag | --unflag] [--reminder DATE]
review set ID… --state done --outcome partlyEligible (--amount A | --line N=A…) [--cause TEXT]
review set ID… --state done --outcome partlyEligible (--without PART… | --share PERCENT) [--cause TEXT]
    done needs an outcome: eligible, partlyEligible, notEligible, noAction, duplicate, disputed.
    waiting and escalated need --on-whom and --reason.
    The eligible amount: for one claim, an amount, or amounts of claim lines, counted from 1; or the amount by the rules
    without deductible, coinsurance, or copay; or a share of it. The rest is declined. Claims without an amount by the
    rules are left out (notKnown), as are those that the team's two-person rule leaves to a colleague (needsSecond).
    Claims that already have these values are only counted (unchanged); if no claim remains, nothing is recorded (eventId null).
    --cause, also with notEligible, is the reason: review causes lists the usual ones.
review check ID (--agree | --disagree --reason TEXT)
    The quality check of a claim that someone else reviewed. If you disagree, its reviewer gets the claim again.
review note ID --text TEXT
review call MEMBER --text TEXT
    A note on a claim, or a call with a member (record number), linked to the family's open claims; show member prints
    the calls. Best from --input: {"text": "…"}
review pay ID [--amount A] --date D [--kind KIND] [--account T] [--before-service]
review pay --file FILE [--kind K] [--account T] [--before-service]
    KIND: reimbursed, matchedToCard, repaid, offset, reversed, or writtenOff, which needs the reason as --account.
    Without --amount, the open amount. FILE: a CSV file or an Excel workbook with the columns claim (ID or number), amount,
    and date. Rows that don't match, or that the team's two-person rule leaves to a colleague, are listed, and the others
    recorded. --before-service: also payments dated before the service.
review appeal ID --direction sent|received [--date D] [--asker A] [--level N] [--due D] [--reason TEXT]
review appeal ID --answer ANSWER --reason TEXT [--date D] [--letter-date D]
    An appeal that was sent to the carrier or received by the plan, and its answer. A: member (default), provider, or us.
    ANSWER: upheld, partly, overturned, or withdrawn. --date: today by default; --due: by the employer's rules.
    --letter-date: when the answer was sent.
review gone ANSWER [ID…] [--filter F]…
    Resolves claims that are no longer in the service. ANSWER: owedBack (what was paid is owed back) or keep (they were
    only archived). Without an ID, all such claims that match the filters, as one act.
review causes
    The workspace's reasons for declining, one a line.
review history [ID] [--limit N] [--reason TEXT]
    Every entry, newest first. Needs a reason.
review undo EVENT
    Undoes an entry, by another entry.
review export --out FILE --passphrase-stdin
review import --file FILE --passphrase-stdin
    Reviews as one encrypted file (at least 12 characters). Import adds what isn't here yet; the newest entry
    counts. It prints what was added, by author and signing key, and what was left out.`,
  ],
  [
    async () => (await import('./commands/runs.ts')).runCommands,
    `runs list
    Reimbursement runs, newest first, one a line. A run's RUN is its ID.
runs show RUN
    A run with its totals by employer, its steps, and the claims that changed since it was made.
runs make --name N [--account TEXT] [--filter F]… [--offsets] [--corrections]
    Adds the claims to pay, or those that match the filters, to a run, each with its open amount. Prints how many were
    left out and why. --offsets: deducts what members owe back. --corrections: instead takes the claims that changed
    after reimbursement, each with the difference from the amount sent, also below zero.
runs file RUN --out FILE [--employer ID] [--reason TEXT] [--sign] [--with-changed]
    Writes the file for whoever pays, in the layout stored for the employer or for all. You make layouts in the
    window. A file that identifies people needs a reason. --with-changed, here and in the next steps: includes claims that
    changed since the run was made; otherwise they are listed, and nothing is done.
runs check RUN [--with-changed]
    Marks the run as checked, before it is sent.
runs send RUN [--employer ID] [--file FILE] [--with-changed]
    Marks the run as sent, with the name and digest of the file.
runs record RUN --date DATE [--with-changed]
    Marks the claims that were sent as reimbursed, in one act.
runs leave-out RUN ID… --reason TEXT
    Removes claims from the run, and reverses their reimbursement if it was recorded.
runs back RUN --reason TEXT
    Undoes the last step, or the run if it has none.
runs results RUN FILE [--date DATE] [--all-paid] [--employer ID]
    Matches results with the run, from a CSV file or an Excel workbook: columns claim or member ID and, if present,
    employer, amount, result, reason. Rejected claims leave the run; with --date, paid ones are recorded. Prints rejected
    claims with the reason, and the rows that don't match. --all-paid: the file has no result column, and all rows are paid.`,
  ],
  [
    async () => (await import('./commands/team.ts')).teamCommands,
    `team status
    The state of the workspace's team on this computer.
team sync
    Sends and receives new entries once. The app does this by itself.
team create --server URL [--setup-code CODE]
    Makes a team on a team server, with this computer as its first. The code is from whoever runs the server.
    Prints the recovery key, once. The code is accepted only by --input: {"setup-code": "…"}
team recover --server URL --team ID [--recovery-key KEY]
team recover --renew [--recovery-key KEY] [--yes]
    Joins with the printed recovery key, for a team whose admins lost their computers. --renew prints a new one and,
    once you type it from its page, makes it the team's; the old key can no longer admit computers.
    The key is accepted only by --input: {"recovery-key": "…"}
team follow-log [--recovery-key KEY] [--yes]
    Confirms the log of a server that went back to an earlier state, in which a removed member or one with a lower role
    acts. It is used once admins on two computers have confirmed it; a single admin confirms it with
    the recovery key, which is accepted only by --input: {"recovery-key": "…"}
team invite --email E --role admin|reviewer|reader [--recovery-key KEY]
    An invitation for one computer of one person, valid for 72 hours. While the team has one member, it needs the printed
    recovery key, to try it, by --input only: {"recovery-key": "…"}
team join [--invitation TEXT]
    Asks to join. The admin's computer answers when it lists who asked; then team sync prints the code for the admin. The
    invitation is accepted only by --input: {"invitation": "…"}
team joins
    Who asked to join, one a line, with the code to compare; null until their computer has answered.
team approve COMPUTER [--accept-other-key]
    Approves with the role of the invitation. --accept-other-key accepts another SSH key of an existing member.
team members
    The members of the team, one a line.
team role EMAIL --role admin|reviewer|reader
team undo-held
    Undoes acts on this computer that were not sent before its role became reader. team status counts them as held.
team revoke EMAIL|COMPUTER
    Ends a membership and renews the team key. That computer keeps the data it has.
team verify [FILE]
    Checks the log on the team's server from its first entry on, or an exported one: order, authors, members at the time,
    and signed content. Exit 1 if anything is changed or missing.
team export --out FILE --reason TEXT
    The team's log as JSON lines, with certificates, signatures, and content. It has names and notes.
    docs/team-server.md explains how to check it without Claimdesk.
team remove (--claims-before DATE | --member ID | --employer ID | --everything) --reason TEXT [--yes]
    Permanently removes records and reviews from every computer of the team, and reviews from its server; by an admin.
    Without --yes it only counts. Export first: this can’t be undone, not even from a backup or a file of reviews.
team removals
    What was removed for the team, by whom and why, and on which computers it is done, one a line.
team minimum-version [VERSION|any] [--yes]
    The version that computers need to send to the team, and which ones it leaves out. An admin changes it; --yes is
    needed if computers would be left out.
team settings [--two-people-above AMOUNT|none]
    The settings that all computers of the team share. An admin changes the two-person rule: whoever decided a claim can't
    record its payment above this amount.
team leave
    Leaves the team. Reviews stay on this computer.`,
  ],
  [
    async () => (await import('./commands/list.ts')).runShow,
    `show member|claim ID [--reason TEXT]
    One record, a member with dependents and claims. Needs a reason.`,
  ],
  [
    async () => (await import('./commands/family.ts')).runFamily,
    `family MEMBER [--plan-year YEAR] [--try FILE] [--reason TEXT]
    What a member's family has used in a plan year of its deductible, out-of-pocket maximum, and account by the plan
    rules, with its claims in the order of processing. Needs a reason. --try: what the plan rules in a file would change
    for the member's employer; nothing is saved.`,
  ],
  [
    async () => (await import('./commands/plan-rules.ts')).runPlanRules,
    `plan-rules [--employer ID] [--file FILE]
    The plan rules of an employer, or of all others; --file sets them, or removes them with null in the file:
    {"years": [{"from": "2026-01-01", "countsEarlier": false, "inNetwork": ["IN"], "outOfNetwork": ["OUT"],
    "deductible": {"inNetwork": {"alone": 2000, "person": 3400, "family": 4000}, "outOfNetwork": null,
    "outCountsIn": false, "inCountsOut": false, "types": null}, "drugDeductible": null, "outOfPocket": null,
    "account": {"per": "family", "layers": {"alone": [{"payer": "member", "amount": 900}, {"payer": "account",
    "amount": 1100}], "family": [{"payer": "member", "amount": 1800}, {"payer": "account", "amount": 2200}]},
    "limit": {"alone": null, "person": null, "family": null}, "carryOver": null}}]}
    Limits are per member alone, per person within a family, and per family.
    ${sayUnsupported()}`,
  ],
  [
    async () => (await import('./commands/rules.ts')).ruleCommands,
    `rules list
    The rules that propose and decide claims, in their order, one a line.
rules show ID
rules try [ID] [--filter F]… [--outcome OUTCOME] [--share P | --without PART…] [--cause TEXT]
  [--on-whom W --reason TEXT --days N] [--tag T | --owner O] [--employer ID|any] [--most AMOUNT]
    Compares a rule with the decisions of the last year, and shows what it would decide now. Changes nothing.
rules set [ID] [--name N] [--filter F]… [--outcome OUTCOME] [--share P | --without PART…] [--cause TEXT]
  [--on-whom W --reason TEXT --days N] [--tag T | --owner O] [--employer ID|any] [--most AMOUNT]
  [--claims-a-day N] [--dollars-a-day AMOUNT] [--second-look PERCENT]
    Makes a rule, or changes one; it then begins at watch. --filter as in list claims, on the columns whose values
    are stored with decisions. OUTCOME: eligible, partlyEligible, notEligible. --most: the maximum open amount of a
    claim, or any. Options that are left out do not change; --share, --without, --cause, --reason, and --days add to the
    act of the rule.
rules state ID off|watch|propose|do
    watch changes nothing; propose shows its claims in To decide; do decides after each complete sync, once
    rules try finds enough decisions that agree.
rules move ID up|down
    If a claim meets the conditions of several rules, the first one counts.
rules undo ID [--date DAY]
    Undoes what the rule decided on a day, or all that was not confirmed, changed, or paid since.
rules remove ID`,
  ],
  [
    async () => (await import('./commands/export.ts')).runExportCommand,
    `export members|dependents|claims|lines|claim-lines|payments --out FILE|-
  [--format ${tableFormats.join('|')}] [--preset NAME | --columns a,b,…] [--reason TEXT] [--quiet]
  [--search T] [--filter F]… [--sort field[:desc]]… [--active] [--missing] [--group-by FIELD]
  [--delimiter D] [--split N] [--sign]
    --sign writes FILE.sig, a signature by the workspace's SSH key
    --group-by: one row per group with exact sums instead
    --reason is required when columns identify people. claimdesk export --help explains all of it.
export changes [SYNC] --out FILE|- [--format ${tableFormats.join('|')}] [--columns a,b,…] [--reason TEXT]
  [--preset NAME] [--quiet] [--delimiter D] [--split N] [--sign]
    What a sync changed, one row per field.`,
  ],
  [
    async () => (await import('./commands/statement.ts')).runStatement,
    `statement ID… --out FILE|- [--reason TEXT] [--sign] [--quiet]
statement [--worklist NAME | --all] [--search T] [--filter F]… [--sort field[:desc]]… [--missing] --out FILE|-
  [--reason TEXT] [--split N] [--sign] [--quiet]
    Substantiation statements as one PDF, at least a page for each claim: the expense by the carrier's data, missing
    items, the decision, and the sync it comes from. In the order of the list, up to 10,000 claims in a file. If an ID isn't
    found, no file is written. Needs a reason. Select claims by IDs, a filter, a search, or a worklist, or all by --all.`,
  ],
  [
    async () => (await import('./commands/statement.ts')).runLetter,
    `letter ID… --kind ${letterKinds.join('|')} --out FILE [--text TEXT] [--reason TEXT] [--sign]
  [--quiet]
letter [--worklist NAME | --all] [--search T] [--filter F]… [--sort field[:desc]]… [--missing] --kind KIND --out FILE
  [--text TEXT] [--reason TEXT] [--split N] [--sign] [--quiet]
    A letter about each claim in one PDF, or with FILE.txt as text for mail, with the amounts of its decision. Each is
    recorded on its claim. --text: what is needed, why an amount is owed back, or the explanation to the carrier. The
    contact, the return address, and the plan's text are those that the app stores for the employer. Claims whose
    letter lacks a required part are left out and listed; if all are, no file is written.`,
  ],
  [
    async () => (await import('./commands/verify.ts')).runVerify,
    `verify FILE
    Checks whether the signature beside an export (FILE.sig) is valid and by which key, and whether this profile's
    audit log has the file's SHA-256. Exit 0 if one of the profile's keys or its log shows that the file is
    unchanged, 1 if the signature is of other content, 3 if it is unknown. Anyone else can check the signature:
    ssh-keygen -Y check-novalidate -n file -s FILE.sig < FILE`,
  ],
  [
    async () => (await import('./commands/audit.ts')).auditCommands,
    `audit list [--limit N] [--offset N]
    What was revealed, exported, copied, and done with keys.
audit verify [--file FILE]
    Detects changes to the audit log, or to an exported file, with this profile's key. Exit 1 if it isn't intact.
audit export --out FILE|-
    Every entry, oldest first, as JSON lines with the hash chain.
audit accept --yes
    After a restore or a loss: accepts the log as it is. The entry about this has the differences that were found.
audit target
    The server that your organization has entries sent to, its newest entry, and since when sending fails.
audit token --secret-stdin
    Stores the header Authorization for an https target, such as "Bearer …"; blank removes it.`,
  ],
  [
    async () => (await import('./commands/store.ts')).storeCommands,
    `store state
store check [--full]
store repair [--user-data] [--may-lose]
store clean
    The files on this computer: size, backups, checks. repair fixes what it can without data loss and lists
    what else would be lost; --may-lose repairs even if data is lost. --user-data repairs notes and the audit log.
    clean deletes the damaged files that repairs kept.`,
  ],
  [
    async () => (await import('./commands/data.ts')).dataCommands,
    `data remove (--claims-before DATE | --member ID | --workspace N | --everything) [--yes]
    Permanently removes records, backups included; without --yes it only lists what would be removed. A claim counts as older
    if its last day of service is; a member is removed with dependents, calls, and claims that belong to no one else.
data allow-again
    Syncs skip removed records; this allows them to sync again.
data take-over
    Frees a profile that another computer left open. Only when Claimdesk no longer runs there.`,
  ],
  [
    async () => (await import('./commands/backup.ts')).backupCommands,
    `backup
    Copies what you wrote here (reviews, documents, settings, audit log; no records and no SSH key) to the backup
    folder, sealed. Claimdesk does this daily by itself while it is open.
backup set DIR [--yes]
backup off
backup forget DIR
backup seal passphrase [--new-passphrase-fd N] [--yes]
backup seal recovery-code [--yes]
backup state
backup check [--full]
    The backup folder, and what opens the backups: the recovery code of this profile, or a separate passphrase.
    check reads the folder; --full reads every file in it.`,
  ],
  [
    async () => (await import('./commands/backup.ts')).runRestore,
    `restore DIR [--to DATE] [--code-fd N]
    Restores the newest backup in a folder, or the newest up to a date, into a new profile (--profile DIR). The recovery
    code or passphrase is asked for, or read from --code-fd N.`,
  ],
  [
    async () => (await import('./commands/unlock.ts')).runUnlock,
    `unlock set [--new-passphrase-fd N] [--yes]
unlock change [--new-passphrase-fd N]
unlock remove
unlock recovery-code
    The unlock passphrase of this profile (at least 12 characters), asked for on the terminal, or read from
    --passphrase-fd N (the one that is set) and --new-passphrase-fd N. set and recovery-code print a recovery
    code once: print it and keep it.
unlock recover [--code-fd N] [--new-passphrase-fd N]
    Opens the profile with the recovery code and sets a new passphrase.`,
  ],
  [
    async () => (await import('./commands/connect.ts')).connectCommands,
    `connect setup --public-token T [--secret-stdin] [--tenant-label L --tenant-key K]
  [--demo] [--legacy]
    The workspace's Connect integration. The secret key is read from stdin, up to the first newline.
connect mint [--email E]
    Verifies the secret key by requesting an access token, which is not printed.
connect employers
    The employers to choose from, with their IDs.
connect bootstrap --email E --first-name F --last-name L (--employer ID|NAME | --new-employer NAME)
  [--system-key K --vendor V] [--date-of-birth D] [--phone P] [--member-key K] [--plan] [--confirm WORD]…
    Adds a member, or matches an existing one; may be repeated. --employer is an existing employer; a new one is
    created only by --new-employer. K is the employer's ID in your benefits system (ask whoever set up the
    integration), V its vendor; both are stored, so each employer needs them once. It first prints what it
    will create; --plan only prints that. --confirm same-name | other-employer | unknown-key continues
    after that refusal (connect.employerExists, .memberElsewhere, .employerKeyUnknown).
connect payers --email E [--payer ID]
    Carriers, or one carrier with its form.
connect terms --email E
    HTML as received: sanitize it before showing it.
connect submit --email E --payer ID --username U --password-stdin --accept-terms
  [--field k=v | --field k:=JSON]… [--connection ID]
    Submits a carrier login, or updates a connection's login. --accept-terms: the member has read the terms
    and authorizes their tenant to receive their claims. The fields are those of the carrier's form (connect
    payers --payer ID), nested ones as outer.inner; if several are secret, stdin is a JSON object. Checked as in
    the window before anything is sent. If the carrier decides at once, prints the result: exit 0 if it accepted
    the login, 1 if not.
connect status ID [--email E]
connect watch ID [--email E]
connect method ID M [--email E]
connect code ID CODE [--email E]
connect code ID --code CODE [--email E]
    ID is the connection (policyHolderId) that submit prints. watch prints a line at each change, exit 0 if
    the carrier accepted the login; M is one of the carrier's own values. No answer sends the login again. If
    the result is still unknown after the longest wait, watch exits with 1: run it again to check again.
    It only reads the profile: what the service reports only once is stored by submit or the window, not by watch.
    A code is best given by --input.
connect fix [--email E] [--reason TEXT]
    Connections with problems and what to do, worst first. Needs a reason.
connect show ID [--reason TEXT]
    One connection, read again, with its claims and the carrier's reason. Needs a reason.
connect new-carrier ID
    The carrier that a migrating carrier's members move to. Submit the login there with its ID as --payer.
connect interop --email E [--payer ID --accept-terms]
    Sign-in on the carrier's own page (Patient Access): prints its address and waits; exit 0 if connected.`,
  ],
  [
    async () => (await import('./commands/team-server.ts')).runTeamServer,
    `team-server (--data DIR | --database URL) [--tls-cert FILE --tls-key FILE] [--port 8443] [--origin URL]
  [--password-file FILE] [--metrics-token-file FILE] [--size-limit GIGABYTES] [--documents-limit GIGABYTES]
    Runs the server through which the computers of a team exchange their work, in a folder or a PostgreSQL
    database (postgres://claimdesk_server@HOST/NAME; its password is in a file or in PGPASSWORD). Without a
    certificate it answers on this computer only, for a proxy. --origin is the address that the computers use.
    See docs/team-server.md.
team-server code (--data DIR | --database URL) [--password-file FILE]
    Prints a set-up code, with which an admin creates a team on the server: once, within 24 hours.
team-server migrate --database URL [--password-file FILE]
    Creates or updates the tables, as the owner of the database.`,
  ],
  [
    async () => (await import('./commands/demo.ts')).runDemo,
    `demo [--claims N] [--keep DIR]
    Full walkthrough on sample data: key, registration, sync, offline search, export. --keep keeps the profile and
    the file; the profile opens again with its passphrase, which is printed unless you choose one with --passphrase-fd.`,
  ],
];

/** The first words of a synopsis, up to its arguments and options. */
const wordsOf = (synopsis = ''): string =>
  /^[a-z][a-z-]*(?: [a-z][a-z-]*(?![^ \n]))*/.exec(synopsis)?.[0] ?? '';

/** Reads the commands of a group. Ways to call the same command follow each other. */
function readCommands(loadGroup: Load, commands: string): CommandEntry[] {
  const entries: { synopses: string[]; about?: string; load: CommandEntry['load'] }[] = [];
  for (const line of commands.split('\n')) {
    const last = entries.at(-1);
    const text = line.trimStart();
    if (last !== undefined && line.startsWith('    '))
      last.about = last.about === undefined ? text : `${last.about}\n${text}`;
    else if (last !== undefined && line.startsWith('  '))
      last.synopses.push(`${last.synopses.pop()}\n${text}`);
    else if (last !== undefined && wordsOf(last.synopses[0]) === wordsOf(text)) last.synopses.push(text);
    else {
      const [, ...verb] = wordsOf(text).split(' ');
      const load = async (): Promise<Runner> => {
        const loaded = await loadGroup();
        return typeof loaded === 'function' ? loaded : (loaded[verb.join(' ')] as Runner);
      };
      entries.push({ synopses: [text], load });
    }
  }
  return entries;
}

/** Every command, in the order of the help. */
export const commandTable: readonly CommandEntry[] = groups.flatMap(([load, commands]) =>
  readCommands(load, commands),
);
