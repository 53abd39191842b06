import {
  countDecided,
  decidedConditions,
  openConditions,
  usualPeriod,
} from '../../../../contract/people-report.ts';
import { ageRanges } from '../../../../rules/age-ranges.ts';
import { localDayOf } from '../../../../rules/days.ts';
import type { Condition } from '../../../../rules/query.ts';
import { decidedKinds } from '../../../../rules/review/decided-by.ts';
import type { Printer } from '../output.ts';
import { type Command, parseDay, writeFilter } from '../parse-command.ts';
import { inWorkspace } from '../run-in-session.ts';
import { UsageError } from '../usage.ts';

/**
 * `claimdesk review people`: prints what each person of the team has open and decided, one a line. Each number comes
 * with the filters that list its claims.
 */
export async function runPeople(command: Command, output: Printer): Promise<number> {
  const usual = usualPeriod(localDayOf(new Date()));
  const period = {
    first: parseDay(command.options.from, '--from') ?? usual.first,
    last: parseDay(command.options.to, '--to') ?? usual.last,
  };
  if (period.first > period.last) throw new UsageError('--from is after --to');
  const numberOf = (claims: number, conditions: readonly Condition[]) => ({
    claims,
    ...(claims === 0 ? {} : { filter: conditions.map(writeFilter) }),
  });
  // Updates the reviews, unless another process does.
  return inWorkspace(command, 'ifFree', async (session, workspaceId) => {
    const { day, people } = await session.call('worklists:reportPeople', { workspaceId, period });
    for (const row of people) {
      const { kind, person, isVerified, open, days } = row;
      const all = open.reduce((sum, count) => sum + count, 0);
      await output.json({
        kind,
        ...(person === '' ? {} : { person, verified: isVerified }),
        open: {
          ...numberOf(all, openConditions(person, day)),
          by_age: Object.fromEntries(ageRanges(day).map(({ label }, age) => [label, open[age] ?? 0])),
        },
        ...(kind === 'unassigned'
          ? {}
          : {
              ...Object.fromEntries(
                decidedKinds.map((decidedKind) => [
                  decidedKind,
                  numberOf(countDecided(row, decidedKind), decidedConditions(row, decidedKind, period)),
                ]),
              ),
              days: days.map(({ byOutcome, ...counts }) => ({ ...counts, ...byOutcome })),
            }),
      });
    }
    output.info(
      `${period.first} to ${period.last}; list the claims of a number with its filters and --missing`,
    );
  });
}
