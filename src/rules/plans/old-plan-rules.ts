type Loose = Readonly<Record<string, unknown>>;
const isLoose = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const orNull = (value: unknown): unknown => value ?? null;

/** Older limits have one amount for a member alone and for a person within a family. */
function upgradeLimit(limit: unknown, isEmbedded: boolean): unknown {
  if (!isLoose(limit) || 'alone' in limit) return limit;
  const { person, family } = limit;
  return {
    alone: orNull(person ?? family),
    person: isEmbedded ? orNull(person) : null,
    family: orNull(family),
  };
}

/** Older meters say by their kind whether each person within a family has a limit too (embedded). */
function upgradeMeter(meter: unknown): unknown {
  if (!isLoose(meter)) return meter;
  const { kind, ...rest } = meter;
  const upgraded = (limit: unknown): unknown => upgradeLimit(limit, kind !== 'aggregate');
  return {
    ...{ outCountsIn: false, inCountsOut: false },
    ...rest,
    inNetwork: upgraded(rest.inNetwork),
    outOfNetwork: upgraded(rest.outOfNetwork),
  };
}

/** Older accounts have the same layers for each coverage. */
function upgradeAccount(account: unknown): unknown {
  if (!isLoose(account)) return account;
  const { layers, limit } = account;
  return {
    ...account,
    layers: Array.isArray(layers) ? { alone: layers, family: layers } : layers,
    limit: upgradeLimit(limit, true),
  };
}

/** Reads plan rules as earlier versions stored them; current ones are unchanged. */
export const upgradePlanYear = (year: unknown): unknown =>
  isLoose(year)
    ? {
        ...{ countsEarlier: false, drugDeductible: null },
        ...year,
        deductible: upgradeMeter(year.deductible),
        ...('drugDeductible' in year && { drugDeductible: upgradeMeter(year.drugDeductible) }),
        outOfPocket: upgradeMeter(year.outOfPocket),
        account: upgradeAccount(year.account),
      }
    : year;
