import { expect, test } from 'vitest';
import { labelsOf } from '../../../../src/renderer/features/reviews/review-settings.tsx';
import {
  reviewEffects,
  reviewedFields,
  reviewedLineFields,
} from '../../../../src/rules/review/reviewed-fields.ts';

test('the help lists every field of the table that decides, under its effect', () => {
  for (const effect of reviewEffects) {
    const { claim, line } = labelsOf(effect);
    const ofEffect = (fields: typeof reviewedFields) =>
      new Set(fields.filter((field) => field.effect === effect).map(({ label }) => label));
    expect(new Set(claim)).toEqual(ofEffect(reviewedFields));
    expect(new Set(line)).toEqual(ofEffect(reviewedLineFields));
  }
  expect(labelsOf('reopen').claim).toContain('Patient responsibility');
  expect(labelsOf('noted').claim).toContain('Check number');
});
