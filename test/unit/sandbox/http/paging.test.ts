import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { envelopeOf, readPaging } from '../../../../src/sandbox/http/paging.ts';

describe('readPaging', () => {
  it('accepts whole numbers from 1 and limits per_page', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 1, max: 5000 }), (page, perPage) => {
        expect(readPaging({ page: String(page), per_page: String(perPage) })).toEqual({
          page,
          perPage: Math.min(1000, perPage),
        });
      }),
    );
  });

  it('answers 400 for anything else', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^\d{1,15}$/.test(text) || Number(text) < 1);
        expect(() => readPaging({ page: text })).toThrow(expect.objectContaining({ status: 400 }));
        expect(() => readPaging({ per_page: text })).toThrow(expect.objectContaining({ status: 400 }));
      }),
    );
  });
});

it('following next_num visits every page once, and prev_num leads back', () => {
  fc.assert(
    fc.property(fc.nat(500), fc.integer({ min: 1, max: 50 }), (total, perPage) => {
      let rows = 0;
      let page = 1;
      for (let steps = 0; ; steps += 1) {
        expect(steps).toBeLessThan(600);
        const envelope = envelopeOf({ page, perPage }, total);
        rows += Math.max(0, Math.min(perPage, total - (page - 1) * perPage));
        expect(envelope.has_next).toBe(envelope.next_num !== null);
        expect(envelope.has_prev).toBe(envelope.prev_num !== null);
        if (envelope.has_prev) expect(envelope.prev_num).toBe(page - 1);
        if (envelope.next_num === null) break;
        page = envelope.next_num;
      }
      expect(rows).toBe(total);
    }),
  );
});
