import { resolve } from 'node:path';
import { isReason } from '../../../../contract/export.ts';
import type { TeamRemoval } from '../../../../contract/store.ts';
import { type TeamStatus, type TeamVerdict, wordOfRemoval } from '../../../../contract/team.ts';
import { readDollars } from '../../../../rules/money/amounts.ts';
import { inPlanDollars } from '../../../../rules/plans/plan-rules.ts';
import { isLeftOut, type TeamSettings } from '../../../../rules/review/team-settings.ts';
import { DeskError } from '../../../lib/errors.ts';
import { inWork, type Runner, row } from '../command-row.ts';
import type { Printer } from '../output.ts';
import { type Command, parseDay, parseReason, parseWhole } from '../parse-command.ts';
import { inSession, type Work } from '../run-in-session.ts';
import { UsageError } from '../usage.ts';

function readRule({ options }: Command): TeamRemoval {
  const { 'claims-before': date, member, employer, everything } = options;
  const chosen = [date, member, employer, everything].filter((option) => option !== undefined);
  if (chosen.length !== 1)
    throw new UsageError('use one of --claims-before, --member, --employer, --everything');
  parseDay(date, '--claims-before');
  const memberId = parseWhole(member, '--member');
  const employerId = parseWhole(employer, '--employer');
  if (memberId !== undefined) return { kind: 'member', memberId };
  if (employerId !== undefined) return { kind: 'employer', employerId };
  return date === undefined ? { kind: 'everything' } : { kind: 'claimsBefore', date };
}

/** Prints a new key and changes nothing if none is given; a key typed from paper becomes the team's. */
async function renewRecovery({ session, workspaceId, command, output }: Work): Promise<void> {
  const { 'recovery-key': recoveryKey } = command.options;
  if (recoveryKey === undefined) {
    await output.json(await session.call('team:makeRecoveryKey', { workspaceId }));
    output.info(
      'Nothing is changed yet. Print recovery key, server, and team, and repeat the command with the key typed from the page.',
    );
    return;
  }
  const { isNew } = await session.call('team:replaceRecoveryKey', { workspaceId, recoveryKey });
  await output.json({ event: isNew ? 'replaced' : 'unchanged' });
  output.info(
    isNew
      ? 'Destroy the former page. It can no longer admit computers, but with a copy of the team’s log it can still decrypt older entries.'
      : 'This was the recovery key of the team already. Nothing is changed.',
  );
}

function inDollars({ twoPeopleAbove, rules, planRules = {}, ...others }: TeamSettings) {
  const dollars = (value: number | null | undefined) => (value == null ? value : value / 10_000);
  const ofEmployers = Object.entries(rules).map(([employer, { highCostFrom, ...rule }]) => [
    employer,
    { ...rule, highCostFrom: dollars(highCostFrom) },
  ]);
  return {
    ...others,
    rules: Object.fromEntries(ofEmployers),
    planRules: Object.fromEntries(
      Object.entries(planRules).map(([employer, plan]) => [employer, inPlanDollars(plan)]),
    ),
    twoPeopleAbove: dollars(twoPeopleAbove) ?? null,
  };
}

async function revoke({ session, workspaceId, command, output }: Work): Promise<void> {
  const emailOrComputer = command.words[2] as string;
  const target = emailOrComputer.includes('@') ? { email: emailOrComputer } : { computer: emailOrComputer };
  await output.json(await session.call('team:revoke', { workspaceId, ...target }));
  const status = await session.call('team:getStatus', { workspaceId });
  if ((status?.formerAdmins.length ?? 0) > 0)
    output.info(
      'The removal isn’t finished: replace the recovery key with `team recover --renew`, because a former admin may have a copy.',
    );
}

async function exportLog({ session, workspaceId, command, output }: Work): Promise<void> {
  const { out } = command.options;
  const reason = parseReason(command.options);
  if (out === undefined) throw new UsageError('--out FILE is required');
  if (!isReason(reason)) throw new UsageError('--reason TEXT is required: the log has names and notes');
  const targetId = await session.addSaveTarget(resolve(out), 'teamLog');
  const { verdict, ...written } = await session.call('team:export', { workspaceId, targetId, reason });
  await printVerdict(verdict, written, output);
}

async function removeRecords({ session, workspaceId, command, output }: Work): Promise<void> {
  const rule = readRule(command);
  const reason = parseReason(command.options);
  if (!isReason(reason)) throw new UsageError('--reason TEXT is required: every member can read it');
  if (command.options.yes !== true) {
    await output.json({
      event: 'planned',
      ...(await session.call('team:planRemoval', { workspaceId, rule })),
    });
    output.info(
      'This permanently removes these records and reviews, including backups, from every computer of the team and from its server. Nothing was removed. Export first (`team export`), then add --yes to remove.',
    );
    throw new DeskError('data.notConfirmed');
  }
  await session.call('team:remove', { workspaceId, rule, reason, typed: wordOfRemoval(rule) });
  await output.json({ event: 'removed', ...rule });
  output.info('Each computer removes them when it is next online; `team removals` lists which have.');
}

