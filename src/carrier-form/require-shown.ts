import { isObject, type Json, listIn, namesIn } from './json.ts';

/** Requires only fields that are shown, and removes branches and conditions that are then empty. */
export function requireShown(part: Json, shown: ReadonlySet<string>): Json {
  const properties = part.properties as Json;
  const inner = (subschema: unknown): Json | null =>
    isObject(subschema) ? requireShown(subschema, shown) : null;
  const isEmpty = (subschema: Json): boolean =>
    Object.keys(subschema.properties as Json).length === 0 &&
    listIn(subschema.required).length === 0 &&
    ['allOf', 'oneOf', 'anyOf'].every((keyword) => subschema[keyword] === undefined);
  const shownPart: Record<string, unknown> = {
    ...part,
    required: namesIn(part.required).filter((name) => shown.has(name) && properties[name] !== false),
  };
  for (const keyword of ['oneOf', 'anyOf'])
    if (part[keyword] !== undefined)
      shownPart[keyword] = listIn(part[keyword]).flatMap((alternative) => inner(alternative) ?? []);
  const allOf = listIn(part.allOf)
    .filter(isObject)
    .flatMap((entry): Json[] => {
      if (!('if' in entry)) {
        const { oneOf, anyOf } = requireShown({ properties: {}, ...entry }, shown);
        return [oneOf === undefined ? { anyOf } : { oneOf }];
      }
      const branches = (['then', 'else'] as const).flatMap((keyword) => {
        const branch = inner(entry[keyword]);
        return branch === null || isEmpty(branch) ? [] : [[keyword, branch] as const];
      });
      return branches.length === 0 ? [] : [{ if: entry.if, ...Object.fromEntries(branches) }];
    });
  delete shownPart.allOf;
  return allOf.length === 0 ? shownPart : { ...shownPart, allOf };
}

/** A part whose fields may be filled in but are not required. */
export function asOptional(part: Json): Json {
  const allOf = listIn(part.allOf)
    .filter(isObject)
    .map((entry) => ({
      ...entry,
      ...Object.fromEntries(
        (['then', 'else'] as const).flatMap((keyword) =>
          isObject(entry[keyword]) ? [[keyword, asOptional(entry[keyword])] as const] : [],
        ),
      ),
    }));
  return { ...part, required: [], ...(allOf.length === 0 ? {} : { allOf }) };
}
