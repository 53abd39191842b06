/** Wrong usage of the command line: exit 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

export const usage = `claimdesk: members and claims of your health plan, from the command line

  claimdesk sandbox [--port 0] [--members 2000] [--claims 20000] [--seed 1]
      Runs the sample service. The first line tells its address; SIGTERM ends it.
  claimdesk workspace add --base-url URL --email E [--name N]
  claimdesk workspace list | remove N
  claimdesk key generate [--type TYPE] [--name N]
      TYPE: ed25519 (default), rsa-3072, rsa-4096, ecdsa-256, ecdsa-384, ecdsa-521
  claimdesk key list | public ID | show ID | check ID | use ID | remove ID
  claimdesk key rename ID --name N
  claimdesk key import FILE [--passphrase-stdin] [--name N]
      OpenSSH, PKCS#1, PKCS#8, SEC1 or PuTTY. The passphrase is stdin up to the first newline or its end.
  claimdesk key backup ID --out FILE --passphrase-stdin
      An OpenSSH file under that passphrase, at least 8 characters.
  claimdesk key rotate [--type TYPE]
  claimdesk key rotate --answer registered|others-switched|old-deleted|keep-old|cancel
      Begins to replace the workspace's key, or goes on after a person did their part. Prints where it
      stands and what is next. Exit 0 where it is over or waits for a person, 1 where it could not go on.
  claimdesk key retire ID [--confirm-name NAME]
      Removes a key for good; the last working one only with its name.
  claimdesk doctor
      Says why the connection does not work and what to do. Exit 0 if there is nothing to put right.
  claimdesk sync
      Reads members and claims until two reads agree. Exit 0 only if that proves them complete.
      Where far fewer come than before it stops and asks: --accept-loss marks them, --decline-loss does not.
  claimdesk sync quick
      Reads what came since, where the service lists the newest first. Proves nothing.
  claimdesk sync member ID [--employer-key K] [--member-key K] [--vendor-tenant L] | connection ID
      Reads one member with the claims of its connections, or one connection's claims, anew.
  claimdesk sync status
      The last receipts, a question that waits for its answer, whether a quick refresh makes sense.
  claimdesk sync changes [RUN]
      What a sync changed: new, changed field by field, missing, confirmed gone, returned.
  claimdesk list members|dependents|claims|lines
      [--search T] [--filter F]… [--sort field[:desc]]… [--limit N] [--offset N] [--active]
      [--totals | --group-by FIELD]  count and exact sums, of all or of each group
      [--gone]  with what the service no longer returns
  claimdesk show member|claim ID
  claimdesk export members|dependents|claims|lines --out FILE
      [--columns a,b,…] [--search T] [--filter F]… [--sort field[:desc]]… [--active]
  claimdesk audit list [--limit N] [--offset N] | verify
      What was revealed, exported, copied and done with keys; verify finds what was altered.
  claimdesk store state | check [--full] | repair [--ours] [--may-lose] | clean
      The files on this computer: size, backups, checks. Repair does by itself what loses nothing and says
      what more would cost; --may-lose goes on all the same. --ours repairs notes and the audit log.
      clean removes the damaged files that repairs kept aside.
  claimdesk data remove --claims-before DATE | --member ID | --workspace N | --everything  [--yes]
      Removes for good, backups included; without --yes it only counts. A claim is older than a date if its
      last day of service is; a member goes with dependents and the claims that belong to nobody else.
  claimdesk data allow-again
      A sync leaves out what was removed so; this lets it bring back what the service still has.
  claimdesk connect setup --public-token T [--secret-stdin] [--tenant-label L --tenant-key K] [--demo] [--legacy]
      The workspace's Connect integration. The secret key is stdin up to the first newline or its end.
  claimdesk connect mint
      Proves the secret key: asks for an access token, which stays inside.
  claimdesk connect bootstrap --email E --first-name F --last-name L --system-key K --vendor V --employer-name N
      [--date-of-birth D] [--phone P] [--member-key K]   brings a member in; may be repeated
  claimdesk connect payers --email E [--payer ID]   the carriers, or one with its form
  claimdesk connect terms --email E                 HTML as it came: sanitise it before it is shown
  claimdesk connect submit --email E --payer ID --username U --password-stdin --accept-terms
      [--field k=v | --field k:=JSON]… [--connection ID]
      Submits a carrier login, or corrects that of a connection. --accept-terms: the member has read the terms
      and agrees that their tenant gets their claims.
  claimdesk connect status ID | watch ID | method ID M | code ID C   [--email E]
      ID is the connection (policyHolderId) that submit prints. watch prints a line at each change, exit 0 where
      the carrier took the login; M is one of the carrier's own words. No answer sends the login again.
  claimdesk connect fix [--email E]                 connections with what is wrong and what to do, worst first
  claimdesk connect interop --email E [--payer ID --accept-terms]
      A sign-in at the carrier's own page (Patient Access): prints its address and waits; exit 0 if connected.
  claimdesk demo [--claims N] [--keep DIR]
      The whole way on sample data: key, registration, sync, offline search, export.

Everywhere
  --profile DIR    the profile folder (or CLAIMDESK_PROFILE); else the desktop app's
  --workspace N    name or id; needed where there are several
  --json           one JSON object a line on stdout and nothing else
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
  --active leaves archived members out. claimdesk list --help explains all of it, with examples.

Exit: 0 done, 1 failed (code: message on stderr), 2 wrong usage.
Secrets lie in the system's keychain; with CLAIMDESK_VAULT_PASSPHRASE set, in the profile's vault.
`;
