import { resolve } from 'node:path';
import { isReason } from '../../../../contract/export.ts';
import type { TeamRemoval } from '../../../../contract/store.ts';
import { type TeamVerdict, teamRoles, wordOfRemoval } from '../../../../contract/team.ts';
import { inPlanDollars } from '../../../../rules/plans/plan-rules.ts';
import { isLeftOut, type TeamSettings } from '../../../../rules/review/team-settings.ts';
import { DeskError } from '../../../lib/errors.ts';
import type { Output } from '../output.ts';
import { type Command, parseReason, parseWhole } from '../parse-command.ts';
import { inSession, inWorkspace, type Work } from '../run-in-session.ts';
import { UsageError } from '../usage.ts';
import { parseDollars } from './read-partly.ts';

function require(
  command: Command,
  name: 'server' | 'setup-code' | 'invitation' | 'team' | 'recovery-key',
): string {
  const value = command.options[name];
  if (value === undefined) throw new UsageError(`--${name} is required`);
  return value;
}

function readRole({ options }: Command): (typeof teamRoles)[number] {
  const role = teamRoles.find((one) => one === options.role);
  if (role === undefined) throw new UsageError(`--role is one of ${teamRoles.join(', ')}`);
  return role;
}

function readRule({ options }: Command): TeamRemoval {
  const { 'claims-before': date, member, employer, everything } = options;
  const chosen = [date, member, employer, everything].filter((one) => one !== undefined);
  if (chosen.length !== 1)
    throw new UsageError('use one of --claims-before, --member, --employer, --everything');
  if (date !== undefined && !/^\d{4}-\d\d-\d\d$/.test(date))
    throw new UsageError('write a date as 2024-01-31');
  const memberId = parseWhole(member, '--member');
  const employerId = parseWhole(employer, '--employer');
  if (memberId !== undefined) return { kind: 'member', memberId };
  if (employerId !== undefined) return { kind: 'employer', employerId };
  return date === undefined ? { kind: 'everything' } : { kind: 'claimsBefore', date };
}

/** Without the key: prints a new one, and changes nothing. With it, as typed from paper: makes it the team's. */
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

const wordOf = ({ words }: Command): string => words[2] as string;

/** The settings with amounts in dollars. */
function inDollars({ twoPeopleAbove, rules, planRules = {}, ...others }: TeamSettings) {
  const dollars = (value: number | null | undefined) => (value == null ? value : value / 10_000);
  const ofEmployers = Object.entries(rules).map(([employer, { highCostFrom, ...rule }]) => [
    employer,
    { ...rule, highCostFrom: dollars(highCostFrom) },
  ]);
  return {
    ...others,
    rules: Object.fromEntries(ofEmployers),
    planRules: Object.fromEntries(Object.entries(planRules).map(([of, one]) => [of, inPlanDollars(one)])),
    twoPeopleAbove: dollars(twoPeopleAbove) ?? null,
  };
}

