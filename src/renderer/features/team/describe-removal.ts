import type { Output } from '../../../contract/procedures.ts';
import type { TeamRemoval } from '../../../contract/store.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { addDays, formatDay } from '../../../rules/days.ts';
import { formatDayOf } from '../../lib/format-date.ts';

export type ListedRemoval = Output<'team:listRemovals'>['removals'][number];

/** Describes a removal without a name, because the name of a removed member is no longer stored. */
export function describeRule(rule: TeamRemoval): string {
  switch (rule.kind) {
    case 'member':
      return `Member with record no. ${rule.memberId}`;
    case 'claimsBefore':
      return `Claims with service through ${formatDay(addDays(rule.date, -1) ?? rule.date)}`;
    case 'employer':
      return `Employer ${rule.employerId}`;
    case 'everything':
      return 'Everything';
  }
}

/** On how many computers a removal was carried out: "Removed on 7 of 9 computers". */
export function describeDone({ computers }: Pick<ListedRemoval, 'computers'>): string {
  const done = computers.filter(({ isDone }) => isDone).length;
  return done === computers.length
    ? `Removed on ${done === 1 ? 'the only computer' : `all ${done} computers`} of the team`
    : `Removed on ${done} of ${formatCountOf(computers.length, 'computer')}`;
}

/** A line for each computer that has not carried it out, with the day it was last seen, if known. */
export const describeMissing = ({ computers }: Pick<ListedRemoval, 'computers'>): string[] =>
  computers.flatMap(({ computer, email, isThis, isDone, seenAt }) => {
    if (isDone) return [];
    if (isThis) return ['This computer has not removed it yet.'];
    const whose = `${email}’s computer ${computer.slice(0, 6)}`;
    return [
      seenAt === null
        ? `${whose} has not removed it yet.`
        : `${whose} was last here on ${formatDayOf(seenAt)}.`,
    ];
  });