async function setMinimumVersion({ session, workspaceId, command, output }: Work): Promise<void> {
  const [, , requested] = command.words;
  if (requested !== undefined && requested !== 'any' && !/^\d{1,5}(\.\d{1,5}){2}$/.test(requested))
    throw new UsageError('write a version as 0.3.0, or any');
  const { settings, computers } = await session.call('team:getSettings', { workspaceId });
  const least = (requested === 'any' ? undefined : (requested ?? settings?.minVersion)) ?? null;
  const leftOut = computers.flatMap(({ computer, email, version }) =>
    least !== null && isLeftOut(version, least) ? [{ computer, email, version }] : [],
  );
  const mayChange = requested !== undefined && (leftOut.length === 0 || command.options.yes === true);
  await output.json({ minVersion: least, isChanged: mayChange, leftOut });
  if (requested === undefined) return;
  if (!mayChange) {
    output.info(
      'These computers couldn’t send until they are updated. Nothing was changed; add --yes to do it.',
    );
    throw new DeskError('data.notConfirmed');
  }
  const value = least === null ? {} : { value: least };
  await session.call('team:changeSettings', {
    workspaceId,
    changes: [{ setting: 'minVersion', ...value }],
  });
  await session.call('team:sync', { workspaceId });
}

async function changeSettings({ session, workspaceId, command, output }: Work): Promise<void> {
  const { 'two-people-above': typed } = command.options;
  if (typed !== undefined) {
    const value = typed === 'none' ? undefined : readDollars(typed);
    if (value === null || (value !== undefined && value < 0))
      throw new UsageError('--two-people-above takes an amount such as 500, or none');
    const rule = { setting: 'twoPeopleAbove' as const, ...(value === undefined ? {} : { value }) };
    await session.call('team:changeSettings', { workspaceId, changes: [rule] });
    await session.call('team:sync', { workspaceId });
  }
  const { settings } = await session.call('team:getSettings', { workspaceId });
  await output.json(settings === null ? {} : inDollars(settings));
}

const count = (number: number, singular: string, plural: string): string =>
  `${number.toLocaleString('en-US')} ${number === 1 ? singular : plural}`;

const findingTexts: Readonly<Record<TeamVerdict['findings'][number]['finding'], string>> = {
  order: 'it doesn’t follow from the one before, so nothing after it was checked',
  place: 'its author had read another log, or not every change of the members',
  otherTeam: 'it’s of another team',
  author: 'its author wasn’t a member then',
  role: 'its author could only read then',
  signature: 'its signature is wrong',
  membership: 'it changes the members in a way that isn’t allowed',
  certificate: 'a certificate is wrong',
  content: 'its content isn’t what its author signed',
  removal: 'it changes what is left of an entry, or removes one for no reason that it gives',
  end: 'the log doesn’t end where its first line says',
  known: 'this computer has read another one with this number',
};

/** Entries whose authors had read another log. */
function describeOtherLogs({ otherLogs }: TeamVerdict): string {
  if (otherLogs.length === 0) return '';
  const listed = otherLogs.slice(0, 3).map(({ number, by, seen }) => {
    const [entry, other] = [number, seen].map((entryNumber) => entryNumber.toLocaleString('en-US'));
    return `entry ${entry}: ${by} had read another entry ${other}`;
  });
  const more = otherLogs.length > 3 ? [count(otherLogs.length - 3, 'other', 'others')] : [];
  return ` Written after something that isn’t in it: ${[...listed, ...more].join('; ')}. The server was restored from a backup, or showed people different entries.`;
}

