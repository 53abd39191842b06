import { expect, test } from 'vitest';
import { sayDuration, sayOffset } from '../../../../../src/main/engine/doctor/assess-network.ts';
import { readReply, readShape } from '../../../../../src/main/engine/doctor/diagnose-network.ts';
import { reply } from '../../../../support/engine-service.ts';

test.each([
  ['{"data":[]}', 'envelope'],
  [' {"data":{"id":1}}\n', 'envelope'],
  ['{"data":null}', 'object'],
  ['{"message":"x"}', 'object'],
  ['[1]', 'object'],
  ['7', 'object'],
  ['null', 'notJson'],
  ['<!doctype html><html>', 'html'],
  ['', 'empty'],
  [' \n', 'empty'],
  ['{"data":[{"id":1', 'truncated'],
  ['{"data" oh}', 'notJson'],
  ['OK', 'notJson'],
])('%j is %s', (text, shape) => {
  expect(readShape(text)).toBe(shape);
});

const read = (wanted: Parameters<typeof reply>[0]) => readReply(reply(wanted), 0);

test('nothing of the service’s text is kept except what it is about', () => {
  const facts = read({ status: 401, body: '{"message":"The token of jane@planted.example has expired"}' });
  expect(facts.speaksOf).toBe('time');
  expect(JSON.stringify(facts)).not.toContain('planted');
  expect(read({ status: 400, body: '{"message":"The claim iat is odd"}' }).speaksOf).toBe('time');
  expect(read({ status: 400, body: '{"message":"could not be decoded"}' }).speaksOf).toBe('form');
  expect(read({ status: 401, body: '{"message":"No registered key fits"}' }).speaksOf).toBe(null);
});

test('a request ID is reported only if it can’t be a name or an address', () => {
  const id = (value: string) => read({ headers: { 'x-request-id': value } }).requestId;
  expect(id('55761428-d4b6-403a-afce-c57a48d963a9')).toBe('55761428-d4b6-403a-afce-c57a48d963a9');
  for (const odd of ['jane-planted', 'jane.planted1', 'jane@planted1', 'a1', 'x'.repeat(65) + 1])
    expect(id(odd)).toBe(null);
});

test('where a redirect leads, and how long to wait', () => {
  const redirect = read({ status: 302, headers: { location: 'https://in.example:8443/path?email=x' } });
  expect(redirect.redirectHost).toBe('in.example:8443');
  expect(read({ status: 302, headers: { location: '/login' } }).redirectHost).toBe(null);
  expect(read({ status: 429, headers: { 'retry-after': '7' } }).retryAfterSeconds).toBe(7);
});

test('two answers are equal if status and message are', () => {
  const same = { status: 401, body: '{"message":"Who?","event_id":"1"}' };
  expect(read(same).digest).toBe(read({ status: 401, body: '{"message":"Who?","event_id":"2"}' }).digest);
  expect(read(same).digest).not.toBe(read({ status: 401, body: '{"message":"No key"}' }).digest);
});

test.each([
  [0, '1 second'],
  [7, '7 seconds'],
  [119, '119 seconds'],
  [600, '10 minutes'],
  [7_200, '2 hours'],
  [200_000, '2 days'],
])('%i seconds are %s', (seconds, words) => {
  expect(sayDuration(seconds)).toBe(words);
  expect(sayOffset(seconds === 0 ? 1 : seconds)).toBe(`${words} behind`);
  expect(sayOffset(-Math.max(1, seconds))).toBe(`${words} ahead of`);
});
