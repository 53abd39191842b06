import { engineStopped } from './pending-calls.ts';

/**
 * Every error code, with one sentence and one next step. `docs/errors.md` is generated from this table. A code never
 * changes its meaning once released.
 */
export const errorTable = {
  'usage.invalid': {
    message: 'Claimdesk couldn’t process that request.',
    nextStep: 'Check what was entered and try again.',
  },
  'internal.fault': {
    message: 'Something inside Claimdesk went wrong.',
    nextStep: 'Try again. If it happens again, restart Claimdesk and send the code to support.',
  },
  'runtime.unsupported': {
    message: 'This version of Node.js is too old for Claimdesk.',
    nextStep: 'Install Node 24, or run `npm ci` again without --omit=optional.',
  },
  'app.locked': { message: 'Claimdesk is locked.', nextStep: 'Unlock Claimdesk and try again.' },
  'app.unavailable': {
    message: 'This isn’t available in the browser window or on the command line.',
    nextStep: 'Paste or drop the file instead.',
  },
  'app.forbidden': {
    message: 'This window isn’t allowed to do that.',
    nextStep: 'Close this window and open Claimdesk again.',
  },
  'app.notConfirmed': {
    message: 'This wasn’t confirmed, so nothing was changed.',
    nextStep: 'Try again and confirm.',
  },
  'audit.unwritable': {
    message: 'This couldn’t be recorded in the audit log, so it wasn’t done.',
    nextStep: 'Run a check under Settings, Data, then try again.',
  },
  'profile.busy': {
    message: 'Claimdesk is already open in another window.',
    nextStep: 'Close the other window, or wait until it finishes.',
  },
  'profile.heldElsewhere': {
    message: 'Another computer has this profile open.',
    nextStep:
      'Close Claimdesk on that computer. If it is off or no longer exists, run `claimdesk data take-over`.',
  },
  'profile.noHome': {
    message: 'This computer account has no home folder, so there is no place for the profile.',
    nextStep: 'Name a folder with --profile DIR or the variable CLAIMDESK_PROFILE.',
  },
  'profile.notFolder': {
    message: 'There is a file where the profile folder should be.',
    nextStep: 'Name another folder with --profile DIR, or move the file.',
  },
  'profile.unwritable': {
    message: 'Claimdesk cannot write to its profile folder.',
    nextStep: 'Check the permissions of the folder and that the disk is not read-only.',
  },
  'profile.damaged': {
    message: 'A file in your Claimdesk profile can’t be read.',
    nextStep: 'Restore the profile folder from a backup, or set up the workspace again.',
  },
  'disk.full': {
    message: 'The disk is full, and no incomplete file was left behind.',
    nextStep: 'Free some space and try again.',
  },
  'disk.readOnly': {
    message: 'The disk is read-only, so nothing was changed.',
    nextStep:
      'Make the disk writable and restart Claimdesk, name another folder with --profile DIR, or copy the profile folder to another disk and open the copy with --profile. No records are listed without an audit entry.',
  },
  'disk.fault': {
    message: 'Claimdesk couldn’t read from or write to the disk.',
    nextStep: 'Check the disk and its connection, then run a check under Settings, Data.',
  },
  'workspace.unknown': {
    message: 'This workspace doesn’t exist.',
    nextStep: 'Choose one of your workspaces.',
  },
  'workspace.missing': {
    message: 'There is no workspace yet.',
    nextStep: 'Add a workspace with the service URL and your account email.',
  },
  'workspace.ambiguous': {
    message: 'There are several workspaces.',
    nextStep: 'Choose one of your workspaces.',
  },
  'workspace.duplicate': {
    message: 'A workspace with this URL and email already exists.',
    nextStep: 'Use the existing workspace.',
  },
  'workspace.nameTaken': {
    message: 'Another workspace already has this name.',
    nextStep: 'Choose another name.',
  },
  'workspace.badUrl': {
    message: 'Claimdesk can’t use this service URL.',
    nextStep: 'Enter the service URL, for example https://claims.example.com.',
  },
  'workspace.insecureUrl': {
    message: 'This service URL isn’t encrypted (http).',
    nextStep: 'Use the service URL that begins with https.',
  },
  'workspace.badEmail': {
    message: 'This isn’t a valid email address.',
    nextStep: 'Enter the email you use to sign in to the service.',
  },
  'keychain.missing': {
    message: 'This computer has no keychain, so Claimdesk can’t store secrets safely.',
    nextStep: 'Start a keychain service, or choose an unlock passphrase.',
  },
  'keychain.locked': {
    message: 'This computer’s keychain is locked.',
    nextStep: 'Unlock the keychain and try again.',
  },
  'keychain.dismissed': {
    message: 'Keychain access was denied.',
    nextStep: 'Click Allow when the keychain asks, then try again.',
  },
  'keychain.entryMissing': {
    message:
      'The keychain entry that opens this profile is missing. Without it, notes and SSH keys are lost.',
    nextStep: 'Restore the keychain. If you can’t, delete the profile folder and set up again.',
  },
  'keychain.recoverable': {
    message: 'The keychain entry that opens this profile is missing.',
    nextStep: 'Lock Claimdesk and use your recovery code, or restore the keychain.',
  },
  'vault.wrongPassphrase': {
    message: 'The passphrase is incorrect.',
    nextStep: 'Check Caps Lock and the keyboard layout, and enter your unlock passphrase again.',
  },
  'vault.damaged': {
    message: 'The file that holds this profile’s keys is damaged.',
    nextStep:
      'Restore secrets.json from a backup of the profile, or delete the profile folder and set up again.',
  },
  'vault.weakPassphrase': {
    message: 'The passphrase is too short.',
    nextStep: 'Choose a passphrase of at least 12 characters.',
  },
  'vault.passphraseNeeded': {
    message: 'This profile needs its unlock passphrase.',
    nextStep: 'Enter the passphrase.',
  },
  'unlock.badCode': {
    message: 'This isn’t a complete recovery code.',
    nextStep: 'Check it against your printout: eight groups of four characters.',
  },
  'unlock.wrongCode': {
    message: 'The recovery code doesn’t open this profile.',
    nextStep: 'Use the code that was made last, or enter your unlock passphrase.',
  },
  'unlock.tooManyTries': {
    message: 'Too many wrong tries.',
    nextStep: 'Wait up to a minute, then try again.',
  },
  'key.otherService': {
    message: 'This SSH key belongs to another service.',
    nextStep: 'Make a new key for this service.',
  },
  'key.unknown': { message: 'This SSH key doesn’t exist.', nextStep: 'Choose one of your keys.' },
  'key.missing': {
    message: 'This workspace has no SSH key yet.',
    nextStep: 'Make an SSH key and register it with the service.',
  },
  'key.damaged': {
    message: 'The stored SSH key is damaged.',
    nextStep: 'Make a new key and register it, or restore the profile from a backup.',
  },
  'key.inUse': {
    message: 'A workspace uses this SSH key.',
    nextStep: 'Choose another key for the workspace first.',
  },
  'key.typeUnsupported': {
    message: 'This type of SSH key isn’t supported.',
    nextStep: 'Use Ed25519, RSA with 3072 or 4096 bits, or ECDSA P-256, P-384 or P-521.',
  },
  'key.backupInProfile': {
    message: 'The backup of a key can’t be saved in Claimdesk’s own folder: it would be lost with it.',
    nextStep: 'Choose a folder elsewhere, such as Documents or a USB drive.',
  },
  'key.wrongPassphrase': {
    message: 'The key file’s passphrase is incorrect.',
    nextStep: 'Enter the passphrase of the key file again.',
  },
  'key.passphraseNeeded': {
    message: 'The key file is protected by a passphrase.',
    nextStep: 'Enter the passphrase of the key file.',
  },
  'key.cipherUnsupported': {
    message: 'Claimdesk can’t read this key file’s encryption.',
    nextStep: 'Rewrite it with `ssh-keygen -p -f FILE` and import it again.',
  },
  'key.publicGiven': {
    message: 'This is a public key, and Claimdesk needs the private key.',
    nextStep: 'Choose the file with the same name without .pub.',
  },
  'key.notAKey': {
    message: 'This isn’t an SSH key.',
    nextStep: 'Choose a private key file, or make a new key.',
  },
  'key.dsaRefused': {
    message: 'The service doesn’t accept DSA keys.',
    nextStep: 'Make a new Ed25519 key.',
  },
  'key.curveUnsupported': {
    message: 'The service doesn’t accept keys on this curve.',
    nextStep: 'Make a new Ed25519 key.',
  },
  'key.tooShort': {
    message: 'RSA keys under 2048 bits are not safe.',
    nextStep: 'Make a new Ed25519 key.',
  },
  'key.weakPassphrase': {
    message: 'The backup passphrase is too short.',
    nextStep: 'Choose a passphrase of at least 12 characters.',
  },
  'key.nameNeeded': {
    message: 'This is your last working key.',
    nextStep: 'Type its name to remove it, or set up another key first.',
  },
  'key.fileUnreadable': {
    message: 'The key file can’t be opened.',
    nextStep: 'Check that the file exists and that you have permission to read it.',
  },
  'key.clipboardEmpty': {
    message: 'The clipboard has no text.',
    nextStep: 'Copy the whole private key and try again.',
  },
  'key.sourceMissing': {
    message: 'The file or key to import is no longer available.',
    nextStep: 'Choose the file or paste the key again.',
  },
  'key.backupUnproven': {
    message: 'The backup couldn’t be verified, so don’t rely on that file.',
    nextStep: 'Save the backup to another folder.',
  },
  'key.rotationRunning': {
    message: 'This workspace’s key is already being rotated.',
    nextStep: 'Finish or cancel that rotation first.',
  },
  'key.rotationOutOfStep': {
    message: 'The rotation is at another step.',
    nextStep: 'View the rotation and continue from its current step.',
  },
  'key.duplicate': {
    message: 'This key is already on this computer.',
    nextStep: 'Use the existing key.',
  },
  'service.unreachable': {
    message: 'Can’t reach the claims service.',
    nextStep: 'Check your network and the service URL. Synced records remain available.',
  },
  'service.nameUnknown': {
    message: 'The server name in the service URL can’t be found.',
    nextStep: 'Check the workspace’s service URL and your network.',
  },
  'service.timeout': { message: 'The service didn’t respond in time.', nextStep: 'Try again in a moment.' },
  'service.certificateAhead': {
    message:
      'By this computer’s clock, the certificate of the service isn’t valid yet, so the clock is probably behind.',
    nextStep: 'Set this computer’s date and time to automatic, then try again.',
  },
  'service.tlsRefused': {
    message: 'The service’s identity couldn’t be verified.',
    nextStep: 'Ask your IT department about the certificate. Claimdesk sends nothing until it is valid.',
  },
  'service.redirected': {
    message: 'The service redirected to another address, and Claimdesk didn’t follow.',
    nextStep: 'Check the address of the workspace.',
  },
  'service.proxyLogin': {
    message: 'The proxy requires a username and password.',
    nextStep: 'Ask your IT department how to sign in to the proxy, or to bypass it for this address.',
  },
  'service.networkSignIn': {
    message: 'This network wants you to sign in before it lets requests through.',
    nextStep: 'Open any website in a browser, sign in to the network, and try again.',
  },
  'service.webPage': {
    message: 'A web page was received instead of data, so something on the network answered for the service.',
    nextStep:
      'Open the address in a browser and sign in to the network if it asks. Otherwise, ask your IT department about the proxy.',
  },
  'service.badRequest': {
    message: 'The service couldn’t read the request.',
    nextStep: 'Send the request ID to the service’s support.',
  },
  'service.unauthorized': {
    message:
      'The service didn’t accept your key: either the key isn’t registered yet, or the account email is wrong.',
    nextStep: 'Check that the public key is registered and that the account email is right.',
  },
  'service.clockSkew': {
    message: 'The service’s clock is more than ten minutes off this computer’s, so nothing was signed by it.',
    nextStep:
      'Set this computer’s date and time to automatic. If that doesn’t help, run the connection check.',
  },
  'service.tokenExpired': {
    message: 'The service says the sign-in token is expired or not valid yet.',
    nextStep: 'Check this computer’s clock and try again.',
  },
  'service.forbidden': {
    message: 'Your account doesn’t have permission to do this.',
    nextStep: 'Ask the service’s support whether your account and network address are allowed.',
  },
  'service.notFound': {
    message: 'The service has no such record or address.',
    nextStep: 'Check the workspace’s service URL, or sync again.',
  },
  'service.unprocessable': {
    message: 'The service rejected the request as invalid.',
    nextStep: 'Check what was entered. If it is right, send the request ID to support.',
  },
  'service.rateLimited': {
    message: 'Too many requests were sent to the service.',
    nextStep: 'Try again in a few minutes.',
  },
  'service.fault': {
    message: 'The service had an error.',
    nextStep: 'Try again later. If the problem continues, send the request ID to support.',
  },
  'service.badReply': {
    message: 'Claimdesk couldn’t read the service’s response.',
    nextStep: 'Try again. If the problem continues, send the request ID to support.',
  },
  'service.replyTooLarge': {
    message: 'The service’s response is too large.',
    nextStep: 'Send the request ID to the service’s support.',
  },
  'service.connectionLost': {
    message: 'The connection was lost while the service was responding.',
    nextStep: 'Try again. A sync resumes where it stopped.',
  },
  'sync.canceled': {
    message: 'The sync was canceled. Records received so far were kept.',
    nextStep: 'Start the sync again. It resumes where it stopped.',
  },
  'sync.running': { message: 'A sync is already running.', nextStep: 'Wait until it finishes.' },
  'sync.notProven': {
    message: 'Records changed during the sync, so we couldn’t verify that it’s complete.',
    nextStep: 'Sync again at a quieter time. You can use the records received so far.',
  },
  'sync.endless': {
    message: 'The service’s list doesn’t end.',
    nextStep: 'Report this to the service’s support. Records received so far were kept.',
  },
  'sync.lowDisk': {
    message: 'The sync stopped because the disk has less than 1 GB left. Records received so far were kept.',
    nextStep:
      'Free some space and sync again: it resumes where it stopped. If the service sends more records than it should have, report this to its support.',
  },
  'sync.suddenLoss': {
    message: 'Many records are missing from this sync, and nothing was removed here.',
    nextStep: 'Ask the service whether they should be missing, then answer the question on the Sync page.',
  },
  'sync.noLossQuestion': {
    message: 'No sync is waiting for an answer about missing records.',
    nextStep: 'Sync again. If records are still missing, Claimdesk asks you.',
  },
  'sync.quickUnavailable': {
    message: 'Quick refresh isn’t available for this service.',
    nextStep: 'Run a full sync.',
  },
  'sync.placeUnknown': {
    message: 'Claimdesk doesn’t have the employer or member ID needed to request this.',
    nextStep: 'Run a full sync, or enter the missing employer or member ID.',
  },
  'store.wrongKey': {
    message: 'The records can’t be opened with the key in the keychain.',
    nextStep: 'Restore the keychain entry, or remove the workspace and sync again.',
  },
  'store.damaged': {
    message: 'A records file on this computer is damaged.',
    nextStep: 'Repair it under Settings, Data.',
  },
  'store.busy': {
    message: 'The records are being checked or rewritten.',
    nextStep: 'Wait until that finishes.',
  },
  'store.newer': {
    message: 'The records were saved by a newer version of Claimdesk.',
    nextStep: 'Install the latest version of Claimdesk.',
  },
  'store.older': {
    message: 'The records were saved by an older version of Claimdesk and aren’t updated yet.',
    nextStep: 'Open Claimdesk once, or wait until an open window finishes the update.',
  },
  'facts.behind': {
    message: 'Amounts and worklists are still being computed from the newest claims and decisions.',
    nextStep: 'Try again in a minute. If it stays, close other windows of Claimdesk.',
  },
  'store.empty': {
    message: 'Nothing has been synced into this workspace yet.',
    nextStep: 'Sync once; after that everything works offline.',
  },
  'store.unreadable': {
    message: 'The records file can’t be opened.',
    nextStep: 'Check the permissions of the profile folder.',
  },
  'data.notConfirmed': {
    message: 'The confirmation doesn’t match, so nothing was removed.',
    nextStep: 'Type the confirmation exactly as shown.',
  },
  'data.noSpace': {
    message: 'The disk has too little space to remove these records, so nothing was changed.',
    nextStep:
      'The other records are written again first: free as much space as all of them take. Removing the whole workspace needs no space.',
  },
  'note.unknown': {
    message: 'This note or view doesn’t exist.',
    nextStep: 'Choose an existing note or view.',
  },
  'review.incomplete': {
    message: 'Something is missing from this review.',
    nextStep:
      'Done needs an outcome, and partly eligible how much. Waiting and escalated need whom it waits for and a reason. Disagreeing needs a reason.',
  },
  'review.notToCheck': {
    message: 'You can’t check this review.',
    nextStep: 'A claim is checked while it is done, by someone other than its reviewer.',
  },
  'review.needsSecond': {
    message: 'For this amount your team requires two people: one decides, another records the payment.',
    nextStep: 'Leave it to a colleague. Admins change the amount in Settings, Team.',
  },
  'run.unknown': {
    message: 'This run doesn’t exist, or was taken back.',
    nextStep: 'Open Runs again.',
  },
  'run.wrongStep': {
    message: 'The run has no claims at this step.',
    nextStep: 'Open the run again: it goes from made over sent to recorded.',
  },
  'run.marked': {
    message: 'Claims of this run changed since it was made: {claims}.',
    nextStep: 'Leave them out, or accept their amounts in the run.',
  },
  'run.laterStep': {
    message: 'A later step of the run depends on this one.',
    nextStep: 'Undo the later step first, on the page of the run.',
  },
  'run.ownCheck': {
    message: 'In a team, somebody else than the person who made a run checks it.',
    nextStep: 'Ask a colleague to open the run and check it.',
  },
  'run.badResults': {
    message: 'This file has no column with the claim or the member.',
    nextStep: 'Name one column Claim or Member ID, and where there are any Amount, Result and Reason.',
  },
  'run.noResult': {
    message: 'This file has no column that says which of its {rows} rows are paid.',
    nextStep: 'Name one column Result. If all rows are paid, say so.',
  },
  'run.empty': {
    message: 'None of these claims can be put into a run.',
    nextStep: 'Choose claims that are decided, with an amount open, and in no other run.',
  },
  'review.amountForMany': {
    message: 'An amount is for one claim only.',
    nextStep: 'Choose all but some parts, or a share. Or review these claims one by one.',
  },
  'review.amountTooLarge': {
    message: 'This is more than the rules let be reimbursed of the claim.',
    nextStep:
      'Enter an amount from zero up to what the rules give or, where that isn’t known, patient responsibility.',
  },
  'review.moreThanOwed': {
    message: 'This is more than is owed back of the claim.',
    nextStep:
      'Enter at most what is owed back. A claim of which nothing is owed has nothing to write off or offset.',
  },
  'review.moreThanPaid': {
    message: 'This is more than was paid of the claim.',
    nextStep:
      'Enter at most what was paid, less what was repaid or reversed before. Payments of claims that this one replaced count too.',
  },
  'review.badPayment': {
    message: 'A payment is in whole cents, on a day at most 31 days ahead.',
    nextStep: 'Enter an amount with at most two decimals, and check the day.',
  },
  'review.beforeService': {
    message: 'The payment is dated before the service of the claim.',
    nextStep: 'Check the day. If it is right, save it once more.',
  },
  'review.amountIsWhole': {
    message: 'This is all that the rules let be reimbursed of the claim.',
    nextStep: 'Choose Eligible, or enter a smaller amount.',
  },
  'review.noSelection': {
    message: 'This selection is no longer open.',
    nextStep: 'Select the claims again.',
  },
  'review.importInterrupted': {
    message: 'The import was interrupted.',
    nextStep: 'Import the file again.',
  },
  'review.badCsv': {
    message: 'This file doesn’t have the columns of a payments file.',
    nextStep: 'Choose a CSV file or Excel workbook with a header row and the columns claim, amount and date.',
  },
  'file.unreadable': {
    message: 'This is neither a CSV file nor an Excel workbook (.xlsx), or it is damaged.',
    nextStep: 'Open it in the program that made it, and save it as CSV or as .xlsx without a password.',
  },
  'file.tooLarge': {
    message: 'This file is too large to read.',
    nextStep: 'Split it: a file has at most 20 MB, 200,000 rows and 500 columns.',
  },
  'file.sameColumns': {
    message: 'Several columns of this file mean the same: {columns}.',
    nextStep: 'Rename or remove all but the one that counts, then choose the file again.',
  },
  'file.severalSheets': {
    message: 'Several sheets of this workbook have these columns.',
    nextStep: 'Save the sheet that counts as a workbook of its own.',
  },
  'review.notAFile': {
    message: 'This isn’t a file of reviews, or it is damaged.',
    nextStep: 'Choose a file that was written by Export reviews.',
  },
  'review.newerFile': {
    message: 'A newer version of Claimdesk wrote this file.',
    nextStep: 'Update Claimdesk, then import the file again.',
  },
  'review.wrongPassphrase': {
    message: 'This passphrase doesn’t open the file.',
    nextStep: 'Ask for the passphrase that was entered when the file was written.',
  },
  'review.entryDiffers': {
    message:
      'A review entry in this file isn’t the one that is already here, so nothing was added. The file may be forged.',
    nextStep: 'Ask its sender to export the reviews again. If that doesn’t help, show the file to your IT.',
  },
  'team.unreachable': {
    message: 'The team’s server doesn’t answer. What you do is kept here and sent later.',
    nextStep: 'Continue your work. If it lasts, check your connection, or ask your IT about the server.',
  },
  'team.clockDiffers': {
    message: 'This computer’s clock differs too much from that of the team’s server.',
    nextStep: 'Set the date and time of this computer to automatic.',
  },
  'team.wrongSetupCode': {
    message: 'This set-up code is wrong, expired, or was used already.',
    nextStep: 'Ask your IT for a new set-up code of the team’s server.',
  },
  'team.wrongInvitation': {
    message: 'This invitation is wrong, expired, or was used already.',
    nextStep: 'Ask an admin of the team for a new invitation.',
  },
  'team.otherService': {
    message: 'This invitation is for a team of another claims service.',
    nextStep: 'Choose Join a team under Settings, Connection: it adds a workspace of that service.',
  },
  'team.otherEmail': {
    message: 'This invitation is for another person.',
    nextStep: 'Ask an admin of the team for an invitation with the email of this workspace.',
  },
  'team.otherKey': {
    message: 'This person is in the team with another SSH key.',
    nextStep:
      'Ask them on the phone whether they have a new SSH key. Only then approve and confirm that the key is theirs.',
  },
  'team.joinNotCompared': {
    message: 'There is no code to compare yet.',
    nextStep:
      'Wait until the computer that asked to join has answered. It has to be on, with Claimdesk running. Then compare the code.',
  },
  'team.recoveryKeyNotTried': {
    message: 'The team’s recovery key hasn’t been tried yet.',
    nextStep: 'Type it from the printed page, once, before somebody joins the team.',
  },
  'team.wrongRecoveryKey': {
    message: 'This isn’t the recovery key of the team.',
    nextStep:
      'Compare it with the printed one, letter by letter. If the key was replaced, use the newest page.',
  },
  'team.notMember': {
    message: 'This computer isn’t a member of the team, or no longer.',
    nextStep: 'If you just joined, wait for an admin’s approval. Otherwise ask an admin of the team.',
  },
  'team.recoveryWaits': {
    message:
      'The recovery key has admitted this computer. It can act a day later, so that an admin can refuse it until then.',
    nextStep: 'Wait, or ask an admin of the team to remove this computer there and to invite it instead.',
  },
  'team.updateNeeded': {
    message: 'The team requires a newer version of Claimdesk, so what you do here is kept and not sent.',
    nextStep: 'Update Claimdesk. Settings, Team says to which version.',
  },
  'team.notAdmin': {
    message: 'Your role in the team doesn’t allow this.',
    nextStep: 'Ask an admin of the team.',
  },
  'team.readOnly': {
    message:
      'Your role in the team is reader, so you can see its reviews and not change them. Nothing was written.',
    nextStep: 'Ask an admin of the team for another role.',
  },
  'team.lastAdmin': {
    message: 'The team would be left without an admin.',
    nextStep: 'Make another person an admin first.',
  },
  'team.quotaReached': {
    message:
      'This computer has sent the team as much as it may in one day. The rest is kept here and sent later.',
    nextStep: 'Continue your work. If it lasts, ask your IT about the limits of the team’s server.',
  },
  'team.logContradicts': {
    message:
      'The team’s server went back to an earlier state, and someone who was removed from the team or has a lower role acts in it again. Nothing is sent, and nothing after that is used.',
    nextStep:
      'Tell the team’s admins. Either IT restores the server from a newer backup, or admins on two computers confirm its log in Settings, Team; a single admin does it with the recovery key.',
  },
  'team.oldLog': {
    message: 'This team was made with a version of Claimdesk that was never released, so it can’t be used.',
    nextStep:
      'Leave the team in Settings, Team, then have an admin create a new one. Your reviews stay on this computer.',
  },
  'team.refused': {
    message: 'The team’s server refused this.',
    nextStep: 'Try again. If it’s refused again, look for a newer version of Claimdesk, or ask your IT.',
  },
  'team.checkpointDiffers': {
    message: 'A summary of the team’s log isn’t what the log says.',
    nextStep:
      'Claimdesk reads the log itself instead. Tell an admin of the team: a computer of the team may be faulty.',
  },
  'team.answerCut': {
    message: 'Answers of the team’s server arrive cut off, so nothing of them was used.',
    nextStep:
      'Ask your IT whether a proxy or a virus scanner between this computer and the team’s server cuts them off.',
  },
  'team.serverDiffers': {
    message:
      'The team’s server sent something else than what its computers agreed on, so nothing of it was used.',
    nextStep: 'Tell your IT. Your reviews are complete on this computer.',
  },
  'review.badSignature': {
    message:
      'An entry in this file is signed wrongly, or not by the person it names, so nothing was added. The file may be forged.',
    nextStep: 'Ask its sender to export the reviews again. If that doesn’t help, show the file to your IT.',
  },
  'review.otherService': {
    message: 'The reviews in this file are for claims of another service, so nothing was added.',
    nextStep: 'Open the workspace of that service, then import the file there.',
  },
  'review.badDate': {
    message: 'This file has a review from the future, or from before 2000, so nothing was added.',
    nextStep: 'Check the date of this computer, and of the one that wrote the file, then export again.',
  },
  'review.newer': {
    message: 'A newer version of Claimdesk made an entry about this claim that this version can’t read.',
    nextStep: 'Update Claimdesk to decide about it. Notes, tags, and flags work as before.',
  },
  'review.notYours': {
    message: 'Someone else wrote this, so only they can undo or change it.',
    nextStep: 'Add a decision or note of your own. The newest decision counts.',
  },
  'review.unknown': {
    message: 'This review entry doesn’t exist, or it was already undone.',
    nextStep: 'Look at the claim’s history and choose another entry.',
  },
  'record.unknown': {
    message: 'This record isn’t on this computer.',
    nextStep: 'Sync, or search for another record.',
  },
  'desk.masked': {
    message: 'Privacy mode hides this.',
    nextStep: 'Turn off privacy mode to view or change it.',
  },
  'query.invalid': {
    message: 'Claimdesk couldn’t process that search.',
    nextStep: 'Check the column names and values.',
  },
  'query.ssnOrder': {
    message: 'Lists can’t be sorted or grouped by SSN.',
    nextStep: 'Sort by name or date of birth, or search for one full SSN.',
  },
  'snapshot.expired': {
    message: 'This list has expired.',
    nextStep: 'Open it again.',
  },
  'copy.tooMany': {
    message: 'Too many rows are selected to copy at once.',
    nextStep: 'Copy at most 10,000 rows, or export the list to a file.',
  },
  'view.notAFile': {
    message: 'The file isn’t a saved view from Claimdesk.',
    nextStep: 'Choose a file exported from Claimdesk’s saved views.',
  },
  'export.targetMissing': {
    message: 'The export folder doesn’t exist.',
    nextStep: 'Choose another folder.',
  },
  'export.targetBusy': {
    message: 'The file is open in another program, so it wasn’t changed.',
    nextStep: 'Close it in the other program, or choose another name.',
  },
  'export.unwritable': {
    message: 'Claimdesk doesn’t have permission to save there.',
    nextStep: 'Choose another folder.',
  },
  'export.driveFailed': {
    message: 'The drive of the export folder didn’t respond, so the export wasn’t saved.',
    nextStep: 'Check the connection of the drive, or choose a folder on this computer.',
  },
  'export.nameTooLong': {
    message: 'The file name is too long.',
    nextStep: 'Choose a shorter name.',
  },
  'export.reasonMissing': {
    message: 'These columns identify people, so a reason is needed.',
    nextStep: 'Say in a few words what the records are for, or leave those columns out.',
  },
  'export.notAsSigned': {
    message: 'The signature beside the file isn’t one of the file as it is now: one of the two was changed.',
    nextStep: 'Use another copy, or export again.',
  },
  'export.tooManySelected': {
    message: 'Too many rows are selected.',
    nextStep: 'Select at most 100,000 rows, or filter the list and export all of it.',
  },
  'export.noClaims': {
    message: 'There is no claim to write a statement of.',
    nextStep: 'Choose claims, or other filters, and try again.',
  },
  'export.nothingChanged': {
    message: 'No sync on this computer has changed any records.',
    nextStep: 'Sync first, or export a list.',
  },
  'export.cannotSplit': {
    message: 'There are more rows than one file can have.',
    nextStep: 'Export to a file, which is split into numbered ones, or filter the list.',
  },
  'export.canceled': {
    message: 'The export was canceled, and no file was saved.',
    nextStep: 'Export again.',
  },
  'export.unknownColumn': {
    message: 'One of the columns doesn’t exist.',
    nextStep: 'Choose from this list’s columns.',
  },
  'sandbox.failed': {
    message: 'The sample service didn’t start.',
    nextStep: 'Try again. If the problem continues, reinstall Claimdesk.',
  },
  'connect.notSetUp': {
    message: 'Connect isn’t set up in this workspace.',
    nextStep: 'Enter the public Connect token in the workspace’s integration settings.',
  },
  'connect.secretMissing': {
    message: 'No Connect secret key is saved on this computer.',
    nextStep: 'Enter the secret key in the workspace’s integration settings.',
  },
  'connect.secretRefused': {
    message: 'The service doesn’t accept the secret key with this public token.',
    nextStep: 'Enter both again, exactly as the service issued them.',
  },
  'connect.accessTokenRefused': {
    message: 'The service doesn’t accept the new access token.',
    nextStep: 'Check the secret key and the public token. If they are right, send the request ID to support.',
  },
  'connect.badRequest': {
    message: 'Connect couldn’t read the request.',
    nextStep: 'Check the integration settings, especially the header names.',
  },
  'connect.tenantNeeded': {
    message: 'The public token covers several tenants, and none was entered.',
    nextStep: 'Enter the tenant’s label and key in the integration settings.',
  },
  'connect.tokenInactive': {
    message: 'The public Connect token isn’t active.',
    nextStep: 'Check the token in the integration settings, or ask the service to activate it.',
  },
  'connect.memberMissing': {
    message: 'The request has no member.',
    nextStep: 'Choose a member, or enter their email address.',
  },
  'connect.memberUnknown': {
    message: 'This member hasn’t been added to the integration.',
    nextStep: 'Add the member first, with the email they use there.',
  },
  'connect.memberElsewhere': {
    message: 'A member with this email already exists under another employer.',
    nextStep: 'Choose that employer, or confirm adding the member under this one too.',
  },
  'connect.employerUnknown': {
    message: 'No employer with this name or ID is on this computer.',
    nextStep: 'Choose one from the list (sync first if it is empty), or create a new employer.',
  },
  'connect.employerAmbiguous': {
    message: 'Several employers have this name.',
    nextStep: 'Choose one by its ID.',
  },
  'connect.employerExists': {
    message: 'An employer with this name already exists.',
    nextStep: 'Choose the existing employer, or confirm adding a second one with the same name.',
  },
  'connect.employerKeyNeeded': {
    message: 'The employer ID in your benefits system or the vendor is missing.',
    nextStep: 'Enter both once. Whoever set up the integration knows them.',
  },
  'connect.employerKeyTaken': {
    message: 'This employer ID belongs to another employer.',
    nextStep: 'Choose that employer, or enter the ID of the one you mean.',
  },
  'connect.employerKeyUnknown': {
    message: 'The claims service has no employer with this employer ID, so it would create a second one.',
    nextStep: 'Check the employer ID with whoever set up the integration, or confirm that it is right.',
  },
  'connect.employerMismatch': {
    message: 'The claims service added the member under an employer that wasn’t chosen.',
    nextStep:
      'Check the employer ID with whoever set up the integration. Don’t connect a carrier until the employer is right.',
  },
  'connect.termsNotAccepted': {
    message: 'The member hasn’t accepted the terms of use.',
    nextStep: 'Review the terms with the member, then submit again with both consents.',
  },
  'connect.originRefused': {
    message: 'The service doesn’t accept the request’s origin.',
    nextStep: 'Ask your IT department whether a proxy adds an Origin header.',
  },
  'connect.usernameTaken': {
    message: 'Another connection already uses this username.',
    nextStep: 'Update that connection’s login, or enter another username of this member.',
  },
  'connect.forbidden': {
    message: 'Connect doesn’t allow this.',
    nextStep:
      'Check the member’s email, the consents, and the tenant. If they are right, send the request ID to support.',
  },
  'connect.notFound': {
    message: 'Connect has no such employer, carrier, or connection for this member.',
    nextStep: 'Add the member again, then choose from what is shown.',
  },
  'connect.invalid': {
    message: 'Some of what was entered isn’t accepted.',
    nextStep: 'Correct the listed fields and submit again.',
  },
  'connect.formUnusable': {
    message: 'The login form that the service sent for this carrier has no fields to fill in.',
    nextStep: 'Choose another carrier, or report this carrier to the service’s support.',
  },
  'connect.submitUncertain': {
    message: 'We couldn’t confirm that the service received the login.',
    nextStep: 'Check the member’s connections before submitting again.',
  },
  'connect.submitRunning': {
    message: 'This login is already being submitted.',
    nextStep: 'Wait until it finishes. It won’t be sent twice.',
  },
  'connect.notAsked': {
    message: 'The carrier isn’t waiting for this now.',
    nextStep: 'View the current status of the sign-in check.',
  },
  'connect.validationUnknown': {
    message: 'No sign-in check was found for this connection.',
    nextStep: 'Check the member’s connections, or submit the login.',
  },
  'connect.noPatientAccess': {
    message: 'No carrier sign-in was started for this member.',
    nextStep: 'Choose the carrier and start the sign-in.',
  },
  'connect.badCarrierUrl': {
    message: 'Claimdesk can’t open the carrier’s sign-in address.',
    nextStep: 'Send the request ID to the service’s support.',
  },
  'connect.noCarrierPage': {
    message: 'The claims service has no sign-in page for this carrier.',
    nextStep: 'Connect the carrier with a username and password if it takes them, or contact support.',
  },
  'connect.newCarrierUnknown': {
    message: 'No new carrier was found for this connection.',
    nextStep: 'Ask the member which carrier they have now, and connect that one.',
  },
  'team.none': {
    message: 'This workspace isn’t part of a team.',
    nextStep: 'Create or join a team in Settings, Team.',
  },
  'team.logBroken': {
    message: 'The team’s log isn’t whole.',
    nextStep: 'Check it on another computer of the team too, keep both answers, and tell your IT.',
  },
  'team.notALog': {
    message: 'This file isn’t an exported log of a team, or it’s incomplete.',
    nextStep: 'Choose a file that Claimdesk exported from a team’s log, or export it again.',
  },
  'team.otherTeam': {
    message: 'This workspace is already part of another team.',
    nextStep: 'Leave that team first, or use another workspace.',
  },
  'team.serverNotAllowed': {
    message: 'Your organization doesn’t allow this team server.',
    nextStep: 'Check the address, or ask your administrator.',
  },
  'audit.broken': {
    message: 'The audit log was changed, or entries were removed from it.',
    nextStep: 'Leave the profile folder unchanged and tell your compliance team.',
  },
  'audit.notAFile': {
    message: 'This file isn’t an exported audit log.',
    nextStep: 'Choose a file that Claimdesk exported from the audit log.',
  },
  'audit.notConfirmed': {
    message: 'The audit log isn’t as it was when you verified it.',
    nextStep: 'Verify it again, then decide.',
  },
  'policy.damaged': {
    message:
      'The file with your organization’s rules for Claimdesk can’t be read, so Claimdesk doesn’t open.',
    nextStep: 'Ask your administrator to correct or remove that file.',
  },
  'policy.setByOrganization': {
    message: 'Your organization sets a limit for this setting.',
    nextStep: 'Choose a value within that limit.',
  },
  'policy.serviceNotAllowed': {
    message: 'Your organization doesn’t allow this claims service.',
    nextStep: 'Check the address, or ask your administrator.',
  },
  'policy.passphraseNeeded': {
    message: 'Your organization requires an unlock passphrase.',
    nextStep: 'Set one in Settings, Security, then try again.',
  },
  'policy.passphraseKept': {
    message: 'Your organization requires an unlock passphrase, so it can’t be removed.',
    nextStep: 'Change the passphrase instead.',
  },
  'policy.ssnMasked': {
    message: 'Your organization doesn’t allow exports with full Social Security numbers.',
    nextStep: 'Export again without them.',
  },
  'policy.reasonNeeded': {
    message: 'Your organization requires a reason before records leave Claimdesk.',
    nextStep: 'Enter in a few words what they are for.',
  },
  'engine.cannotStart': {
    message: 'Claimdesk’s database process couldn’t start.',
    nextStep:
      'Restart Claimdesk. If it happens again, send the file logs/engine.log to support; it holds no personal data.',
  },
  'engine.stopped': { message: engineStopped.message, nextStep: engineStopped.nextStep },
} as const satisfies Record<string, { message: string; nextStep: string }>;

export type ErrorCode = keyof typeof errorTable;

/** All codes, for schemas and `docs/errors.md`. */
export const errorCodes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]];
