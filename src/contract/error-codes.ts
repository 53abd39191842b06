/**
 * The closed union of error codes, each with its plain sentence and one next step.
 * `docs/errors.md` is made from this table. A code never changes its meaning once released.
 */
export const errorTable = {
  'usage.invalid': {
    message: 'The request is not one Claimdesk understands.',
    nextStep: 'Check what was entered and try again.',
  },
  'internal.fault': {
    message: 'Something inside Claimdesk went wrong.',
    nextStep: 'Try again; if it happens again, restart Claimdesk and report the code.',
  },
  'runtime.unsupported': {
    message: 'This version of Node.js is too old for Claimdesk.',
    nextStep: 'Install Node.js 24 or newer, or run `npm ci` again without --ignore-scripts.',
  },
  'app.locked': { message: 'Claimdesk is locked.', nextStep: 'Unlock Claimdesk and try again.' },
  'app.unavailable': {
    message: 'Claimdesk cannot do this in the way it was started.',
    nextStep: 'Use another way, such as pasting or dropping the file.',
  },
  'app.forbidden': {
    message: 'This caller is not allowed to do that.',
    nextStep: 'Close this window and open Claimdesk again.',
  },
  'profile.busy': {
    message: 'Another Claimdesk is working with this profile.',
    nextStep: 'Close the other one, or wait until it has finished.',
  },
  'profile.unwritable': {
    message: 'Claimdesk cannot write to its profile folder.',
    nextStep: 'Check the permissions of the folder and that the disk is not read-only.',
  },
  'profile.damaged': {
    message: 'A file of this profile cannot be read.',
    nextStep: 'Restore the profile folder from a backup, or set up the workspace again.',
  },
  'disk.full': {
    message: 'The disk is full. Nothing was half-written.',
    nextStep: 'Free some space and try again.',
  },
  'disk.readOnly': {
    message: 'The disk can only be read. Nothing was changed; what is here can still be looked at.',
    nextStep: 'Make the disk writable again, then restart Claimdesk.',
  },
  'disk.fault': {
    message: 'The disk could not be read or written.',
    nextStep: 'Check the disk and its connection; then let Claimdesk check its files.',
  },
  'workspace.unknown': {
    message: 'There is no such workspace.',
    nextStep: 'List the workspaces and choose one of them.',
  },
  'workspace.missing': {
    message: 'There is no workspace yet.',
    nextStep: 'Add a workspace with the address of the service and your account email.',
  },
  'workspace.ambiguous': {
    message: 'There are several workspaces.',
    nextStep: 'Say which one with --workspace.',
  },
  'workspace.duplicate': {
    message: 'A workspace for this address and email exists already.',
    nextStep: 'Use the existing workspace.',
  },
  'workspace.nameTaken': {
    message: 'Another workspace has this name already.',
    nextStep: 'Choose another name.',
  },
  'workspace.badUrl': {
    message: 'That is not a web address Claimdesk can use.',
    nextStep: 'Enter the address of the service, such as https://claims.example.com.',
  },
  'workspace.insecureUrl': {
    message: 'The address is not encrypted (http), and it is not on this computer.',
    nextStep: 'Use the https address of the service.',
  },
  'workspace.badEmail': {
    message: 'That is not an email address.',
    nextStep: 'Enter the email address of your account at the service.',
  },
  'keychain.missing': {
    message: 'No keychain is available on this computer, so secrets cannot be kept safely.',
    nextStep: 'Start a keychain service, or choose a vault passphrase (CLAIMDESK_VAULT_PASSPHRASE).',
  },
  'keychain.locked': {
    message: 'The keychain of this computer is locked.',
    nextStep: 'Unlock the keychain and try again. Nothing was lost.',
  },
  'keychain.dismissed': {
    message: 'The keychain did not let Claimdesk write.',
    nextStep: 'Answer the keychain’s question with yes and try again.',
  },
  'keychain.entryGone': {
    message: 'The entry that Claimdesk kept in the keychain is gone.',
    nextStep: 'Restore the keychain, or make a new key and register it; records are fetched again.',
  },
  'vault.wrongPassphrase': {
    message: 'The vault passphrase is not the right one.',
    nextStep: 'Enter the passphrase this vault was made with.',
  },
  'vault.damaged': {
    message: 'The vault file is damaged.',
    nextStep: 'Restore the vault file from a backup, or set up Claimdesk anew.',
  },
  'vault.weakPassphrase': {
    message: 'The vault passphrase is too short.',
    nextStep: 'Choose a passphrase of at least 8 characters.',
  },
  'vault.passphraseNeeded': {
    message: 'The secrets of this profile are in a vault, and its passphrase was not given.',
    nextStep: 'Unlock Claimdesk with the passphrase, or set CLAIMDESK_VAULT_PASSPHRASE.',
  },
  'key.unknown': { message: 'There is no such SSH key.', nextStep: 'List the keys and choose one of them.' },
  'key.missing': {
    message: 'This workspace has no SSH key yet.',
    nextStep: 'Make an SSH key and register it with the service.',
  },
  'key.damaged': {
    message: 'The stored SSH key is damaged.',
    nextStep: 'Make a new key and register it, or restore the profile from a backup.',
  },
  'key.inUse': {
    message: 'The SSH key signs for a workspace.',
    nextStep: 'Let the workspace use another key first.',
  },
  'key.typeUnsupported': {
    message: 'That type of SSH key is not supported.',
    nextStep: 'Use Ed25519, RSA with 3072 or 4096 bits, or ECDSA P-256, P-384 or P-521.',
  },
  'key.wrongPassphrase': {
    message: 'The passphrase of the key file is not the right one.',
    nextStep: 'Enter the passphrase the key file was made with.',
  },
  'key.passphraseNeeded': {
    message: 'The key file is protected by a passphrase.',
    nextStep: 'Enter the passphrase of the key file.',
  },
  'key.cipherUnsupported': {
    message: 'The key file is encrypted in a way Claimdesk cannot read.',
    nextStep: 'Write it anew with `ssh-keygen -p -f FILE` and import it again.',
  },
  'key.publicGiven': {
    message: 'That is a public key. Claimdesk needs the private one.',
    nextStep: 'Choose the file of the same name without .pub.',
  },
  'key.notAKey': {
    message: 'That is not an SSH key.',
    nextStep: 'Choose a private key file, or make a new key.',
  },
  'key.dsaRefused': {
    message: 'DSA keys are not accepted by the service.',
    nextStep: 'Make a new Ed25519 key.',
  },
  'key.curveUnsupported': {
    message: 'The service does not accept keys on this curve.',
    nextStep: 'Make a new Ed25519 key.',
  },
  'key.tooShort': {
    message: 'RSA keys under 2048 bits are not safe.',
    nextStep: 'Make a new Ed25519 key.',
  },
  'key.weakPassphrase': {
    message: 'The passphrase for the backup is too short.',
    nextStep: 'Choose a passphrase of at least 8 characters.',
  },
  'key.nameNeeded': {
    message: 'This is the last working key here. It goes only when its name is typed.',
    nextStep: 'Make sure that another key signs, or type the name of the key as it is shown.',
  },
  'key.fileUnreadable': {
    message: 'The key file cannot be opened.',
    nextStep: 'Check that the file is there and that you may read it.',
  },
  'key.clipboardEmpty': {
    message: 'There is no text on the clipboard.',
    nextStep: 'Copy the whole private key and try again.',
  },
  'key.sourceGone': {
    message: 'What was to be imported is no longer held.',
    nextStep: 'Choose the file again, or paste the key again.',
  },
  'key.backupUnproven': {
    message: 'The backup could not be read back. The file is not a backup of the key.',
    nextStep: 'Save it to another place.',
  },
  'key.rotationRunning': {
    message: 'The key of this workspace is being rotated already.',
    nextStep: 'Finish or cancel that rotation first.',
  },
  'key.rotationOutOfStep': {
    message: 'The rotation is not at this step.',
    nextStep: 'Look at where the rotation stands, and go on from there.',
  },
  'key.duplicate': {
    message: 'This key is here already.',
    nextStep: 'Use the key that is here.',
  },
  'service.unreachable': {
    message: 'The service cannot be reached.',
    nextStep: 'Check the network and the address; what was synced before stays readable.',
  },
  'service.nameUnknown': {
    message: 'The name of the service cannot be found.',
    nextStep: 'Check the address of the workspace and the network.',
  },
  'service.timeout': { message: 'The service did not answer in time.', nextStep: 'Try again in a moment.' },
  'service.tlsRefused': {
    message: 'The identity of the service could not be verified.',
    nextStep: 'Ask your IT department about the certificate; Claimdesk sends nothing meanwhile.',
  },
  'service.redirected': {
    message: 'The service sent Claimdesk to another address. It did not follow.',
    nextStep: 'Check the address of the workspace.',
  },
  'service.badRequest': {
    message: 'The service did not understand the request.',
    nextStep: 'Report the request id to the service’s support.',
  },
  'service.unauthorized': {
    message:
      'The service did not accept the signature. It does not say whether the key is not registered or the email is unknown.',
    nextStep: 'Check that the public key is registered and that the email is that of your account.',
  },
  'service.tokenExpired': {
    message: 'The service considers the token expired or not yet valid.',
    nextStep: 'Check the clock of this computer and try again.',
  },
  'service.forbidden': {
    message: 'The service does not permit this to your account.',
    nextStep: 'Ask the service whether your network address or your account is allowed.',
  },
  'service.notFound': {
    message: 'The service does not know this record or address.',
    nextStep: 'Check the address of the workspace, or sync again.',
  },
  'service.unprocessable': {
    message: 'The service refused the request as not valid.',
    nextStep: 'Check what was entered; report the request id if it looks right.',
  },
  'service.rateLimited': {
    message: 'The service asks for fewer requests.',
    nextStep: 'Wait a few minutes and try again.',
  },
  'service.fault': {
    message: 'The service has a fault.',
    nextStep: 'Try again later; report the request id if it stays.',
  },
  'service.badReply': {
    message: 'The service’s reply is not what it should be.',
    nextStep: 'Try again; report the request id if it stays.',
  },
  'service.replyTooLarge': {
    message: 'The service’s reply is larger than Claimdesk accepts.',
    nextStep: 'Report the request id to the service’s support.',
  },
  'service.connectionLost': {
    message: 'The connection broke while the service was answering.',
    nextStep: 'Try again; the sync goes on where it was.',
  },
  'sync.canceled': {
    message: 'The sync was canceled. What had come is kept.',
    nextStep: 'Start the sync again; it goes on where it was.',
  },
  'sync.running': { message: 'A sync is running already.', nextStep: 'Wait until it has finished.' },
  'sync.notProven': {
    message: 'The records kept changing while they were read, so completeness is not proven.',
    nextStep: 'Sync again at a quieter time; what had come is usable.',
  },
  'sync.endless': {
    message: 'The service’s list has no end.',
    nextStep: 'Report this to the service’s support; what had come is kept.',
  },
  'sync.suddenLoss': {
    message: 'The service returns far fewer records than before. Nothing was removed here.',
    nextStep: 'Ask the service whether this is right; then accept the loss, or decline it and sync again.',
  },
  'sync.noLossQuestion': {
    message: 'No sync is waiting for an answer about vanished records.',
    nextStep: 'Sync again; if records are still missing, you are asked.',
  },
  'sync.quickUnavailable': {
    message: 'A quick refresh would not find what is new in this service’s lists.',
    nextStep: 'Run a full sync.',
  },
  'sync.placeUnknown': {
    message: 'Claimdesk does not know where the service keeps this.',
    nextStep: 'Run a full sync, or give the missing key of the employer or member.',
  },
  'store.wrongKey': {
    message: 'The records cannot be opened with the key in the keychain.',
    nextStep: 'Restore the keychain entry, or remove the workspace and sync again.',
  },
  'store.damaged': {
    message: 'A file of this computer’s records is damaged.',
    nextStep: 'Repair it: Settings, Data on this computer, or `claimdesk store repair`.',
  },
  'store.busy': {
    message: 'The records are being checked or rewritten.',
    nextStep: 'Wait until that has finished.',
  },
  'store.newer': {
    message: 'The records were written by a newer Claimdesk.',
    nextStep: 'Install the newest Claimdesk.',
  },
  'store.empty': {
    message: 'Nothing has been synced into this workspace yet.',
    nextStep: 'Sync once; after that the records are here, with or without the network.',
  },
  'store.unreadable': {
    message: 'The file of the records cannot be opened.',
    nextStep: 'Check the permissions of the profile folder.',
  },
  'data.notConfirmed': {
    message: 'What was typed is not what confirms this. Nothing was removed.',
    nextStep: 'Type exactly what is asked for.',
  },
  'note.unknown': {
    message: 'There is no such note or view.',
    nextStep: 'List them and choose one of them.',
  },
  'record.unknown': {
    message: 'There is no such record on this computer.',
    nextStep: 'Sync, or search for another record.',
  },
  'desk.masked': {
    message: 'Desk mode masks this.',
    nextStep: 'Switch desk mode off to see or change it.',
  },
  'query.invalid': {
    message: 'The search is not one Claimdesk understands.',
    nextStep: 'Check the names of the columns and the values.',
  },
  'snapshot.gone': {
    message: 'The list was closed meanwhile.',
    nextStep: 'Open the list again.',
  },
  'copy.tooMany': {
    message: 'More rows are selected than can be copied at once.',
    nextStep: 'Copy 10,000 rows at most, or export the list as a file.',
  },
  'view.notAFile': {
    message: 'The file is not a view of Claimdesk.',
    nextStep: 'Choose a file that was exported from Claimdesk’s saved views.',
  },
  'export.targetMissing': {
    message: 'The folder to export to does not exist.',
    nextStep: 'Choose another folder.',
  },
  'export.targetBusy': {
    message: 'The file is open in another program. The old file is untouched.',
    nextStep: 'Close it there, or choose another name.',
  },
  'export.unwritable': {
    message: 'Claimdesk may not write there.',
    nextStep: 'Choose another folder.',
  },
  'export.canceled': {
    message: 'The export was canceled. No file was left behind.',
    nextStep: 'Export again.',
  },
  'export.unknownColumn': {
    message: 'One of the columns does not exist.',
    nextStep: 'Choose among the columns of this list.',
  },
  'sandbox.failed': {
    message: 'The sample service did not start.',
    nextStep: 'Try again; if it stays, reinstall Claimdesk.',
  },
  'connect.notSetUp': {
    message: 'Connect is not set up in this workspace.',
    nextStep: 'Enter the public Connect token in the workspace’s integration settings.',
  },
  'connect.secretMissing': {
    message: 'This needs the secret key of the Connect integration, and none is kept here.',
    nextStep: 'Enter the secret key in the workspace’s integration settings.',
  },
  'connect.secretRefused': {
    message: 'The service does not accept the secret key together with the public token.',
    nextStep: 'Enter both anew, as the service issued them.',
  },
  'connect.accessTokenRefused': {
    message: 'The service does not accept the access token, although it is new.',
    nextStep: 'Check the secret key and the public token; report the request id if they are right.',
  },
  'connect.badRequest': {
    message: 'Connect did not understand the request.',
    nextStep: 'Check the integration settings, the names of the headers above all.',
  },
  'connect.tenantNeeded': {
    message: 'The public token spans several tenants, and none was named.',
    nextStep: 'Enter the tenant’s label and key in the integration settings.',
  },
  'connect.tokenInactive': {
    message: 'The public Connect token is not active.',
    nextStep: 'Check the token in the integration settings, or ask the service to activate it.',
  },
  'connect.memberMissing': {
    message: 'The request named no member.',
    nextStep: 'Choose a member, or enter their email address.',
  },
  'connect.memberUnknown': {
    message: 'This integration does not know the member.',
    nextStep: 'Bring the member in first; the email must be the one they were brought in with.',
  },
  'connect.termsNotAccepted': {
    message: 'The member has not accepted the terms of use.',
    nextStep: 'Show the member the terms, and submit again with both consents.',
  },
  'connect.originRefused': {
    message: 'The service refuses where the request seems to come from.',
    nextStep: 'Claimdesk names no origin: look for a proxy that adds one, or ask the service.',
  },
  'connect.usernameTaken': {
    message: 'Another connection has this username already.',
    nextStep: 'Correct that connection, or enter the other username of this member.',
  },
  'connect.forbidden': {
    message: 'Connect does not permit this.',
    nextStep:
      'Check the member’s email, the consents and the tenant; report the request id if they are right.',
  },
  'connect.notFound': {
    message: 'Connect does not know this member’s employer, carrier or connection.',
    nextStep: 'Bring the member in again, and choose from what is then shown.',
  },
  'connect.invalid': {
    message: 'Connect refused what was entered.',
    nextStep: 'Correct the fields that are named and submit again.',
  },
  'connect.submitUncertain': {
    message: 'It is not known whether the service received the login.',
    nextStep: 'Look at the member’s connections before it is submitted again.',
  },
  'connect.submitRunning': {
    message: 'A login of this member at this carrier is being submitted already.',
    nextStep: 'Wait until it has been; it is not sent twice.',
  },
  'connect.notAsked': {
    message: 'The carrier does not wait for this now.',
    nextStep: 'Look at where the validation stands.',
  },
  'connect.validationUnknown': {
    message: 'No validation of this connection is known.',
    nextStep: 'Look at the member’s connections, or submit the login.',
  },
  'connect.noPatientAccess': {
    message: 'No sign-in at a carrier’s page was begun for this member.',
    nextStep: 'Choose the carrier and begin one.',
  },
  'connect.badCarrierUrl': {
    message: 'The address of the carrier’s page is not one that Claimdesk opens.',
    nextStep: 'Report the request id to the service’s support.',
  },
  'audit.broken': {
    message: 'The audit log was altered, or entries were taken out of it.',
    nextStep: 'Keep the profile folder as it is and tell whoever looks after compliance.',
  },
  'engine.gone': {
    message: 'The part that keeps the records has ended.',
    nextStep: 'Unlock or restart Claimdesk; what was synced is kept.',
  },
} as const satisfies Record<string, { message: string; nextStep: string }>;

export type ErrorCode = keyof typeof errorTable;

/** All codes, for schemas and for the page in the docs. */
export const errorCodes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]];
