import { expect, it } from 'vitest';
import { describeRawData } from '../../../../src/renderer/components/all-fields.tsx';

it.each([
  [53, 0, 'Raw data (53 fields)'],
  [1, 2, 'Raw data (1 field, 2 unrecognized)'],
])('%i fields, %i unrecognized', (fields, unrecognized, title) => {
  expect(describeRawData(fields, unrecognized)).toBe(title);
});
