import type { AuditAction, AuditEntry, AuditKind, AuditVerdict } from '../../../contract/audit.ts';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import { memberOfSubject } from '../../../rules/review/member-subject.ts';

export const kindLabels: Readonly<Record<AuditKind, string>> = {
  seen: 'Viewed and searched',
  copied: 'Copied',
  exported: 'Exported',
  unlocked: 'Locked and unlocked',
  keys: 'SSH keys',
  carriers: 'Carrier connections',
  data: 'Removed and repaired',
  settings: 'Settings and workspaces',
  log: 'The log itself',
};

type Details = AuditEntry['details'];

const listLabels: Readonly<Record<string, string>> = {
  members: 'members',
  dependents: 'dependents',
  claims: 'claims',
  lines: 'claim lines',
  claimLines: 'claims with lines',
  payments: 'payments of claims',
  statements: 'statements of claims',
  letters: 'letters about claims',
  groups: 'groups with sums',
  changes: 'what a sync changed',
  connections: 'carrier logins',
};
const listOf = ({ list }: Details): string => listLabels[String(list)] ?? 'records';
const reasonOf = ({ reason }: Details): string => (typeof reason === 'string' ? `. Reason: ${reason}` : '');
/** The claim or the member that an entry is about. */
const subjectOf = ({ claimId }: Details): string => {
  const memberId = memberOfSubject(Number(claimId));
  return memberId === null ? `claim ${claimId}` : `member ${memberId}`;
};
const oneOf: Readonly<Record<string, string>> = {
  members: 'member',
  dependents: 'dependent',
  claims: 'claim',
};
const identifierLabels: Readonly<Record<string, string>> = {
  memberId: 'member record no.',
  claimNumber: 'claim number',
  birthDate: 'date of birth',
  email: 'email',
  phone: 'phone number',
  document: 'what a document says',
};
const hits = ({ hits: count }: Details): string =>
  typeof count === 'number' ? ` (${formatCountOf(count, 'result')})` : '';
const rows = ({ rows: count }: Details): string => formatCountOf(Number(count ?? 0), 'row');

