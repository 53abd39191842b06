import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createOutput } from '../../../../../src/main/shells/cli/output.ts';

test('a line contains no character that a terminal obeys, and is the same JSON', async () => {
  let written = '';
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk);
      done();
    },
  });
  const value = { name: 'Ann\u202eeoJ \u009b31m\u007f\u0007 \u2067x\u2069 Zoë' };
  await createOutput({ isJson: true }, { stdout, stderr: stdout }).json(value);
  expect(written).not.toMatch(/(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
  expect(JSON.parse(written)).toEqual(value);
});
