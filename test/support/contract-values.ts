import type { z } from 'zod';
import { type Output, type ProcedureName, procedures } from '../../src/contract/procedures.ts';

/** A value of which a test gives only some properties. */
export type Part<T> = T extends readonly (infer E)[]
  ? readonly Part<E>[]
  : T extends object
    ? { readonly [K in keyof T]?: Part<T[K]> | undefined }
    : T;
const blanks = ['', 0, '2026-11-20', 1, false, {}];

/**
 * Completes a value by its schema: what `given` leaves out is null where that is allowed, else empty, zero or false.
 */
function complete(schema: z.core.$ZodType, given: unknown): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional' || def.type === 'nullable' || def.type === 'default') {
    if (given === undefined || given === null) return def.type === 'nullable' ? null : given;
    return complete(def.innerType, given);
  }
  if (def.type === 'object') {
    const parts = (given ?? {}) as Record<string, unknown>;
    const filled = Object.entries(def.shape).map(([name, inner]) => [name, complete(inner, parts[name])]);
    return { ...parts, ...Object.fromEntries(filled.filter(([, value]) => value !== undefined)) };
  }
  if (def.type === 'array') return ((given ?? []) as unknown[]).map((one) => complete(def.element, one));
  if (given !== undefined) return given;
  if (def.type === 'enum') return Object.values(def.entries)[0];
  if (def.type === 'literal') return def.values[0];
  return blanks.find((blank) => (schema as z.ZodType).safeParse(blank).success);
}

/** A reply of a procedure, with everything that a test leaves out. @throws where it does not fit the contract */
export function answerOf<P extends ProcedureName>(name: P, given: Part<Output<P>>): Output<P> {
  const { output } = procedures[name];
  return output.parse(complete(output, given)) as Output<P>;
}
