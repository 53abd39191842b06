import {
  type AccountRules,
  type Layers,
  type Limit,
  type MeterRules,
  noLimit,
  startOf,
} from '../../src/rules/plans/plan-rules.ts';

const inside = (dollars: number | null): number | null => (dollars === null ? null : dollars * 10_000);

/** Makes a limit from dollars; a lone member has the person's, else the family's, unless it is given. */
export const limitOf = (
  person: number | null,
  family: number | null,
  alone: number | null = person ?? family,
): Limit => ({ alone: inside(alone), person: inside(person), family: inside(family) });

/** Makes a meter from dollars: within a family, an aggregate one has no limit per person. */
export const meterOf = (
  kind: 'embedded' | 'aggregate',
  person: number | null,
  family: number | null,
  more: Partial<MeterRules> = {},
): MeterRules => ({
  ...startOf.deductible,
  inNetwork: kind === 'embedded' ? limitOf(person, family) : limitOf(null, family, person ?? family),
  ...more,
});

export const layersOf = (...layers: readonly (readonly ['member' | 'account', number | null])[]): Layers =>
  layers.map(([payer, dollars]) => ({ payer, amount: inside(dollars) }));

/** An account with the same layers for each coverage, without limits. */
export const accountOf = (layers: Layers, more: Partial<AccountRules> = {}): AccountRules => ({
  ...{ per: 'person', layers: { alone: layers, family: layers }, limit: noLimit, carryOver: null },
  ...more,
});
