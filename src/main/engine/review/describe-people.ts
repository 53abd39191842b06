import { noneDecided, type PersonReport, personKinds } from '../../../contract/people-report.ts';
import { ageRanges } from '../../../rules/age-ranges.ts';
import type { PersonCounts } from '../store/worklists/read-people.ts';

/** A current or former member of the team, with the computers that the team admitted. */
export interface TeamPerson {
  readonly email: string;
  /** False: a former member. */
  readonly isMember: boolean;
  readonly isYou: boolean;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, count) => sum + count, 0);

/** Compares rows: the largest first; people of the team by name, the user first. */
function compare(report: PersonReport, other: PersonReport): number {
  const place = ({ kind }: PersonReport): number => personKinds.indexOf(kind);
  const size = ({ kind, isYou, open, decided }: PersonReport): number =>
    kind === 'member' ? Number(isYou) : sumOf(open) + decided.claims;
  return (
    place(report) - place(other) ||
    size(other) - size(report) ||
    report.person.localeCompare(other.person, 'en')
  );
}

/** The rows of the report: members, then former members and others who have something, then unowned claims. */
export function describePeople(
  counted: readonly PersonCounts[],
  team: readonly TeamPerson[],
  today: string,
): PersonReport[] {
  const nothing = {
    isVerified: true,
    open: ageRanges(today).map(() => 0),
    days: [],
    checked: 0,
    disagreed: 0,
    decided: noneDecided(),
  };
  const absent = [...team.filter(({ isMember }) => isMember).map(({ email }) => email), null].filter(
    (person) => !counted.some((entry) => entry.person === person && entry.isVerified),
  );
  const all = [...counted, ...absent.map((person) => ({ ...nothing, person }))];
  return all
    .map(({ person, ...counts }): PersonReport => {
      const teamMember = counts.isVerified ? team.find(({ email }) => email === person) : undefined;
      const ofTeam = teamMember?.isMember === true ? 'member' : 'former';
      return {
        ...counts,
        kind: person === null ? 'unassigned' : teamMember === undefined ? 'outsider' : ofTeam,
        person: person ?? '',
        isYou: teamMember?.isYou === true,
      };
    })
    .sort(compare);
}
