import type { TeamStatus } from '../../../contract/team.ts';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import type { StatusLinkTone } from '../../components/status-link.tsx';

export type OwnTeam = NonNullable<TeamStatus>;
export type TeamRole = NonNullable<OwnTeam['role']>;

export const roleLabels: Readonly<Record<TeamRole, string>> = {
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

const sayEarlier = (earlier: NonNullable<OwnTeam['earlier']>, unread: number): string => {
  if (earlier === 'checking') return 'earlier entries are still being checked';
  const whose = unread === 0 ? '' : ` of ${formatCountOf(unread, 'claim')}`;
  return `earlier reviews${whose} are still being read`;
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
  unread,
}: Pick<OwnTeam, 'state' | 'unsent' | 'arriving' | 'earlier' | 'unread'>): string {
  if (state === 'live' && arriving !== null)
    return `receiving ${formatCount(arriving.claims)} claims from ${arriving.email}`;
  const isReading = (state === 'live' || state === 'connecting') && earlier !== null;
  if (isReading) return `${words[state]}, ${sayEarlier(earlier, unread)}`;
  const isLate = (state === 'offline' || state === 'stopped') && unsent > 0;
  return isLate ? `${words[state]}, ${formatCount(unsent)} to send` : words[state];
}

/** The text and tone for the top bar; where the team has stopped, why and what to do. */
export function summarizeTeam(team: OwnTeam): { tone: StatusLinkTone; text: string } {
  const { state, problem } = team;
  const isProblem = state === 'stopped' && problem !== null;
  return {
    tone: tones[state],
    text: `Team: ${isProblem ? `${problem.message} ${problem.nextStep}` : describeTeam(team)}`,
  };
}
