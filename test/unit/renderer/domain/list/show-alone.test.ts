import { expect, test, vi } from 'vitest';
import { showAlone } from '../../../../../src/renderer/domain/member/ssn-field.tsx';
import { formatWholeSsn } from '../../../../../src/renderer/lib/format-value.ts';

test('showing one value hides the previous one, and not itself', () => {
  const [first, second] = [vi.fn(), vi.fn()];
  showAlone(first);
  showAlone(first);
  expect(first).not.toHaveBeenCalled();
  showAlone(second);
  expect(first).toHaveBeenCalledTimes(1);
  expect(second).not.toHaveBeenCalled();
});

test('a whole SSN is written in the usual form; anything else is unchanged', () => {
  expect(formatWholeSsn('123456789')).toBe('123-45-6789');
  expect(formatWholeSsn('123-45-6789')).toBe('123-45-6789');
  expect(formatWholeSsn('unknown')).toBe('unknown');
});
