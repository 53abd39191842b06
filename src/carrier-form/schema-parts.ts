import { isObject, type Json, listIn, namesIn } from './json.ts';
import { readCondition } from './read-condition.ts';
import { type Reading, resolveRef } from './references.ts';

/** A schema divided into the parts that apply at the same level. */
export interface Parts {
  /** All but choices and conditions, merged. */
  readonly keywords: Json;
  readonly conditions: readonly {
    /** null: it cannot be tested here. */
    readonly if: Json | boolean | null;
    /** The parts that apply where the condition is met. */
    readonly met: Parts | null;
    readonly unmet: Parts | null;
  }[];
  readonly choices: readonly {
    readonly keyword: 'oneOf' | 'anyOf';
    readonly alternatives: readonly Json[];
  }[];
}

const maxHops = 10;
const nothing: Parts = { keywords: {}, conditions: [], choices: [] };

/**
 * A schema with its `allOf` merged into it: all properties and required names, and of any other keyword the first
 * one. `if` and every spelling of a dependency become conditions.
 */
export function takeApart(given: unknown, reading: Reading, depth = 0): Parts {
  reading.left -= 1;
  if (!isObject(given) || depth > maxHops || reading.left < 0) return nothing;
  const {
    allOf,
    oneOf,
    anyOf,
    if: condition,
    then: ifMet,
    else: ifUnmet,
    dependencies,
    dependentSchemas,
    dependentRequired,
    ...keywords
  } = resolveRef(given, reading);
  const inner = (part: unknown): Parts => takeApart(part, reading, depth + 1);
  const branch = (part: unknown): Parts | null => (isObject(part) ? inner(part) : null);
  const ofDependencies = [dependencies, dependentSchemas, dependentRequired]
    .filter(isObject)
    .flatMap(Object.entries)
    .flatMap(([name, dependent]) => readDependency(name, dependent, reading, branch));
  const choices = [{ keyword: 'oneOf', given: oneOf } as const, { keyword: 'anyOf', given: anyOf } as const];
  const ofChoices = choices.flatMap((choice): Parts[] => {
    const alternatives = listIn(choice.given)
      .filter(isObject)
      .filter(({ type }) => type !== 'null');
    // A choice between a schema and null, by which some servers mark optional fields, is that schema.
    if (alternatives.length === 1) return [inner(alternatives[0])];
    return alternatives.length === 0
      ? []
      : [{ ...nothing, choices: [{ keyword: choice.keyword, alternatives }] }];
  });
  const isCondition = isObject(condition) || typeof condition === 'boolean';
  const ownConditions = isCondition
    ? [{ if: readCondition(condition, reading), met: branch(ifMet), unmet: branch(ifUnmet) }]
    : [];
  return [...listIn(allOf).map(inner), ...ofChoices].reduce<Parts>(
    (all, part) => ({
      keywords: mergeTwo(all.keywords, part.keywords),
      conditions: [...all.conditions, ...part.conditions],
      choices: [...all.choices, ...part.choices],
    }),
    { keywords, conditions: [...ownConditions, ...ofDependencies], choices: [] },
  );
}

/** Names that are required, or a schema that applies, as soon as a field is filled in. */
function readDependency(
  name: string,
  dependent: unknown,
  reading: Reading,
  branch: (part: unknown) => Parts | null,
): Parts['conditions'] {
  const isFilled = { required: [name] };
  if (Array.isArray(dependent))
    return [{ if: isFilled, met: branch({ required: namesIn(dependent) }), unmet: null }];
  if (!isObject(dependent)) return [];
  const { oneOf, ...rest } = resolveRef(dependent, reading);
  const alternatives = listIn(oneOf)
    .filter(isObject)
    .map((alternative) => resolveRef(alternative, reading));
  const isByValue = ({ properties }: Json): boolean => isObject(properties) && isObject(properties[name]);
  // Each alternative is for one value of the field, so the person need not choose between them.
  if (alternatives.length === 0 || !alternatives.every(isByValue))
    return [{ if: isFilled, met: branch(dependent), unmet: null }];
  const byValue = alternatives.map((alternative) => {
    const { [name]: value, ...properties } = alternative.properties as Json;
    const condition = { ...isFilled, properties: { [name]: value } };
    return {
      if: readCondition(condition, reading),
      met: branch({ ...alternative, properties }),
      unmet: null,
    };
  });
  return [{ if: isFilled, met: branch(rest), unmet: null }, ...byValue];
}

function mergeTwo(first: Json, second: Json): Json {
  const properties = [first.properties, second.properties].filter(isObject);
  const required = [first.required, second.required].filter((names) => Array.isArray(names)).flat();
  return {
    ...second,
    ...first,
    ...(properties.length === 0 ? {} : { properties: mergeProperties(properties) }),
    ...(required.length === 0 ? {} : { required }),
  };
}

function mergeProperties(all: readonly Json[]): Json {
  const merged = new Map<string, unknown>();
  for (const [name, property] of all.flatMap(Object.entries) as [string, unknown][]) {
    const earlier = merged.get(name);
    merged.set(name, isObject(earlier) && isObject(property) ? { ...property, ...earlier } : property);
  }
  return Object.fromEntries(merged);
}
