import { z } from 'zod';
import type { Envelope } from '../schemas/reply.ts';
import { ApiError } from './api-error.ts';

export const PER_PAGE_DEFAULT = 10;
const PER_PAGE_MAX = 1000;

const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .refine((text) => Number(text) >= 1, 'must be 1 or more');

/** The query of the list routes. `page` starts at 1; `per_page` defaults to 10 and is never above 1000. */
export const pagingQuerySchema = z.looseObject({
  page: wholeNumber.optional().meta({ description: 'Starts at 1.' }),
  per_page: wholeNumber.optional().meta({ description: 'Default 10; more than 1000 counts as 1000.' }),
});

export type Paging = { readonly page: number; readonly perPage: number };

/**
 * Reads `page` (from 1) and `per_page` (default 10, at most 1000). docs/service.md, "Lists and values".
 *
 * @throws ApiError 400 for anything but a whole number from 1 up
 */
export function readPaging(query: unknown): Paging {
  const parsed = pagingQuerySchema.safeParse(query);
  if (!parsed.success) {
    const field = String(parsed.error.issues[0]?.path[0] ?? 'page');
    throw new ApiError(400, `${field} must be a whole number, 1 or more`);
  }
  const { page, per_page: perPage } = parsed.data;
  return {
    page: page === undefined ? 1 : Number(page),
    perPage: perPage === undefined ? PER_PAGE_DEFAULT : Math.min(PER_PAGE_MAX, Number(perPage)),
  };
}

/** Returns the paging of a reply. docs/service.md, "Lists and values". */
export function envelopeOf(paging: Paging, total: number): Envelope {
  const pages = Math.ceil(total / paging.perPage);
  const hasNext = paging.page < pages;
  const hasPrev = paging.page > 1 && pages > 0;
  return {
    has_next: hasNext,
    has_prev: hasPrev,
    next_num: hasNext ? paging.page + 1 : null,
    prev_num: hasPrev ? Math.min(paging.page - 1, pages) : null,
    page: paging.page,
    pages,
    per_page: paging.perPage,
    total,
  };
}
