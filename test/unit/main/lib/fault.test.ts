import { describe, expect, test } from 'vitest';
import {
  DeskError,
  describeFault,
  fromWireError,
  toDeskError,
  toWireError,
} from '../../../../src/main/lib/errors.ts';
import { logFailure } from '../../../../src/main/lib/log-failure.ts';
import { createFieldFilter } from '../../../../src/main/lib/log-fields.ts';

const name = 'María López 123-45-6789';

function thrownIn(frames: readonly string[], error: Error = new TypeError(name)): Error {
  error.stack = [`${error.name}: ${name}`, ...frames.map((frame) => `    at ${frame}`)].join('\n');
  return error;
}

describe('what is told of an internal fault', () => {
  test('is the class, the code and our own frames, innermost first', () => {
    const error = thrownIn([
      `readRow (file:///home/maria/claimdesk/src/main/engine/store/query/read-rows.ts:41:7)`,
      'Module.run (node:internal/modules/run:1:1)',
      'x (file:///home/maria/claimdesk/node_modules/zod/src/index.js:2:2)',
      'file:///C:/Users/maria/claimdesk/out/main/engine-Ab12.js:97:12',
    ]);
    Object.assign(error, { code: 'ERR_INVALID_ARG_TYPE' });
    expect(describeFault(error)).toEqual({
      errorClass: 'TypeError',
      errorCode: 'ERR_INVALID_ARG_TYPE',
      frames: ['src/main/engine/store/query/read-rows.ts:41', 'out/main/engine-Ab12.js:97'],
    });
  });

  test('is found in time that is linear in the length of a message', () => {
    const long = `x (${'/src/main/'.repeat(100_000)}`;
    expect(describeFault(thrownIn([long, 'y (/app/src/main/index.ts:5:1)'])).frames).toEqual([
      'src/main/index.ts:5',
    ]);
  });

  test('is of the error that it began with', () => {
    const fault = toDeskError(new Error('outer', { cause: thrownIn([], new RangeError(name)) })).fault;
    expect(fault?.errorClass).toBe('RangeError');
    expect(describeFault(name)).toEqual({ errorClass: 'NotAnError', frames: [] });
  });

  test('crosses from a thread or a process, and only of a fault', () => {
    const wire = structuredClone(toWireError(thrownIn([])));
    expect(JSON.stringify(wire)).not.toContain('María');
    expect(fromWireError(wire).fault).toEqual({ errorClass: 'TypeError', frames: [] });
    expect(toWireError(new DeskError('disk.full', { cause: thrownIn([]) })).fault).toBeUndefined();
  });

  test('is what the log contains of it, without a message', () => {
    const lines: unknown[] = [];
    const filter = createFieldFilter();
    const log = { write: (event: string, fields = {}) => void lines.push({ event, ...filter(fields) }) };
    const error = thrownIn(['x (/app/src/main/lib/errors.ts:5:1)']);
    logFailure(log, 'engine.failed', error, { procedure: 'records:openList' });
    expect(lines).toEqual([
      {
        event: 'engine.failed',
        procedure: 'records:openList',
        code: 'internal.fault',
        errorClass: 'TypeError',
        frames: ['src/main/lib/errors.ts:5'],
      },
    ]);
  });

  test.each([
    ['a frame that is no path of ours', { frames: [`/home/${name}:1`] }],
    ['a class that is a sentence', { errorClass: name }],
    ['a procedure that is none', { procedure: name }],
    ['a code that is a value', { errorCode: name }],
  ])('drops %s', (_what, fields) => {
    expect(createFieldFilter()(fields)).toEqual({});
  });
});
