import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorCodes, errorTable } from '../../../src/contract/error-codes.ts';
import { errorReportSchema } from '../../../src/contract/result.ts';
import { DeskError, fromErrorReport, toErrorReport } from '../../../src/main/lib/errors.ts';

test.each(errorCodes)('%s has a plain sentence and one next step', (code) => {
  const { message, nextStep } = errorTable[code];
  expect(code).toMatch(/^[a-z]+\.[a-z][a-zA-Z]+$/);
  expect(message).toMatch(/^[A-Z].*\.$/s);
  expect(nextStep).toMatch(/^[A-Z].*\.$/s);
  for (const text of [message, nextStep]) {
    expect(text).not.toMatch(/undefined|exception|stack|null/i);
    // The plain word is fine, the name of a class is not.
    expect(text).not.toMatch(/Error/);
    expect(text.length).toBeLessThan(220);
  }
});

test.each(errorCodes)('%s crosses a bridge and comes back', (code) => {
  const error = new DeskError(code, { requestId: 'req-1', details: { status: 500 } });
  const report = toErrorReport(error);
  expect(errorReportSchema.parse(report)).toEqual(report);
  expect(fromErrorReport(report)).toMatchObject({ code, requestId: 'req-1', details: { status: 500 } });
});

function* sourcesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sourcesIn(path);
    else if (/\.tsx?$/.test(entry.name)) yield readFileSync(path, 'utf8');
  }
}

test('every code in the table is used somewhere in the rules, the backend, or the app', () => {
  const root = join(import.meta.dirname, '../../../src');
  const sources = ['rules', 'main', 'preload', 'renderer']
    .flatMap((area) => [...sourcesIn(join(root, area))])
    .join('\n');
  // Told by scripts before any of our TypeScript can run.
  const elsewhere = new Set(['runtime.unsupported']);
  const unused = errorCodes.filter((code) => !elsewhere.has(code) && !sources.includes(`'${code}'`));
  expect(unused).toEqual([]);
});
