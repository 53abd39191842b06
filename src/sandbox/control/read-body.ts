import type { z } from 'zod';
import { ApiError } from '../http/api-error.ts';

/**
 * Reads a control body.
 *
 * @throws ApiError 422 that names the field
 */
export function readBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new ApiError(422, `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'not valid'}`);
}
