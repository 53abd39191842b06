import { expect, test } from 'vitest';
import {
  readRequestId,
  readRetryAfterSeconds,
  speaksOfTime,
  toServiceError,
} from '../../../../../src/main/engine/service/service-error.ts';
import { reply } from '../../../../support/engine-service.ts';

test.each([
  [204, 'service.badReply'],
  [301, 'service.redirected'],
  [302, 'service.redirected'],
  [303, 'service.redirected'],
  [307, 'service.redirected'],
  [308, 'service.redirected'],
  [400, 'service.badRequest'],
  [401, 'service.unauthorized'],
  [402, 'service.badRequest'],
  [403, 'service.forbidden'],
  [404, 'service.notFound'],
  [405, 'service.badRequest'],
  [407, 'service.proxyLogin'],
  [408, 'service.timeout'],
  [410, 'service.badRequest'],
  [413, 'service.badRequest'],
  [418, 'service.badRequest'],
  [422, 'service.unprocessable'],
  [429, 'service.rateLimited'],
  [431, 'service.badRequest'],
  [500, 'service.fault'],
  [502, 'service.fault'],
  [503, 'service.fault'],
  [504, 'service.fault'],
  [511, 'service.networkSignIn'],
  [599, 'service.fault'],
])('status %i is %s', (status, code) => {
  for (const body of ['{"message":"no"}', '<html></html>', '', '{"message":7}', '[]', 'null']) {
    expect(toServiceError(reply({ status, body }))).toMatchObject({ code, details: { status } });
  }
});

test.each([
  [401, 'The token has expired', true],
  [400, 'iat is in the future', true],
  [401, 'Token not yet valid', true],
  [400, 'exp has passed', true],
  [401, 'No such key', false],
  [401, 'unexpected', false],
  [403, 'Your contract has expired', false],
  [422, 'expired_connect_token: expired', false],
  [500, 'expired', false],
])('status %i saying "%s" is about time: %s', (status, message, expected) => {
  const answer = reply({ status, body: JSON.stringify({ message }) });
  expect(speaksOfTime(answer)).toBe(expected);
  expect(toServiceError(answer).code === 'service.tokenExpired').toBe(expected);
});

test('the request id and the error code of the service are passed on, its message is not', () => {
  const error = toServiceError(
    reply({
      status: 403,
      headers: { 'x-request-id': 'req-123.A:b' },
      body: '{"message":"Ann Smith may not","error_code":"origin_not_allowed"}',
    }),
  );
  expect(error.requestId).toBe('req-123.A:b');
  expect(error.details).toEqual({ status: 403, errorCode: 'origin_not_allowed' });
  expect(JSON.stringify([error.message, error.details])).not.toContain('Ann');
});

test.each([
  ['ann@example.com', undefined],
  ['', undefined],
  ['a'.repeat(101), undefined],
  ['id with blanks', undefined],
  ['x\r\ny', undefined],
  ['a-b_c.d:e', 'a-b_c.d:e'],
])('a request id of %j is %j', (value, expected) => {
  expect(readRequestId(reply({ headers: { 'x-request-id': value } }))).toBe(expected);
});

test('an error code that is not a word is left out', () => {
  const body = JSON.stringify({ error_code: 'Ann Smith' });
  expect(toServiceError(reply({ status: 422, body })).details).toEqual({ status: 422 });
});

const nowMs = Date.parse('2026-06-01T12:00:00.000Z');

test.each<[string | undefined, number | null]>([
  [undefined, null],
  ['0', 0],
  ['7', 7],
  ['86400', 86_400],
  ['-5', 0],
  ['Mon, 01 Jun 2026 12:00:30 GMT', 30],
  ['Mon, 01 Jun 2026 11:59:30 GMT', 0],
  ['Tue, 02 Jun 2026 12:00:00 GMT', 86_400],
  ['soon', null],
  ['', null],
])('Retry-After %j is %j seconds', (value, expected) => {
  const headers = value === undefined ? {} : { 'retry-after': value };
  expect(readRetryAfterSeconds(reply({ status: 429, headers }), nowMs)).toBe(expected);
});