const verbs: Readonly<Record<string, (work: Work) => Promise<void>>> = {
  async status({ session, workspaceId, output }) {
    const status = await session.call('team:getStatus', { workspaceId });
    await output.json(status ?? { state: 'noTeam' });
    if (status === null)
      output.info(
        'This workspace has no team. `claimdesk team create` makes one; `claimdesk team join` joins one.',
      );
    else if (status.held > 0)
      output.info(
        `${count(status.held, 'act', 'acts')} on this computer can’t be sent, because your role in the team is reader now. \`claimdesk team undo-held\` undoes what nobody else has.`,
      );
  },
  async sync({ session, workspaceId, output }) {
    const status = await session.call('team:sync', { workspaceId });
    await output.json(status);
    if (status?.role === null && status.code !== null)
      output.info('Tell the code to the admin who invited you, best by phone. The admin sees the same one.');
  },
  async create({ session, workspaceId, command, output }) {
    const wanted = { server: require(command, 'server'), setupCode: require(command, 'setup-code') };
    await output.json(await session.call('team:create', { workspaceId, ...wanted }));
    output.info(
      'Print recovery key, server, and team, and keep them where only admins of the team get them. The key is shown only now.',
    );
  },
  async recover({ session, workspaceId, command, output }) {
    if (command.options.renew === true) return renewRecovery({ session, workspaceId, command, output });
    const wanted = {
      server: require(command, 'server'),
      team: require(command, 'team'),
      recoveryKey: require(command, 'recovery-key'),
    };
    await output.json(await session.call('team:recover', { workspaceId, ...wanted }));
  },
  async 'follow-log'({ session, workspaceId, command, output }) {
    const { 'recovery-key': recoveryKey } = command.options;
    const wanted = recoveryKey === undefined ? {} : { recoveryKey };
    const { isFollowed } = await session.call('team:followLog', { workspaceId, ...wanted });
    await output.json({ event: isFollowed ? 'followed' : 'confirmed' });
    if (!isFollowed) output.info('An admin on another computer has to confirm the log too.');
  },
  async invite({ session, workspaceId, command, output }) {
    const { email, 'recovery-key': recoveryKey } = command.options;
    if (email === undefined) throw new UsageError('--email is required');
    const whom = { email, role: readRole(command) };
    await output.json(await session.call('team:invite', { workspaceId, ...whom, recoveryKey }));
  },
  async join({ session, workspaceId, command, output }) {
    const invitation = require(command, 'invitation');
    await output.json(await session.call('team:join', { workspaceId, invitation }));
    output.info(
      'Call the admin who invited you. Once they have run `claimdesk team joins` or opened Settings, Team, `claimdesk team sync` prints the code that both of you compare.',
    );
  },
  async joins({ session, workspaceId, output }) {
    for (const join of (await session.call('team:listJoins', { workspaceId })).joins) await output.json(join);
  },
  async approve({ session, workspaceId, command, output }) {
    const acceptsOtherKey = command.options['accept-other-key'] === true;
    const wanted = { computer: wordOf(command), acceptsOtherKey };
    await output.json(await session.call('team:approve', { workspaceId, ...wanted }));
  },
  async members({ session, workspaceId, output }) {
    for (const member of (await session.call('team:listMembers', { workspaceId })).members)
      await output.json(member);
  },
  async role({ session, workspaceId, command, output }) {
    const wanted = { email: wordOf(command), role: readRole(command) };
    await output.json(await session.call('team:setRole', { workspaceId, ...wanted }));
  },
  async revoke({ session, workspaceId, command, output }) {
    const of = wordOf(command);
    const wanted = of.includes('@') ? { email: of } : { computer: of };
    await output.json(await session.call('team:revoke', { workspaceId, ...wanted }));
    const status = await session.call('team:getStatus', { workspaceId });
    if ((status?.formerAdmins.length ?? 0) > 0)
      output.info(
        'The removal isn’t finished: replace the recovery key with `team recover --renew`, because a former admin may have a copy.',
      );
  },
  async verify({ session, workspaceId, output }) {
    await tellVerdict(await session.call('team:verify', { workspaceId }), {}, output);
  },
  async export({ session, workspaceId, command, output }) {
    const { out } = command.options;
    const reason = parseReason(command.options);
    if (out === undefined) throw new UsageError('--out FILE is required');
    if (!isReason(reason)) throw new UsageError('--reason TEXT is required: the log has names and notes');
    const targetId = await session.addSaveTarget(resolve(out), 'teamLog');
    const { verdict, ...written } = await session.call('team:export', { workspaceId, targetId, reason });
    await tellVerdict(verdict, written, output);
  },
  async remove({ session, workspaceId, command, output }) {
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
  },
  async removals({ session, workspaceId, output }) {
    for (const one of (await session.call('team:listRemovals', { workspaceId })).removals)
      await output.json(one);
  },
  async 'minimum-version'({ session, workspaceId, command, output }) {
    const [, , wanted] = command.words;
    if (wanted !== undefined && wanted !== 'any' && !/^\d{1,5}(\.\d{1,5}){2}$/.test(wanted))
      throw new UsageError('write a version as 0.3.0, or any');
    const { settings, computers } = await session.call('team:getSettings', { workspaceId });
    const least = (wanted === 'any' ? undefined : (wanted ?? settings?.minVersion)) ?? null;
    const leftOut = computers.flatMap(({ computer, email, version }) =>
      least !== null && isLeftOut(version, least) ? [{ computer, email, version }] : [],
    );
    const mayChange = wanted !== undefined && (leftOut.length === 0 || command.options.yes === true);
    await output.json({ minVersion: least, isChanged: mayChange, leftOut });
    if (wanted === undefined) return;
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
  },
  async settings({ session, workspaceId, command, output }) {
    const { 'two-people-above': typed } = command.options;
    if (typed !== undefined) {
      const value = typed === 'none' ? undefined : parseDollars(typed);
      if (value === null || (value !== undefined && value < 0))
        throw new UsageError('--two-people-above takes an amount such as 500, or none');
      const rule = { setting: 'twoPeopleAbove' as const, ...(value === undefined ? {} : { value }) };
      await session.call('team:changeSettings', { workspaceId, changes: [rule] });
      await session.call('team:sync', { workspaceId });
    }
    const { settings } = await session.call('team:getSettings', { workspaceId });
    await output.json(settings === null ? {} : inDollars(settings));
  },
  async 'undo-held'({ session, workspaceId, output }) {
    const done = await session.call('team:undoHeld', { workspaceId });
    await output.json(done);
    if (done.left > 0)
      output.info(
        `${count(done.left, 'act is', 'acts are')} left, because later steps of a run depend on it.`,
      );
  },
  async leave({ session, workspaceId, output }) {
    await output.json(await session.call('team:leave', { workspaceId }));
  },
};

