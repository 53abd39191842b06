import { z } from 'zod';
import { type SentFields, type SentShape, shapeOf } from '../../contract/sent-fields.ts';

/**
 * Building blocks of the wire schemas (docs/service.md, "Resources and their fields"). Every field here may be null,
 * because docs/service.md, "Lists and values", allows that for "almost every field".
 */

/** An integer of any size: values beyond 2^53 occur, which zod's own integer check would refuse. */
export const integer = z
  .number()
  .refine((value) => Number.isInteger(value), 'not an integer')
  .meta({ type: 'integer' });

export const nullableInteger = integer.nullable();
const nullableNumber = z.number().nullable();
export const nullableString = z.string().nullable();
export const nullableBoolean = z.boolean().nullable();

const DAY = String.raw`\d{4}-\d{2}-\d{2}`;
const TIME = String.raw`\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|\+00:00)?`;

/** A date, which can arrive as a date-time (docs/service.md, "Lists and values"). */
export const nullableDate = z
  .string()
  .regex(new RegExp(`^${DAY}(T${TIME})?$`))
  .nullable();

/** A date-time with `Z`, `+00:00` or no zone, with or without fractions (docs/service.md, "Lists and values"). */
export const nullableDateTime = z
  .string()
  .regex(new RegExp(`^${DAY}T${TIME}$`))
  .nullable();

const nullableUuid = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
  .nullable();

const schemas = {
  integer: nullableInteger,
  money: nullableNumber,
  real: nullableNumber,
  boolean: nullableBoolean,
  text: nullableString,
  date: nullableDate,
  dateTime: nullableDateTime,
  uuid: nullableUuid,
};
/** A record's plain fields, with its ID, which is never null. */
export const sent = <const F extends SentFields>(
  fields: F,
): Omit<SentShape<F, typeof schemas>, 'id'> & { id: typeof integer } =>
  Object.assign(shapeOf(fields, schemas), { id: integer });

/** A PostgreSQL date range (docs/service.md, "Lists and values"). */
export const dateRange = z.looseObject({
  bounds: z.enum(['[]', '[)', '(]', '()']),
  start: nullableDate,
  end: nullableDate,
});