/** Describes the findings in a few sentences. */
export function describeVerdict(verdict: TeamVerdict): string {
  const { team, entries, computers, leftOut, refused, findings } = verdict;
  if (!verdict.isWhole) {
    const listed = findings.slice(0, 3).map(({ number, finding }) => {
      const where = number === 0 ? 'list of certificates' : `entry ${number.toLocaleString('en-US')}`;
      return `${where}: ${findingTexts[finding]}`;
    });
    const more = refused > 3 ? [count(refused - 3, 'other', 'others')] : [];
    return `The log of team ${team} is not whole (${[...listed, ...more].join('; ')}).${describeOtherLogs(verdict)}`;
  }
  const people = new Set(computers.map(({ email }) => email)).size;
  const writers = `${count(computers.length, 'computer', 'computers')} of ${count(people, 'person', 'people')}`;
  const removed = verdict.removals.filter((removal) => removal.entries > 0);
  const byRemovals = removed.slice(0, 3).map(({ number, by, entries: lost, at }) => {
    const what = count(lost, 'entry', 'entries');
    return `${by} removed the content of ${what} on ${at.slice(0, 10)} (entry ${number.toLocaleString('en-US')})`;
  });
  const others = removed.length > 3 ? [count(removed.length - 3, 'other removal', 'other removals')] : [];
  const removedText =
    removed.length === 0 ? '' : ` Removed for the team: ${[...byRemovals, ...others].join('; ')}.`;
  const whole = `The log of team ${team} is whole: ${count(entries, 'entry', 'entries')} of ${writers}, none refused.${removedText}${describeOtherLogs(verdict)}`;
  const lacking = `The content of ${count(leftOut, 'entry', 'entries')} is left out and could not be checked.`;
  return leftOut === 0 ? whole : `${whole} ${lacking}`;
}

/** Prints the result of a check. @throws DeskError `team.logBroken` if the log is incomplete */
async function printVerdict(verdict: TeamVerdict, written: object, output: Printer): Promise<void> {
  await output.json({ ...written, ...verdict });
  output.info(describeVerdict(verdict));
  if (!verdict.isWhole) throw new DeskError('team.logBroken');
}

/** `claimdesk team verify [FILE]`: the log on the team's server or, without a team, an exported one. */
const verify: Runner = (command, output) => {
  const file = command.words[2];
  return inSession(command, false, async (session) => {
    const verdict =
      file === undefined
        ? await session.call('team:verify', { workspaceId: (await session.findWorkspace()).id })
        : await (await session.getEngine()).verifyTeamFile(resolve(file));
    await printVerdict(verdict, {}, output);
  });
};

/** The status as a line, where the workspace has a team. */
const sayHeld = (status: TeamStatus): string | null => {
  if (status === null)
    return 'This workspace has no team. `claimdesk team create` makes one; `claimdesk team join` joins one.';
  if (status.held === 0) return null;
  return `${count(status.held, 'act', 'acts')} on this computer can’t be sent, because your role in the team is reader now. \`claimdesk team undo-held\` undoes what is only on this computer.`;
};

const recover = row({ call: 'team:recover', writes: true });
const renew = inWork(true, renewRecovery);

/** `claimdesk team …`: one set of reviews for several people, over a team server. */
export const teamCommands: Readonly<Record<string, Runner>> = {
  status: row({
    call: 'team:getStatus',
    writes: true,
    info: sayHeld,
    lines: (status) => [status ?? { state: 'noTeam' }],
  }),
  sync: row({
    call: 'team:sync',
    writes: true,
    info: (status) =>
      status?.role === null && status.code !== null
        ? 'Tell the code to the admin who invited you, best by phone. The admin sees the same one.'
        : null,
  }),
  create: row({
    call: 'team:create',
    writes: true,
    info: () =>
      'Print recovery key, server, and team, and keep them where only admins of the team get them. The key is shown only now.',
  }),
  recover: (command, output) => (command.options.renew === true ? renew : recover)(command, output),
  'follow-log': row({
    call: 'team:followLog',
    writes: true,
    lines: ({ isFollowed }) => [{ event: isFollowed ? 'followed' : 'confirmed' }],
    info: ({ isFollowed }) =>
      isFollowed ? null : 'An admin on another computer has to confirm the log too.',
  }),
  invite: row({ call: 'team:invite', writes: true }),
  join: row({
    call: 'team:join',
    writes: true,
    info: () =>
      'Call the admin who invited you. Once they have run `claimdesk team joins` or opened Settings, Team, `claimdesk team sync` prints the code that both of you compare.',
  }),
  joins: row({ call: 'team:listJoins', writes: true, lines: ({ joins }) => joins }),
  approve: row({
    call: 'team:approve',
    writes: true,
    arguments: ['computer'],
    options: { 'accept-other-key': 'acceptsOtherKey' },
  }),
  members: row({ call: 'team:listMembers', writes: true, lines: ({ members }) => members }),
  role: row({ call: 'team:setRole', writes: true, arguments: ['email'] }),
  revoke: inWork(true, revoke),
  verify,
  export: inWork(false, exportLog),
  remove: inWork(true, removeRecords),
  removals: row({ call: 'team:listRemovals', writes: true, lines: ({ removals }) => removals }),
  'minimum-version': inWork(true, setMinimumVersion),
  settings: inWork(true, changeSettings),
  'undo-held': row({
    call: 'team:undoHeld',
    writes: true,
    info: ({ left }) =>
      left > 0
        ? `${count(left, 'act is', 'acts are')} left, because later steps of a run depend on it.`
        : null,
  }),
  leave: row({ call: 'team:leave', writes: true }),
};
