import {
  countDecided,
  decidedConditions,
  openConditions,
  type Period,
  type PersonReport,
} from '../../src/contract/people-report.ts';
import { ageRanges } from '../../src/rules/age-ranges.ts';
import type { ListQuery } from '../../src/rules/query.ts';
import { decidedKinds } from '../../src/rules/review/decided-by.ts';

/** Each number of the report by person beside the list that it opens. */
export function* numbersOf(
  people: readonly PersonReport[],
  period: Period,
  today: string,
): Generator<{ name: string; claims: number; query: ListQuery }> {
  for (const person of people) {
    const { person: email, kind: of, open, decided, days } = person;
    const name = `${of} ${email} ${person.isVerified}`;
    const claims = { entity: 'claims' as const };
    if (person.isVerified) {
      for (const [age] of ageRanges(today).entries())
        yield {
          name: `${name} open ${age}`,
          claims: open[age] ?? Number.NaN,
          query: { ...claims, conditions: openConditions(email, today, age) },
        };
      const all = open.reduce((sum, one) => sum + one, 0);
      yield {
        name: `${name} open`,
        claims: all,
        query: { ...claims, conditions: openConditions(email, today) },
      };
    }
    if (of === 'unassigned') continue;
    for (const kind of decidedKinds) {
      yield {
        name: `${name} ${kind}`,
        claims: countDecided(person, kind),
        query: { ...claims, conditions: decidedConditions(person, kind, period), includesMissing: true },
      };
      if (kind === 'checked' || kind === 'disagreed') continue;
      for (const { day, ...counts } of days)
        yield {
          name: `${name} ${kind} ${day}`,
          claims: countDecided({ ...person, decided: counts }, kind),
          query: {
            ...claims,
            conditions: decidedConditions(person, kind, { first: day, last: day }),
            includesMissing: true,
          },
        };
    }
    const byOutcome = Object.values(decided.byOutcome).reduce((sum, one) => sum + one, 0);
    if (byOutcome !== decided.claims || decided.reopened > decided.claims) throw new Error(`sums of ${name}`);
  }
}