const words: Readonly<Record<AuditAction, (details: Details) => string>> = {
  'record.opened': (details) => `Opened a ${oneOf[String(details.list)] ?? 'record'}`,
  'ssn.revealed': (details) =>
    Number(details.count) === 1
      ? 'Revealed an SSN'
      : `Revealed the SSNs of ${formatCount(Number(details.count))} ${listOf(details)}`,
  'ssn.searched': (details) => `Searched ${listOf(details)} by SSN${hits(details)}`,
  'identifier.searched': (details) => {
    const kinds = String(details.by)
      .split(' ')
      .map((kind) => identifierLabels[kind] ?? kind);
    return `Searched ${listOf(details)} by ${kinds.join(' and ')}${hits(details)}`;
  },
  'records.copied': (details) => `Copied ${rows(details)} of ${listOf(details)}${reasonOf(details)}`,
  'key.publicCopied': () => 'Copied a public key',
  'claim.printed': () => 'Printed a claim file',
  'list.printed': (details) => `Printed ${rows(details)} of ${listOf(details)}${reasonOf(details)}`,
  'records.listed': (details) =>
    `Listed ${rows(details)} of ${listOf(details)} by a command${details.isSsnShown === true ? ', with full SSNs' : ''}${reasonOf(details)}`,
  'export.begun': (details) =>
    `Started an export of ${listOf(details)}${details.isSsnShown === true ? ', with full SSNs' : ''}${reasonOf(details)}`,
  'export.written': (details) => `Exported ${rows(details)}`,
  'document.opened': (details) => `Opened a document of ${subjectOf(details)}`,
  'document.saved': (details) => `Saved a document of ${subjectOf(details)}${reasonOf(details)}`,
  'document.removed': (details) => `Removed a document of ${subjectOf(details)}`,
  'document.printed': (details) => `Printed a document of ${subjectOf(details)}${reasonOf(details)}`,
  'reviews.exported': (details) =>
    `Exported ${formatCountOf(Number(details.events ?? 0), 'review entry', 'review entries')}`,
  'reviews.imported': (details) => {
    const authors = Object.entries(details).flatMap(([name, text]) => (/^author\d/.test(name) ? [text] : []));
    const authorText = authors.length === 0 ? '' : `, as the file says by ${authors.join('; ')}`;
    return `Imported ${formatCountOf(Number(details.events ?? 0), 'review entry', 'review entries')}${authorText}`;
  },
  'payments.imported': (details) =>
    `Imported payments of ${formatCountOf(Number(details.claims ?? 0), 'claim')}`,
  'audit.exported': () => 'Exported the audit log',
  'team.exported': (details) =>
    `Exported the team’s log, ${formatCountOf(Number(details.entries ?? 0), 'entry', 'entries')}${reasonOf(details)}`,
  'calendar.exported': (details) =>
    `Saved a calendar of the deadlines of ${formatCountOf(Number(details.claims ?? 0), 'claim')}`,
  'key.made': () => 'Made an SSH key',
  'key.imported': () => 'Imported an SSH key',
  'key.backedUp': () => 'Saved a backup of a private key',
  'key.chosen': () => 'Chose the key of a workspace',
  'key.proven': () => 'Verified a key with the service',
  'key.retired': () => 'Removed an SSH key',
  'key.renamed': () => 'Renamed an SSH key',
  'key.publicSaved': () => 'Saved a public key to a file',
  'rotation.begun': () => 'Started replacing a key',
  'rotation.ended': () => 'Finished replacing a key',
  'desk.locked': () => 'Locked',
  'desk.unlocked': () => 'Unlocked',
  'unlock.failed': (details) =>
    typeof details.count === 'number'
      ? `Failed to unlock (${formatCountOf(details.count, 'try', 'tries')})`
      : 'Failed to unlock',
  'unlock.passphraseSet': () => 'Set the unlock passphrase',
  'unlock.passphraseRemoved': () => 'Removed the unlock passphrase',
  'unlock.recoveryCodeMade': () => 'Made a recovery code',
  'unlock.recovered': () => 'Unlocked with the recovery code',
  'settings.changed': () => 'Changed settings',
  'view.made': () => 'Saved a view',
  'view.changed': () => 'Changed a saved view',
  'view.removed': () => 'Removed a saved view',
  'rule.changed': ({ state, version, confirmed }) =>
    `${confirmed === true ? 'Confirmed' : 'Changed'} a rule: version ${version ?? ''}, ${state === 'do' ? 'decides' : (state ?? '')}`,
  'rule.moved': ({ to }) => `Moved a rule ${to ?? ''} in the order of rules`,
  'rule.removed': () => 'Removed a rule',
  'rule.decided': (details) => `A rule decided ${formatCountOf(Number(details.claims ?? 0), 'claim')}`,
  'rule.undone': (details) =>
    `Undid what a rule decided on ${formatCountOf(Number(details.claims ?? 0), 'claim')}`,
  'workspace.added': () => 'Added a workspace',
  'workspace.renamed': () => 'Renamed a workspace',
  'workspace.changed': () => 'Changed a workspace',
  'workspace.clockAccepted': () => 'Accepted the clock of the service',
  'team.joined': ({ server }) => `Joined the team at ${server}`,
  'team.left': ({ server }) => `Left the team at ${server}`,
  'team.settingsChanged': ({ by }) =>
    by === 'here' ? 'Changed settings of the team' : 'Got settings that the team changed',
  'team.logFollowed': () => 'Confirmed the log of the team’s server after it went back',
  'team.logsDismissed': ({ author, number }) =>
    `Dismissed that ${author ?? 'someone'}’s computer read a different entry ${number} of the team’s log`,
  'team.recovered': ({ role, email }) =>
    `The recovery key of the team admitted a computer of ${email ?? 'someone'} as ${role}`,
  'team.recoveryKeyReplaced': () => 'Replaced the recovery key of the team',
  'workspace.removed': () => 'Removed a workspace',
  'profile.removed': () => 'Asked to remove everything',
  'records.removalBegun': (details) => `Began to remove ${describeRemoved(details)}`,
  'records.removed': (details) => `Removed ${describeRemoved(details)}`,
  'team.removalBegun': () => 'Began a removal for the team',
  'team.removed': () => 'Removed for the team',
  'sync.lossAccepted': () => 'Accepted that records are no longer in the service',
  'sync.lossDeclined': () => 'Kept records that are no longer in the service',
  'retention.lifted': () => 'Allowed removed records to sync again',
  'backup.begun': () => 'Began a backup in the backup folder',
  'backup.set': () => 'Changed the backup folder or its seal',
  'backup.restored': () => 'Restored this profile from a backup',
  'store.repaired': () => 'Repaired a file',
  'store.asideRemoved': () => 'Deleted damaged files',
  'connect.settingsChanged': () => 'Changed the integration settings',
  'connect.memberBroughtIn': () => 'Added a member',
  'connect.memberForgotten': () => 'Removed a recently added member',
  'connect.loginSubmitted': () => 'Submitted a carrier login',
  'connect.loginCorrected': () => 'Corrected a carrier login',
  'connect.patientAccessBegun': () => 'Started signing in at a carrier',
  'audit.accepted': (details) =>
    `Accepted the log as it was: ${findings[String(details.found)] ?? 'not intact'}`,
  'audit.trimAnnounced': (details) =>
    `Found ${formatCountOf(Number(details.entries), 'entry', 'entries')} older than the log is kept, to remove in three days`,
  'audit.trimmed': (details) =>
    `Removed ${formatCountOf(Number(details.entries), 'entry', 'entries')} older than the log is kept`,
};

const describeRemoved = ({ members, claims }: AuditEntry['details']): string =>
  `${formatCountOf(Number(members ?? 0), 'member')} and ${formatCountOf(Number(claims ?? 0), 'claim')}`;

/** Describes an entry in words. An action of a newer version is shown by its name. */
export const describeEntry = ({ action, details }: Pick<AuditEntry, 'action' | 'details'>): string =>
  (words as Readonly<Record<string, (typeof words)[AuditAction]>>)[action]?.(details) ?? action;

const findings: Readonly<Record<string, string>> = {
  altered: 'an entry was changed',
  missing: 'entries are missing',
  endMissing: 'the newest entries are missing, or an older copy was restored',
  anchorMissing: 'the note of the newest entry is missing',
  logMissing: 'the log is missing',
  keyMissing: 'the key of the log is missing',
};

/** The verdict in words: the finding, and the entry where it begins. */
export function describeVerdict(verdict: AuditVerdict): string {
  const { isIntact, entries, from, firstBad, reason } = verdict;
  if (isIntact && entries === 0) return 'There are no entries yet.';
  if (isIntact) {
    const since = from > 1 ? `, verified from entry ${formatCount(from)} on` : '';
    return `Intact: ${formatCountOf(entries, 'entry', 'entries')}${since}.`;
  }
  const finding = findings[reason ?? ''] ?? 'it was changed';
  const where = firstBad === null || reason === 'logMissing' ? '' : ` (entry ${formatCount(firstBad)})`;
  return `Not intact: ${finding}${where}.`;
}

/** A local day as the moment it begins; `isEnd`: the moment the next day begins. */
export function dayToMoment(day: string, isEnd = false): string | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined || day === '') return undefined;
  const moment = new Date(year, month - 1, date + (isEnd ? 1 : 0));
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}
