/** Wrong usage of the command line: exit 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

export const usage = `claimdesk: your health plan's members and claims from the command line

Personal data: arguments are visible to everyone who uses this computer. Any options can come from a file or
from stdin instead, as one JSON object by their names:
  claimdesk connect bootstrap --input member.json     {"email": "…", "first-name": "…", "date-of-birth": "…"}
  claimdesk list members --input -                    {"filter": ["ssn=…"], "search": "…"}
  claimdesk connect submit --input login.json         {"email": "…", "field": {"member_id": "…"}, "secret": "…"}
  claimdesk connect code ID --input -                 {"code": "…"}
  secret is what the command reads from stdin otherwise (a password, a passphrase, a secret key).

  claimdesk sandbox [--port 0] [--members 2000] [--claims 20000] [--seed 1]
      Runs the sample service. The first line shows its URL; SIGTERM stops it.
  claimdesk workspace add --base-url URL --email E [--name N]
  claimdesk workspace list | remove N
  claimdesk workspace set N [--header H] [--scheme S]
      The header the sign-in token travels in and the word before it; Authorization and SSH-JWT unless the service
      wants others.
  claimdesk key generate [--type TYPE] [--name N]
      TYPE: ed25519 (default), rsa-3072, rsa-4096, ecdsa-256, ecdsa-384, ecdsa-521
  claimdesk key list | public ID | show ID | check ID [--yes] | use ID [--yes]
      A key belongs to the services it signs in to; another one is confirmed at the terminal, or with --yes.
  claimdesk key rename ID --name N
  claimdesk key import FILE [--passphrase-stdin] [--name N]
      OpenSSH, PKCS#1, PKCS#8, SEC1, or PuTTY. The passphrase is read from stdin, up to the first newline.
  claimdesk key backup ID --out FILE --passphrase-stdin [--yes]
      Saves an OpenSSH file encrypted with that passphrase (at least 8 characters). Confirmed at the terminal, or
      with --yes.
  claimdesk key rotate [--type TYPE]
  claimdesk key rotate --answer registered|others-switched|old-deleted|keep-old|cancel
      Starts or continues replacing the workspace's key. Prints the current step and what to do next.
      Exit 0 if it is finished or waiting for a person, 1 if it couldn't continue.
  claimdesk key retire ID [--confirm-name NAME]
      Permanently removes a key; the last working key only with its name.
  claimdesk doctor [--accept-clock [--yes]]
      Explains connection problems and what to do. Exit 0 if there are none. --accept-clock signs in by the
      service's clock for a day if it differs by more than ten minutes; confirmed at the terminal, or with --yes.
  claimdesk sync
      Reads members and claims until two reads match. Exit 0 only if the records are verified complete.
      If many records are missing, it stops and asks: --accept-loss marks them as no longer in the service,
      --decline-loss does not.
  claimdesk sync quick
      Fetches new records only. Does not verify completeness.
  claimdesk sync member ID [--employer-key K] [--member-key K] [--vendor-tenant L] | connection ID
      Refreshes one member with the claims of their connections, or one connection's claims.
  claimdesk sync status
      The latest receipts, any open question about missing records, and whether quick refresh is available.
  claimdesk sync changes [RUN]
      What a sync changed: new, changed (by field), missing, confirmed missing, returned.
  claimdesk list members|dependents|claims|lines [--input FILE|-]
      [--search T] [--filter F]… [--sort field[:desc]]… [--limit N] [--offset N] [--active]
      [--totals | --group-by FIELD]  count and exact sums, for all or by group
      [--missing]  includes records no longer in the service
      [--reason TEXT]  what the records are for, recorded in the audit log; your organization can require it
  claimdesk review worklist [NAME] [--limit N] [--reason TEXT]
      The counts of all worklists, or the claims of one in the order to work through them, one a line.
  claimdesk review list [--state STATE] [--limit N]
      Reviewed claims, or those of a state: todo, inReview, waiting, back, escalated, done, notSelected.
  claimdesk review set ID… --state STATE [--outcome O] [--on-whom W --reason R] [--reminder DATE]
  claimdesk review set ID… [--owner O] [--tag T]… [--untag T]… [--flag | --unflag] [--reminder DATE]
      done needs an outcome: eligible, partlyEligible, notEligible, noAction, duplicate, disputed.
      waiting and escalated need --on-whom and --reason.
  claimdesk review set ID --state done --outcome partlyEligible (--amount A | --line N=A…) [--cause TEXT]
  claimdesk review set ID… --state done --outcome partlyEligible (--without PART… | --share PERCENT) [--cause TEXT]
      How much is eligible: an amount; amounts of claim lines, counted from 1; all that the rules give but
      deductible, coinsurance, or copay; or a share of it. The rest is declined. Claims for which the rules give
      no amount are left out (notKnown). --cause, also with notEligible, says why: review causes lists the usual ones.
  claimdesk review note ID --input FILE|-           {"text": "…"}
  claimdesk review pay ID --amount A --date D [--kind reimbursed|matchedToCard|repaid|reversed] [--account T]
  claimdesk review pay --file FILE [--kind K] [--account T]
      A CSV file with the columns claim (ID or number), amount, and date; what doesn't match is listed.
  claimdesk review causes
      The reasons to decline that the workspace offers, one a line.
  claimdesk review history [ID] [--limit N] | undo EVENT
      Every entry, newest first; undo adds that an entry no longer counts.
  claimdesk review export --out FILE --passphrase-stdin
  claimdesk review import --file FILE --passphrase-stdin
      Reviews as one encrypted file (at least 12 characters). Import adds what isn't here yet; the newest entry
      decides.
  claimdesk show member|claim ID [--reason TEXT]
  claimdesk export members|dependents|claims|lines|claim-lines|payments --out FILE|- [--input FILE|-]
      [--format xlsx|excel-csv|csv] [--preset NAME | --columns a,b,…] [--reason TEXT] [--quiet]
      [--search T] [--filter F]… [--sort field[:desc]]… [--active] [--missing] [--delimiter D] [--split N]
      [--sign]  writes FILE.sig, a signature by the workspace's SSH key
      [--group-by FIELD]  one row per group with exact sums instead
      --reason is required when columns identify people. claimdesk export --help explains all of it.
  claimdesk export changes [RUN] --out FILE|-       what a sync changed, one row per field
  claimdesk verify FILE
      Says whether the signature beside an export (FILE.sig) is good and by which key, and whether this profile's
      audit log has the file's SHA-256. Exit 0 if one of the profile's keys or its log shows that the file is
      unchanged, 1 if the signature is of other content, 3 if neither can tell. Anyone else can check the signature:
      ssh-keygen -Y check-novalidate -n file -s FILE.sig < FILE
  claimdesk audit list [--limit N] [--offset N]
  claimdesk audit verify [--file FILE]
      Checks the audit log, or an exported file, with this profile's key. Exit 1 if it isn't intact.
  claimdesk audit export --out FILE|-
      Every entry, oldest first, as JSON lines with the hash chain.
  claimdesk audit accept --yes
      After a restore or a loss: accepts the log as it is, which is recorded with what was found.
      What was revealed, exported, copied, and done with keys; verify detects changes to the log.
  claimdesk store state | check [--full] | repair [--user-data] [--may-lose] | clean
      The files on this computer: size, backups, checks. repair fixes what it can without data loss and lists
      what else would be lost; --may-lose repairs even if data is lost. --user-data repairs notes and the audit log.
      clean deletes the damaged files that repairs kept.
  claimdesk data remove --claims-before DATE | --member ID | --workspace N | --everything  [--yes]
      Permanently removes records, backups included; without --yes it only counts them. A claim counts as older
      if its last day of service is; a member is removed with dependents and claims that belong to no one else.
  claimdesk data allow-again
      Syncs skip removed records; this allows them to sync again.
  claimdesk data take-over
      Frees a profile that another computer left open. Only when Claimdesk no longer runs there.
  claimdesk unlock set | change | remove | recovery-code
      The unlock passphrase of this profile (at least 12 characters), asked for on the terminal, or read from
      --passphrase-fd N (the one that is set) and --new-passphrase-fd N. set and recovery-code print a recovery
      code once: print it and keep it.
  claimdesk unlock recover [--code-fd N] [--new-passphrase-fd N]
      Opens the profile with the recovery code and sets a new passphrase.
  claimdesk connect setup --public-token T [--secret-stdin] [--tenant-label L --tenant-key K] [--demo] [--legacy]
      The workspace's Connect integration. The secret key is read from stdin, up to the first newline.
  claimdesk connect mint
      Verifies the secret key by requesting an access token, which is not printed.
  claimdesk connect employers                       the employers to choose from, with their IDs
  claimdesk connect bootstrap --input FILE|-
  claimdesk connect bootstrap --email E --first-name F --last-name L (--employer ID|NAME | --new-employer NAME)
      [--system-key K --vendor V] [--date-of-birth D] [--phone P] [--member-key K] [--plan] [--confirm WORD]…
      Adds a member, or matches an existing one; may be repeated. --employer takes a known employer; a new one is
      created with --new-employer alone. K is the employer's ID in your benefits system (ask whoever set up the
      integration), V its vendor; both are kept, so each employer needs them once. It says what it creates
      before it does; --plan does no more than that. --confirm same-name | other-employer | unknown-key goes
      ahead after that refusal (connect.employerExists, .memberElsewhere, .employerKeyUnknown).
  claimdesk connect payers --email E [--payer ID]   carriers, or one carrier with its form
  claimdesk connect terms --email E                 HTML as received: sanitize it before showing it
  claimdesk connect submit --input FILE|- --password-stdin --accept-terms
  claimdesk connect submit --email E --payer ID --username U --password-stdin --accept-terms
      [--field k=v | --field k:=JSON]… [--connection ID]
      Submits a carrier login, or updates a connection's login. --accept-terms: the member has read the terms
      and authorizes their tenant to receive their claims. The fields are those of the carrier's form (connect
      payers --payer ID), nested ones as outer.inner; if several are secret, stdin is a JSON object. Checked as in
      the window before anything is sent. If the carrier decides at once, prints the result: exit 0 if it accepted
      the login, 1 if not.
  claimdesk connect status ID | watch ID | method ID M | code ID --input FILE|-   [--email E]
      ID is the connection (policyHolderId) that submit prints. watch prints a line at each change, exit 0 if
      the carrier accepted the login; M is one of the carrier's own values. No answer sends the login again. If
      the result is still unknown after the longest wait, watch exits with 1: run it again to check again.
      It only reads the profile: what the service tells just once is kept by submit or the window, not by watch.
  claimdesk connect fix [--email E]                 connections with problems and what to do, worst first
  claimdesk connect show ID                         one connection, read again, with its claims and the carrier's reason
  claimdesk connect new-carrier ID
      The carrier that a migrating carrier's members move to. Submit the login there with its ID as --payer.
  claimdesk connect interop --email E [--payer ID --accept-terms]
      Sign-in on the carrier's own page (Patient Access): prints its address and waits; exit 0 if connected.
  claimdesk demo [--claims N] [--keep DIR]
      Full walkthrough on sample data: key, registration, sync, offline search, export.

Everywhere
  --input FILE|-   options as a JSON object, from a file or stdin
  --profile DIR    profile folder (or CLAIMDESK_PROFILE); default: the desktop app's
  --workspace N    name or ID; required if there are several
  --passphrase-fd N  reads the unlock passphrase from file descriptor N, up to the first newline
  --json           one JSON object per line on stdout and nothing else
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
CLAIMDESK_VAULT_PASSPHRASE works as well, but other programs of the same user can read it.
`;