const count = (number: number, one: string, many: string): string =>
  `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`;

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
    const [entry, other] = [number, seen].map((one) => one.toLocaleString('en-US'));
    return `entry ${entry}: ${by} had read another entry ${other}`;
  });
  const more = otherLogs.length > 3 ? [count(otherLogs.length - 3, 'other', 'others')] : [];
  return ` Written after something that isn’t in it: ${[...listed, ...more].join('; ')}. The server was restored from a backup, or showed people different entries.`;
}

/** What was found, in a few sentences. */
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
  const by = `${count(computers.length, 'computer', 'computers')} of ${count(people, 'person', 'people')}`;
  const removed = verdict.removals.filter((one) => one.entries > 0);
  const byRemovals = removed.slice(0, 3).map(({ number, by, entries: lost, at }) => {
    const what = count(lost, 'entry', 'entries');
    return `${by} removed the content of ${what} on ${at.slice(0, 10)} (entry ${number.toLocaleString('en-US')})`;
  });
  const others = removed.length > 3 ? [count(removed.length - 3, 'other removal', 'other removals')] : [];
  const removedText =
    removed.length === 0 ? '' : ` Removed for the team: ${[...byRemovals, ...others].join('; ')}.`;
  const whole = `The log of team ${team} is whole: ${count(entries, 'entry', 'entries')} of ${by}, none refused.${removedText}${describeOtherLogs(verdict)}`;
  const lacking = `The content of ${count(leftOut, 'entry', 'entries')} is left out and could not be checked.`;
  return leftOut === 0 ? whole : `${whole} ${lacking}`;
}

/** Prints a verdict. @throws DeskError `team.logBroken` where the log is not whole */
async function tellVerdict(verdict: TeamVerdict, written: object, output: Output): Promise<void> {
  await output.json({ ...written, ...verdict });
  output.info(describeVerdict(verdict));
  if (!verdict.isWhole) throw new DeskError('team.logBroken');
}

/** Commands that run beside an open app. */
const reading: readonly string[] = ['verify', 'export'];

/** `claimdesk team …`: one set of reviews for several people, over a team server. */
export const runTeam = (command: Command, output: Output): Promise<number> => {
  const [, verb = '', file] = command.words;
  if (verb === 'verify' && file !== undefined)
    return inSession(command, false, async (session) => {
      const engine = await session.getEngine();
      await tellVerdict(await engine.verifyTeamFile(resolve(file)), {}, output);
      return undefined;
    });
  return inWorkspace(command, !reading.includes(verb), async (session, workspaceId) => {
    await verbs[verb]?.({ session, workspaceId, command, output });
    return undefined;
  });
};
