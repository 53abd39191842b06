import { type ErrorCode, errorTable } from '../../../contract/error-codes.ts';

/**
 * The next steps on the command line for errors whose next step in the window is about a page, a button or a dialog.
 */
const commandSteps: Partial<Record<ErrorCode, string>> = {
  'app.locked': 'Give the unlock passphrase: in a terminal when it is asked for, or with --passphrase-fd.',
  'app.unavailable': 'Name the file, or give the text on stdin.',
  'app.notConfirmed': 'Answer yes in a terminal, or add --yes.',
  'audit.unwritable': 'claimdesk store check --full',
  'disk.fault': 'Check the disk and its connection, then: claimdesk store check --full',
  'profile.unwritable':
    'Check the permissions of the folder and that the disk is not read-only, or name another folder with --profile DIR or the variable CLAIMDESK_PROFILE.',
  'backup.noFolder': 'claimdesk backup set DIR',
  'backup.notSealed': 'claimdesk unlock recovery-code, or claimdesk backup seal passphrase',
  'backup.damaged': 'Check the drive, then: claimdesk backup. To restore an earlier backup: --to DATE',
  'restore.notEmpty': 'Name an empty folder with --profile DIR.',
  'workspace.unknown': 'claimdesk workspace list, then --workspace NAME',
  'workspace.missing': 'claimdesk workspace add --base-url URL --email E',
  'workspace.ambiguous': 'claimdesk workspace list, then --workspace NAME',
  'keychain.missing': 'Start a keychain service, or set an unlock passphrase: claimdesk unlock set',
  'keychain.recoverable': 'claimdesk unlock recover, or restore the keychain.',
  'vault.passphraseNeeded': 'Enter the passphrase in a terminal, or give it with --passphrase-fd.',
  'key.unknown': 'claimdesk key list',
  'key.inUse': 'Use another key first: claimdesk key use ID',
  'key.nameNeeded': 'Name it to remove it: claimdesk key retire ID --confirm-name NAME',
  'key.passphraseNeeded': 'Give the passphrase of the key file with --passphrase-stdin.',
  'key.wrongPassphrase': 'Give the passphrase of the key file again, with --passphrase-stdin.',
  'sync.suddenLoss':
    'Ask the service whether they should be missing, then: claimdesk sync --accept-loss or --decline-loss',
  'sync.noLossQuestion': 'claimdesk sync',
  'store.damaged': 'claimdesk store repair',
  'store.empty': 'claimdesk sync',
  'review.needsSecond':
    'Leave it to a colleague. An admin changes the amount: claimdesk team settings --two-people-above AMOUNT',
  'run.unknown': 'claimdesk runs list',
  'run.marked': 'claimdesk runs leave-out RUN ID…, or accept the amounts with --with-changed.',
  'run.laterStep': 'claimdesk runs back RUN --reason TEXT',
  'run.noResult': 'Name one column Result. If all rows are paid, add --all-paid.',
  'review.beforeService': 'Check the day. If it is right, add --before-service.',
  'review.noSelection': 'claimdesk review list, then name the claims.',
  'review.notAFile': 'Name a file that was written by claimdesk review export.',
  'team.none': 'claimdesk team create --server URL, or claimdesk team join',
  'team.oldLog':
    'claimdesk team leave; an admin then creates a new team. Your reviews stay on this computer.',
  'team.otherKey':
    'Ask them on the phone whether they have a new SSH key. Only then: claimdesk team approve COMPUTER --accept-other-key',
  'team.otherService': 'Add a workspace of that service: claimdesk workspace add',
  'team.updateNeeded': 'Update Claimdesk. claimdesk team status says to which version.',
  'team.logContradicts':
    'Tell the team’s admins. Either IT restores the server from a newer backup, or admins on two computers run claimdesk team follow-log; a single admin does it with --recovery-key.',
  'desk.masked': 'Add --reveal to see names and IDs in full.',
  'record.unknown': 'claimdesk sync, or claimdesk list --search TEXT',
  'export.reasonMissing': 'Add --reason TEXT, or leave those columns out with --columns.',
  'export.targetMissing': 'Name a file in a folder that exists with --out.',
  'export.unwritable': 'Name a file in another folder with --out.',
  'export.noClaims': 'Name claims, or other filters.',
  'export.nothingChanged': 'claimdesk sync, or claimdesk export claims --out FILE',
  'export.unknownColumn': 'Name columns of this list; docs/export-columns.md has them.',
  'connect.notSetUp': 'claimdesk connect setup --public-token T',
  'connect.secretMissing': 'claimdesk connect setup --public-token T --secret-stdin',
  'connect.secretRefused':
    'claimdesk connect setup --public-token T --secret-stdin, exactly as the service issued both.',
  'connect.tenantNeeded': 'claimdesk connect setup with --tenant-label L --tenant-key K',
  'connect.memberMissing': 'Add --email E with the member’s email address.',
  'connect.employerUnknown':
    'claimdesk connect employers (sync first if it is empty), or --new-employer NAME',
  'connect.employerAmbiguous': 'claimdesk connect employers, then --employer ID',
  'connect.noPatientAccess': 'claimdesk connect submit --email E --payer ID',
  'policy.passphraseNeeded': 'claimdesk unlock set',
  'policy.reasonNeeded': 'Add --reason TEXT with what they are for, in a few words.',
};

/**
 * The one next step of an error on the command line: a command to type, if there is one.
 *
 * @example findCommandStep('store.empty') // 'claimdesk sync'
 */
export const findCommandStep = (code: ErrorCode): string => commandSteps[code] ?? errorTable[code].nextStep;
