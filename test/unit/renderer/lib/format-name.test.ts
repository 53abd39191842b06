import { expect, it } from 'vitest';
import { fullNameOf } from '../../../../src/renderer/lib/format-name.ts';

it('a person on file has a name in the same form', () => {
  expect(fullNameOf({ first_name: 'MARGARET', middle_name: null, last_name: 'EDWARDS' })).toBe(
    'Margaret Edwards',
  );
  expect(fullNameOf({ first_name: 'Anna', last_name: 'van der Berg' })).toBe('Anna van der Berg');
  expect(fullNameOf(null, 'Member 7')).toBe('Member 7');
});
