import type { TeamStatus } from '../../../contract/team.ts';
import { formatCount } from '../../../rules/count.ts';
import type { StatusLinkTone } from '../../components/status-link.tsx';

export type OwnTeam = NonNullable<TeamStatus>;
export type RoleInTeam = NonNullable<OwnTeam['role']>;

export const roleLabels: Readonly<Record<RoleInTeam, string>> = {
  admin: 'Admin',
  reviewer: 'Reviewer',
  reader: 'Reader',
};

export const roleChoices = Object.entries(roleLabels).map(([value, label]) => ({ value, label }));

const tones: Readonly<Record<OwnTeam['state'], StatusLinkTone>> = {
  connecting: 'running',
  waiting: 'none',
  live: 'good',
  offline: 'offline',
  stopped: 'failed',
};

const words: Readonly<Record<OwnTeam['state'], string>> = {
  connecting: 'connecting',
  waiting: 'waiting for approval',
  live: 'live',
  offline: 'offline',
  stopped: 'stopped',
};

const earlierText: Readonly<Record<NonNullable<OwnTeam['earlier']>, string>> = {
  reading: 'earlier reviews are still being read',
  checking: 'earlier entries are still being checked',
};

/**
 * The state of a team, in a few words: "offline, 312 to send". While live, unsent events are being sent and are not
 * counted.
 */
export function describeTeam({
  state,
  unsent,
  arriving,
  earlier,
}: Pick<OwnTeam, 'state' | 'unsent' | 'arriving' | 'earlier'>): string {
  if (state === 'live' && arriving !== null)
    return `receiving ${formatCount(arriving.claims)} claims from ${arriving.email}`;
  const isLate = (state === 'offline' || state === 'stopped') && unsent > 0;
  return [
    words[state],
    ...(isLate ? [`${formatCount(unsent)} to send`] : []),
    ...(earlier === null ? [] : [earlierText[earlier]]),
  ].join(', ');
}

/** The text and tone for the top bar; where the team has stopped, or the rest of its log can't be read, why and what to do. */
export function summarizeTeam(team: OwnTeam): { tone: StatusLinkTone; text: string } {
  const { state, problem } = team;
  const isProblem = (state === 'stopped' || state === 'live') && problem !== null;
  return {
    tone: tones[state],
    text: `Team: ${isProblem ? `${problem.message} ${problem.nextStep}` : describeTeam(team)}`,
  };
}
