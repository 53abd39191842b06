import { engineStopped } from './pending-calls.ts';

/**
 * Every error code, with one sentence and, behind the arrow, one next step. `docs/errors.md` is generated from this
 * table. A code never changes its meaning once released.
 */
const errorTexts = {
  'usage.invalid': 'Claimdesk couldn’t process that request. → Check what was entered and try again.',
  'internal.fault':
    'Something inside Claimdesk went wrong. → Try again. If it happens again, restart Claimdesk and send the code to support.',
  'runtime.unsupported':
    'This version of Node.js is too old for Claimdesk. → Install Node 24, or run `npm ci` again without --omit=optional.',
  'app.locked': 'Claimdesk is locked. → Unlock Claimdesk and try again.',
  'app.unavailable':
    'This isn’t available in the browser window or on the command line. → Paste or drop the file instead.',
  'app.forbidden': 'This window isn’t allowed to do that. → Close this window and open Claimdesk again.',
  'app.notConfirmed': 'This wasn’t confirmed, so nothing was changed. → Try again and confirm.',
  'audit.unwritable':
    'This couldn’t be recorded in the audit log, so it wasn’t done. → Run a check under Settings, Data, then try again.',
  'profile.busy':
    'Claimdesk is already open in another window. → Close the other window, or wait until it finishes.',
  'profile.heldElsewhere':
    'Another computer has this profile open. → Close Claimdesk on that computer. If it is off or no longer exists, run `claimdesk data take-over`.',
  'profile.noHome':
    'This computer account has no home folder, so there is no place for the profile. → Name a folder with --profile DIR or the variable CLAIMDESK_PROFILE.',
  'profile.notFolder':
    'There is a file where the profile folder should be. → Name another folder with --profile DIR, or move the file.',
  'profile.unwritable':
    'Claimdesk cannot write to its profile folder. → Check the permissions of the folder and that the disk is not read-only.',
  'profile.damaged':
    'A file in your Claimdesk profile can’t be read. → Restore the profile folder from a backup, or set up the workspace again.',
  'disk.full': 'The disk is full, and no incomplete file was left behind. → Free some space and try again.',
  'disk.readOnly':
    'The disk is read-only, so nothing was changed. → Make the disk writable and restart Claimdesk, name another folder with --profile DIR, or copy the profile folder to another disk and open the copy with --profile. No records are listed without an audit entry.',
  'backup.folderMissing':
    'The backup folder can’t be found. → Connect the drive, or choose another folder under Settings, Data.',
  'backup.folderUnwritable':
    'Claimdesk can’t write to the backup folder. → Check the permissions of the folder, or choose another one under Settings, Data.',
  'backup.folderFull':
    'The backup folder is full. Earlier backups are unchanged. → Free some space there, keep fewer backups, or choose another folder.',
  'backup.folderInside':
    'The backup folder is inside the profile folder, so both would be lost together. → Choose a folder on another drive.',
  'backup.notSealed':
    'Backups need a recovery code or a passphrase. → Make a recovery code under Settings, Security, or choose a passphrase for backups.',
  'backup.noFolder': 'No backup folder is set. → Choose one under Settings, Data.',
  'backup.none': 'There is no backup in this folder. → Choose the folder that is set as the backup folder.',
  'backup.wrongSecret':
    'This doesn’t open the backup. → Enter the recovery code or the passphrase that was set when the backup was made.',
  'backup.damaged':
    'A file of the backup can’t be read. → Check the drive. A new backup replaces what is damaged; to restore, use an earlier backup.',
  'restore.notEmpty':
    'This profile already has data, so nothing was restored. → Restore into a new profile folder.',
  'disk.fault':
    'Claimdesk couldn’t read from or write to the disk. → Check the disk and its connection, then run a check under Settings, Data.',
  'workspace.unknown': 'This workspace doesn’t exist. → Choose one of your workspaces.',
  'workspace.missing':
    'There is no workspace yet. → Add a workspace with the service URL and your account email.',
  'workspace.ambiguous': 'There are several workspaces. → Choose one of your workspaces.',
  'workspace.duplicate': 'A workspace with this URL and email already exists. → Use the existing workspace.',
  'workspace.nameTaken': 'Another workspace already has this name. → Choose another name.',
  'workspace.badUrl':
    'Claimdesk can’t use this service URL. → Enter the service URL, for example https://claims.example.com.',
  'workspace.insecureUrl':
    'This service URL isn’t encrypted (http). → Use the service URL that begins with https.',
  'workspace.badEmail':
    'This isn’t a valid email address. → Enter the email you use to sign in to the service.',
  'keychain.missing':
    'This computer has no keychain, so Claimdesk can’t store secrets safely. → Start a keychain service, or choose an unlock passphrase.',
  'keychain.locked': 'This computer’s keychain is locked. → Unlock the keychain and try again.',
  'keychain.dismissed': 'Keychain access was denied. → Click Allow when the keychain asks, then try again.',
  'keychain.entryMissing':
    'The keychain entry that opens this profile is missing. Without it, notes and SSH keys are lost. → Restore the keychain. If you can’t, delete the profile folder and set up again.',
  'keychain.recoverable':
    'The keychain entry that opens this profile is missing. → Lock Claimdesk and use your recovery code, or restore the keychain.',
  'vault.wrongPassphrase':
    'The passphrase is incorrect. → Check Caps Lock and the keyboard layout, and enter your unlock passphrase again.',
  'vault.damaged':
    'The file that holds this profile’s keys is damaged. → Restore secrets.json from a backup of the profile, or delete the profile folder and set up again.',
  'vault.weakPassphrase': 'The passphrase is too short. → Choose a passphrase of at least 12 characters.',
  'vault.passphraseNeeded': 'This profile needs its unlock passphrase. → Enter the passphrase.',
  'unlock.badCode':
    'This isn’t a complete recovery code. → Check it against your printout: eight groups of four characters.',
  'unlock.wrongCode':
    'The recovery code doesn’t open this profile. → Use the code that was made last, or enter your unlock passphrase.',
  'unlock.tooManyTries': 'Too many wrong tries. → Wait up to a minute, then try again.',
  'key.otherService': 'This SSH key belongs to another service. → Make a new key for this service.',
  'key.unknown': 'This SSH key doesn’t exist. → Choose one of your keys.',
  'key.missing': 'This workspace has no SSH key yet. → Make an SSH key and register it with the service.',
  'key.damaged':
    'The stored SSH key is damaged. → Make a new key and register it, or restore the profile from a backup.',
  'key.inUse': 'A workspace uses this SSH key. → Choose another key for the workspace first.',
  'key.typeUnsupported':
    'This type of SSH key isn’t supported. → Use Ed25519, RSA with 3072 or 4096 bits, or ECDSA P-256, P-384 or P-521.',
  'key.backupInProfile':
    'The backup of a key can’t be saved in Claimdesk’s own folder: it would be lost with it. → Choose a folder elsewhere, such as Documents or a USB drive.',
  'key.wrongPassphrase':
    'The key file’s passphrase is incorrect. → Enter the passphrase of the key file again.',
  'key.passphraseNeeded':
    'The key file is protected by a passphrase. → Enter the passphrase of the key file.',
  'key.cipherUnsupported':
    'Claimdesk can’t read this key file’s encryption. → Rewrite it with `ssh-keygen -p -f FILE` and import it again.',
  'key.publicGiven':
    'This is a public key, and Claimdesk needs the private key. → Choose the file with the same name without .pub.',
  'key.notAKey': 'This isn’t an SSH key. → Choose a private key file, or make a new key.',
  'key.dsaRefused': 'The service doesn’t accept DSA keys. → Make a new Ed25519 key.',
  'key.curveUnsupported': 'The service doesn’t accept keys on this curve. → Make a new Ed25519 key.',
  'key.tooShort': 'RSA keys under 2048 bits are not safe. → Make a new Ed25519 key.',
  'key.weakPassphrase':
    'The backup passphrase is too short. → Choose a passphrase of at least 12 characters.',
  'key.nameNeeded':
    'This is your last working key. → Type its name to remove it, or set up another key first.',
  'key.fileUnreadable':
    'The key file can’t be opened. → Check that the file exists and that you have permission to read it.',
  'key.clipboardEmpty': 'The clipboard has no text. → Copy the whole private key and try again.',
  'key.sourceMissing':
    'The file or key to import is no longer available. → Choose the file or paste the key again.',
  'key.backupUnproven':
    'The backup couldn’t be verified, so don’t rely on that file. → Save the backup to another folder.',
  'key.rotationRunning':
    'This workspace’s key is already being rotated. → Finish or cancel that rotation first.',
  'key.rotationOutOfStep':
    'The rotation is at another step. → View the rotation and continue from its current step.',
  'key.duplicate': 'This key is already on this computer. → Use the existing key.',
  'service.unreachable':
    'Can’t reach the claims service. → Check your network and the service URL. Synced records remain available.',
  'service.nameUnknown':
    'The server name in the service URL can’t be found. → Check the workspace’s service URL and your network.',
  'service.timeout': 'The service didn’t respond in time. → Try again in a moment.',
  'service.certificateAhead':
    'By this computer’s clock, the certificate of the service isn’t valid yet, so the clock is probably behind. → Set this computer’s date and time to automatic, then try again.',
  'service.tlsRefused':
    'The service’s identity couldn’t be verified. → Ask your IT department about the certificate. Claimdesk sends nothing until it is valid.',
  'service.redirected':
    'The service redirected to another address, and Claimdesk didn’t follow. → Check the address of the workspace.',
  'service.proxyLogin':
    'The proxy requires a username and password. → Ask your IT department how to sign in to the proxy, or to bypass it for this address.',
  'service.networkSignIn':
    'This network wants you to sign in before it lets requests through. → Open any website in a browser, sign in to the network, and try again.',
  'service.webPage':
    'The network returned a web page instead of the service’s data. → Open the address in a browser and sign in to the network if it asks. Otherwise, ask your IT department about the proxy.',
  'service.badRequest':
    'The service couldn’t read the request. → Send the request ID to the service’s support.',
  'service.unauthorized':
    'The service didn’t accept your key: either the key isn’t registered yet, or the account email is wrong. → Check that the public key is registered and that the account email is right.',
  'service.clockSkew':
    'The service’s clock is more than ten minutes off this computer’s, so nothing was signed by it. → Set this computer’s date and time to automatic. If that doesn’t help, run the connection check.',
  'service.tokenExpired':
    'The service says the sign-in token is expired or not valid yet. → Check this computer’s clock and try again.',
  'service.forbidden':
    'Your account doesn’t have permission to do this. → Ask the service’s support whether your account and network address are allowed.',
  'service.notFound':
    'The service has no such record or address. → Check the workspace’s service URL, or sync again.',
  'service.unprocessable':
    'The service rejected the request as invalid. → Check what was entered. If it is right, send the request ID to support.',
  'service.rateLimited': 'Too many requests were sent to the service. → Try again in a few minutes.',
  'service.fault':
    'The service had an error. → Try again later. If the problem continues, send the request ID to support.',
  'service.badReply':
    'Claimdesk couldn’t read the service’s response. → Try again. If the problem continues, send the request ID to support.',
  'service.replyTooLarge':
    'The service’s response is too large. → Send the request ID to the service’s support.',
  'service.connectionLost':
    'The connection was lost while the service was responding. → Try again. A sync resumes where it stopped.',
  'sync.canceled':
    'The sync was canceled. Records received so far were kept. → Start the sync again. It resumes where it stopped.',
  'sync.running': 'A sync is already running. → Wait until it finishes.',
  'sync.notProven':
    'Records changed during the sync, so we couldn’t verify that it’s complete. → Sync again at a quieter time. You can use the records received so far.',
  'sync.endless':
    'The service’s list doesn’t end. → Report this to the service’s support. Records received so far were kept.',
  'sync.lowDisk':
    'The sync stopped because the disk has less than 1 GB left. Records received so far were kept. → Free some space and sync again: it resumes where it stopped. If the service sends more records than it should have, report this to its support.',
  'sync.suddenLoss':
    'Many records are missing from this sync, and nothing was removed here. → Ask the service whether they should be missing, then answer the question on the Sync page.',
  'sync.noLossQuestion':
    'No sync is waiting for an answer about missing records. → Sync again. If records are still missing, Claimdesk asks you.',
  'sync.quickUnavailable': 'Quick refresh isn’t available for this service. → Run a full sync.',
  'sync.unsettled':
    'The records were synced, but reviews weren’t compared with them, or rules didn’t decide. → Sync again. If it happens again, send the code to support.',
  'sync.placeUnknown':
    'Claimdesk doesn’t have the employer or member ID needed to request this. → Run a full sync, or enter the missing employer or member ID.',
  'store.wrongKey':
    'The records can’t be opened with the key in the keychain. → Restore the keychain entry, or remove the workspace and sync again.',
  'store.damaged': 'A records file on this computer is damaged. → Repair it under Settings, Data.',
  'store.busy': 'The records are being checked or rewritten. → Wait until that finishes.',
  'store.newer':
    'The records were saved by a newer version of Claimdesk. → Install the latest version of Claimdesk.',
  'store.older':
    'The records were saved by an older version of Claimdesk and aren’t updated yet. → Open Claimdesk once, or wait until an open window finishes the update.',
  'facts.behind':
    'Amounts and worklists are still being computed from the newest claims and decisions. → Try again in a minute. If it stays, close other windows of Claimdesk.',
  'store.empty':
    'Nothing has been synced into this workspace yet. → Sync once; after that everything works offline.',
  'store.unreadable': 'The records file can’t be opened. → Check the permissions of the profile folder.',
  'data.notConfirmed':
    'The confirmation doesn’t match, so nothing was removed. → Type the confirmation exactly as shown.',
  'data.noSpace':
    'The disk has too little space to remove these records, so nothing was changed. → Free as much space as the remaining records take, because they are written again first. Removing the whole workspace needs no space.',
  'note.unknown': 'This note or view doesn’t exist. → Choose an existing note or view.',
  'review.incomplete':
    'Something is missing from this review. → Done needs an outcome, and partly eligible an amount. Waiting and escalated need whom the claim waits for and a reason. Disagreeing needs a reason.',
  'review.notToCheck':
    'You can’t check this review. → Choose a claim that is done and that someone else reviewed.',
  'appeal.unknown': 'This appeal is no longer open: it was answered or undone. → Open the claim again.',
  'appeal.decidedByYou':
    'You decided this claim before it was appealed. → Have a colleague who did not decide it answer the appeal.',
  'review.needsSecond':
    'For this amount your team requires two people: one decides, another records the payment. → Leave it to a colleague. Admins change the amount in Settings, Team.',
  'run.unknown': 'This run doesn’t exist, or was undone. → Open Runs again.',
  'run.wrongStep':
    'The run has no claims at this step. → Open the run again, and continue with its next step.',
  'run.marked':
    'Claims of this run changed since it was made: {claims}. → Leave them out, or accept their amounts in the run.',
  'run.laterStep':
    'A later step of the run depends on this one. → Undo the later step first, on the page of the run.',
  'run.ownCheck':
    'In a team, a second person has to check a run. → Ask a colleague to open the run and check it.',
  'run.badResults':
    'This file has no column with the claim or the member. → Name one column Claim or Member ID and, if the file has them, others Amount, Result, and Reason.',
  'run.noResult':
    'This file has no column that says which of its {rows} rows are paid. → Name one column Result, or confirm that all rows are paid.',
  'run.empty':
    'None of these claims can be added to a run. → Choose decided claims that have an open amount and are in no other run.',
  'review.amountForMany':
    'An amount is for one claim only. → For several claims, choose all but some parts or a share, or review them one by one.',
  'review.amountTooLarge':
    'This is more than the rules allow for this claim. → Enter an amount from zero up to the amount by the rules or, if that isn’t known, patient responsibility.',
  'review.moreThanOwed':
    'This is more than is owed back on the claim. → Enter at most the amount owed back. If nothing is owed back, there is nothing to write off or offset.',
  'review.moreThanPaid':
    'This is more than was paid on the claim. → Enter at most what was paid, minus earlier repayments and reversals. Payments of claims that this one replaced count too.',
  'review.badPayment':
    'A payment must have whole cents and a day at most 31 days ahead. → Enter an amount with at most two decimals, and check the day.',
  'review.beforeService':
    'The payment is dated before the claim’s service. → Check the day. If it is right, save it again.',
  'review.amountIsWhole':
    'This is the whole amount that the rules allow for this claim. → Choose Eligible, or enter a smaller amount.',
  'review.noSelection': 'This selection is no longer open. → Select the claims again.',
  'review.importInterrupted': 'The import was interrupted. → Import the file again.',
  'review.badCsv':
    'This file doesn’t have the columns of a payments file. → Choose a CSV file or Excel workbook with a header row and the columns claim, amount and date.',
  'file.unreadable':
    'This is neither a CSV file nor an Excel workbook (.xlsx), or it is damaged. → Open it in the program that made it, and save it as CSV or as .xlsx without a password.',
  'document.damaged':
    'The file of this document is damaged. → Attach the same document again: that replaces its file wherever it is attached.',
  'document.notHere': 'This document isn’t on this computer. → Attach the same file again.',
  'document.notArrived':
    'This document was attached on another computer and hasn’t arrived yet. → Wait until that computer has sent it. Both computers need a connection to the team’s server.',
  'document.tooLarge': 'This file is too large to attach. → A document has at most 25 MB: split the file.',
  'file.tooLarge':
    'This file is too large to read. → Split it: a file has at most 20 MB, 200,000 rows and 500 columns.',
  'file.sameColumns':
    'Several columns of this file mean the same: {columns}. → Rename or remove all but the one that counts, then choose the file again.',
  'file.severalSheets':
    'Several sheets of this workbook have these columns. → Save the sheet you need as a separate workbook.',
  'review.notAFile':
    'This isn’t a file of reviews, or it is damaged. → Choose a file that was written by Export reviews.',
  'review.newerFile':
    'A newer version of Claimdesk wrote this file. → Update Claimdesk, then import the file again.',
  'review.wrongPassphrase':
    'This passphrase doesn’t open the file. → Ask for the passphrase that was entered when the file was written.',
  'review.entryDiffers':
    'A review entry in this file isn’t the one that is already here, so nothing was added. The file may be forged. → Ask its sender to export the reviews again. If that doesn’t help, show the file to your IT.',
  'team.unreachable':
    'The team’s server doesn’t answer. What you do is kept here and sent later. → Continue your work. If this lasts, check your connection, or ask your IT about the server.',
  'team.clockDiffers':
    'This computer’s clock differs too much from that of the team’s server. → Set the date and time of this computer to automatic.',
  'team.wrongSetupCode':
    'This set-up code is wrong, expired, or was used already. → Ask your IT for a new set-up code of the team’s server.',
  'team.wrongInvitation':
    'This invitation is wrong, expired, or was used already. → Ask an admin of the team for a new invitation.',
  'team.otherService':
    'This invitation is for a team of another claims service. → Choose Join a team under Settings, Connection: it adds a workspace of that service.',
  'team.otherEmail':
    'This invitation is for another email. → Ask an admin of the team for an invitation for the email of this workspace.',
  'team.otherKey':
    'This member is in the team with another SSH key. → Ask them on the phone whether they have a new SSH key. Approve only then, and confirm that the key is theirs.',
  'team.joinNotCompared':
    'There is no code to compare yet. → Wait until the computer that asked to join has answered. It has to be on, with Claimdesk running. Then compare the code.',
  'team.recoveryKeyNotTried':
    'The team’s recovery key hasn’t been tried yet. → Type it from the printed page, once, before anyone joins the team.',
  'team.wrongRecoveryKey':
    'This isn’t the recovery key of the team. → Compare it with the printed one, letter by letter. If the key was replaced, use the newest page.',
  'team.notMember':
    'This computer isn’t in the team, or was removed from it. → If you just joined, wait for an admin’s approval. Otherwise ask an admin of the team.',
  'team.recoveryWaits':
    'The recovery key has admitted this computer. It can act a day later, so that an admin can refuse it until then. → Wait, or ask an admin of the team to remove this computer there and to invite it instead.',
  'team.updateNeeded':
    'The team requires a newer version of Claimdesk, so what you do here is kept and not sent. → Update Claimdesk to the version in Settings, Team.',
  'team.notAdmin': 'Your role in the team doesn’t allow this. → Ask an admin of the team.',
  'team.readOnly':
    'Your role in the team is reader: you can see its reviews, but not change them. Nothing was saved. → Ask an admin of the team for another role.',
  'team.stillReading':
    'This computer is still reading what your team has done, so nothing was saved. → Wait until the top bar no longer says so, then try again.',
  'team.lastAdmin': 'The team would be left without an admin. → Make another member an admin first.',
  'team.documentsFull':
    'The team’s documents have reached the limit of its server. → Ask whoever runs the server for more room (--documents-limit). Until then new documents wait on this computer.',
  'team.quotaReached':
    'This computer has reached its daily limit for the team. The rest is kept here and sent later. → Continue your work. If this lasts, ask your IT about the limits of the team’s server.',
  'team.logContradicts':
    'The team’s server went back to an earlier state, and someone who was removed from the team or has a lower role acts in it again. Nothing is sent, and nothing after that is used. → Tell the team’s admins. Either IT restores the server from a newer backup, or admins on two computers confirm its log in Settings, Team; a single admin does it with the recovery key.',
  'team.oldLog':
    'This team was made with a version of Claimdesk that was never released, so it can’t be used. → Leave the team in Settings, Team, then have an admin make a new one. Your reviews stay on this computer.',
  'team.refused':
    'The team’s server refused this. → Try again. If it’s refused again, look for a newer version of Claimdesk, or ask your IT.',
  'team.checkpointDiffers':
    'A summary of the team’s log doesn’t match the log. → Tell an admin that a computer of the team may be faulty. Claimdesk reads the log itself instead.',
  'team.answerCut':
    'Responses of the team’s server arrive cut off, so they weren’t used. → Ask your IT whether a proxy or a virus scanner between this computer and the team’s server cuts them off.',
  'team.serverDiffers':
    'The team’s server sent something other than what its computers agreed on, so it wasn’t used. → Tell your IT. Your reviews are complete on this computer.',
  'review.badSignature':
    'An entry in this file has a wrong signature, or one by someone other than its author, so nothing was added. The file may be forged. → Ask its sender to export the reviews again. If that doesn’t help, show the file to your IT.',
  'review.otherService':
    'The reviews in this file are for claims of another service, so nothing was added. → Open the workspace of that service, then import the file there.',
  'review.badDate':
    'This file has a review from the future, or from before 2000, so nothing was added. → Check the date of this computer, and of the one that wrote the file, then export again.',
  'review.newer':
    'A newer version of Claimdesk made an entry about this claim that this version can’t read. → Update Claimdesk to decide this claim. Notes, tags, and flags still work.',
  'review.notYours':
    'Someone else wrote this, so only they can undo or change it. → Add your own decision or note. The newest decision counts.',
  'review.unknown':
    'This review entry doesn’t exist, or it was already undone. → Look at the claim’s history and choose another entry.',
  'rule.unknown': 'This rule no longer exists. → Choose another one from the list of rules.',
  'rule.changed':
    'A colleague changed this rule. → Look at the change, then save the rule or set its state again.',
  'rule.notTried':
    'This rule can’t decide claims yet: its trial on past decisions is not sufficient. → Try the rule to see what is missing. Until then it can propose.',
  'record.unknown': 'This record isn’t on this computer. → Sync, or search for another record.',
  'desk.masked': 'Privacy mode hides this. → Turn off privacy mode to view or change it.',
  'query.invalid': 'Claimdesk couldn’t process that search. → Check the column names and values.',
  'query.ssnOrder':
    'Lists can’t be sorted or grouped by SSN. → Sort by name or date of birth, or search for one full SSN.',
  'snapshot.expired': 'This list has expired. → Open it again.',
  'copy.tooMany':
    'Too many rows are selected to copy at once. → Copy at most 10,000 rows, or export the list to a file.',
  'view.notAFile':
    'The file isn’t a saved view from Claimdesk. → Choose a file exported from Claimdesk’s saved views.',
  'export.targetMissing': 'The export folder doesn’t exist. → Choose another folder.',
  'export.targetBusy':
    'The file is open in another program, so it wasn’t changed. → Close it in the other program, or choose another name.',
  'export.unwritable': 'Claimdesk doesn’t have permission to save there. → Choose another folder.',
  'export.driveFailed':
    'The drive of the export folder didn’t respond, so the export wasn’t saved. → Check the connection of the drive, or choose a folder on this computer.',
  'export.nameTooLong': 'The file name is too long. → Choose a shorter name.',
  'export.reasonMissing':
    'These columns identify people, so a reason is needed. → Enter in a few words what the records are for, or leave those columns out.',
  'export.notAsSigned':
    'The signature beside the file doesn’t match it: one of the two was changed. → Use another copy, or export again.',
  'export.tooManySelected':
    'Too many rows are selected. → Select at most 100,000 rows, or filter the list and export all of it.',
  'export.noClaims': 'There is no claim for a statement. → Choose claims or other filters, and try again.',
  'letter.incomplete':
    'A letter lacks a required part, so no letter was made. → Open Letter on the claim, which lists what is missing.',
  'export.nothingChanged':
    'No sync on this computer has changed any records. → Sync first, or export a list.',
  'export.cannotSplit':
    'There are more rows than one file can hold. → Export to a file, which is split into numbered files, or filter the list.',
  'export.canceled': 'The export was canceled, and no file was saved. → Export again.',
  'export.unknownColumn': 'One of the columns doesn’t exist. → Choose from this list’s columns.',
  'sandbox.failed':
    'The sample service didn’t start. → Try again. If the problem continues, reinstall Claimdesk.',
  'connect.notSetUp':
    'Connect isn’t set up in this workspace. → Enter the public Connect token in the workspace’s integration settings.',
  'connect.secretMissing':
    'No Connect secret key is saved on this computer. → Enter the secret key in the workspace’s integration settings.',
  'connect.secretRefused':
    'The service doesn’t accept the secret key with this public token. → Enter both again, exactly as the service issued them.',
  'connect.accessTokenRefused':
    'The service doesn’t accept the new access token. → Check the secret key and the public token. If they are right, send the request ID to support.',
  'connect.badRequest':
    'Connect couldn’t read the request. → Check the integration settings, especially the header names.',
  'connect.tenantNeeded':
    'The public token covers several tenants, and none was entered. → Enter the tenant’s label and key in the integration settings.',
  'connect.tokenInactive':
    'The public Connect token isn’t active. → Check the token in the integration settings, or ask the service to activate it.',
  'connect.memberMissing': 'The request has no member. → Choose a member, or enter their email address.',
  'connect.memberUnknown':
    'This member hasn’t been added to the integration. → Add the member first, with the email they use there.',
  'connect.memberElsewhere':
    'A member with this email already exists under another employer. → Choose that employer, or confirm adding the member under this one too.',
  'connect.employerUnknown':
    'No employer with this name or ID is on this computer. → Choose one from the list (sync first if it is empty), or create a new employer.',
  'connect.employerAmbiguous': 'Several employers have this name. → Choose one by its ID.',
  'connect.employerExists':
    'An employer with this name already exists. → Choose the existing employer, or confirm adding a second one with the same name.',
  'connect.employerKeyNeeded':
    'The employer ID in your benefits system or the vendor is missing. → Enter both once. Whoever set up the integration knows them.',
  'connect.employerKeyTaken':
    'This employer ID belongs to another employer. → Choose that employer, or enter the ID of the one you mean.',
  'connect.employerKeyUnknown':
    'The claims service has no employer with this employer ID, so it would create a second one. → Check the employer ID with whoever set up the integration, or confirm that it is right.',
  'connect.employerMismatch':
    'The claims service added the member under an employer that wasn’t chosen. → Check the employer ID with whoever set up the integration. Don’t connect a carrier until the employer is right.',
  'connect.termsNotAccepted':
    'The member hasn’t accepted the terms of use. → Review the terms with the member, then submit again with both consents.',
  'connect.originRefused':
    'The service doesn’t accept the request’s origin. → Ask your IT department whether a proxy adds an Origin header.',
  'connect.usernameTaken':
    'Another connection already uses this username. → Update that connection’s login, or enter another username of this member.',
  'connect.forbidden':
    'Connect doesn’t allow this. → Check the member’s email, the consents, and the tenant. If they are right, send the request ID to support.',
  'connect.notFound':
    'Connect has no such employer, carrier, or connection for this member. → Add the member again, then choose from what is shown.',
  'connect.invalid': 'Some of what was entered isn’t accepted. → Correct the listed fields and submit again.',
  'connect.formUnusable':
    'The login form that the service sent for this carrier has no fields to fill in. → Choose another carrier, or report this carrier to the service’s support.',
  'connect.submitUncertain':
    'Claimdesk couldn’t confirm that the service received the login. → Check the member’s connections before submitting again.',
  'connect.submitRunning':
    'This login is already being submitted. → Wait until it finishes. It won’t be sent twice.',
  'connect.notAsked':
    'The carrier isn’t waiting for this now. → View the current status of the sign-in check.',
  'connect.validationUnknown':
    'No sign-in check was found for this connection. → Check the member’s connections, or submit the login.',
  'connect.noPatientAccess':
    'No carrier sign-in was started for this member. → Choose the carrier and start the sign-in.',
  'connect.badCarrierUrl':
    'Claimdesk can’t open the carrier’s sign-in address. → Send the request ID to the service’s support.',
  'connect.noCarrierPage':
    'The claims service has no sign-in page for this carrier. → Connect the carrier with a username and password if it takes them, or contact support.',
  'connect.newCarrierUnknown':
    'No new carrier was found for this connection. → Ask the member which carrier they have now, and connect that one.',
  'team.none': 'This workspace isn’t part of a team. → Make or join a team in Settings, Team.',
  'team.logBroken':
    'The team’s log is incomplete or was changed. → Verify it on another computer of the team too, keep both results, and tell your IT.',
  'team.notALog':
    'This file isn’t an exported log of a team, or it’s incomplete. → Choose a file that Claimdesk exported from a team’s log, or export it again.',
  'team.otherTeam':
    'This workspace is already part of another team. → Leave that team first, or use another workspace.',
  'team.serverNotAllowed':
    'Your organization doesn’t allow this team server. → Check the address, or ask your administrator.',
  'audit.broken':
    'The audit log was changed, or entries were removed from it. → Leave the profile folder unchanged and tell your compliance team.',
  'audit.notAFile':
    'This file isn’t an exported audit log. → Choose a file that Claimdesk exported from the audit log.',
  'audit.noTarget':
    'No audit target is set, so a token would be sent nowhere. → Set the rule auditTarget in the policy first.',
  'audit.targetUnreachable':
    'Your organization’s server for audit entries can’t be reached. → Nothing to do now: entries are kept and sent later. If it lasts for a day, tell your IT department.',
  'audit.targetUntrusted':
    'The certificate of your organization’s server for audit entries isn’t trusted on this computer. → Tell your IT department. Entries are kept and sent once it is.',
  'audit.targetRefused':
    'Your organization’s server for audit entries doesn’t accept them. → Tell your IT department to check the address in the policy and the token. Entries are kept and sent later.',
  'audit.notConfirmed': 'The audit log has changed since you verified it. → Verify it again, then decide.',
  'policy.damaged':
    'Your organization’s rules for Claimdesk can’t be read, so Claimdesk doesn’t open. → Ask your administrator to correct or remove them.',
  'policy.setByOrganization':
    'Your organization sets a limit for this setting. → Choose a value within that limit.',
  'policy.serviceNotAllowed':
    'Your organization doesn’t allow this claims service. → Check the address, or ask your administrator.',
  'policy.passphraseNeeded':
    'Your organization requires an unlock passphrase. → Set one in Settings, Security, then try again.',
  'policy.passphraseKept':
    'Your organization requires an unlock passphrase, so it can’t be removed. → Change the passphrase instead.',
  'policy.formatNotAllowed':
    'Your organization doesn’t allow this file type for exports. → Choose another file type.',
  'policy.folderNotAllowed':
    'Your organization doesn’t allow files in this folder. → Choose one of the folders that Settings, Security lists.',
  'policy.sampleNotAllowed':
    'Your organization doesn’t allow sample data. → Connect to your claims service instead.',
  'policy.ssnMasked':
    'Your organization doesn’t allow exports with full Social Security numbers. → Export again without them.',
  'policy.reasonNeeded':
    'Your organization requires a reason before records leave Claimdesk. → Enter in a few words what they are for.',
  'engine.cannotStart':
    'Claimdesk’s database process couldn’t start. → Restart Claimdesk. If it happens again, send the file logs/engine.log to support; it holds no personal data.',
  'engine.stopped': `${engineStopped.message} → ${engineStopped.nextStep}`,
} as const satisfies Record<string, `${string} → ${string}`>;

export type ErrorCode = keyof typeof errorTexts;

/** All codes, for schemas and `docs/errors.md`. */
export const errorCodes = Object.keys(errorTexts) as [ErrorCode, ...ErrorCode[]];

/** The report of each code. */
export const errorTable = Object.fromEntries(
  Object.entries(errorTexts).map(([code, text]) => {
    const [message, nextStep] = text.split(' → ');
    return [code, { code, message, nextStep }];
  }),
) as Record<ErrorCode, { readonly code: ErrorCode; readonly message: string; readonly nextStep: string }>;
