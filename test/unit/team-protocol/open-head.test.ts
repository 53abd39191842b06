import { expect, test } from 'vitest';
import { readOneForm } from '../../../src/team-protocol/open-head.ts';

test('a statement with a key twice, or in a different order or form than it is written, is invalid', () => {
  expect(readOneForm('{"rule":{"kind":"everything"},"reason":"x"}')).toEqual({
    rule: { kind: 'everything' },
    reason: 'x',
  });
  for (const text of [
    '{"rule":{"kind":"everything"},"rule":{"kind":"employer","employerId":1}}',
    '{"rule": {"kind":"everything"}}',
    '{"employerId":1.0}',
    '{"reason":"\\u0041"}',
    '[1',
  ])
    expect(readOneForm(text), text).toBeUndefined();
});
