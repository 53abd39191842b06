import type { ErrorSchema } from '@rjsf/utils';

/** The service's messages about single fields, as the carrier’s form shows them. */
export function toExtraErrors(
  details: Readonly<Record<string, unknown>> | undefined,
): ErrorSchema<Record<string, unknown>> {
  const found = Object.entries(details ?? {}).filter(([name]) => name.startsWith('field.'));
  return Object.fromEntries(
    found.map(([name, sentence]) => [name.slice('field.'.length), { __errors: [String(sentence)] }]),
  );
}
