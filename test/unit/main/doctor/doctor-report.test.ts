import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  concludeSteps,
  type DoctorFinding,
  type DoctorStep,
  describeFinding,
  doctorFactsSchema,
  doctorShownSchema,
} from '../../../../src/contract/doctor.ts';
import {
  checkCodes,
  doctorStepIds,
  findingCodes,
  findingTable,
} from '../../../../src/contract/doctor-steps.ts';
import { formatReport, listChecks, mergeSteps } from '../../../../src/main/doctor/doctor-handlers.ts';

const about = { version: '1.2.3', shell: 'cli', platform: 'linux', startedAt: '2026-06-01T12:00:00.000Z' };
const report = (steps: DoctorStep[]) => formatReport({ ...about, ...concludeSteps(steps), steps });
const found = (id: DoctorFinding['id'], code: DoctorFinding['code'], more: Partial<DoctorFinding> = {}) => ({
  id,
  code,
  durationMs: 1,
  facts: {},
  shown: {},
  ...more,
});

describe('the table of findings', () => {
  test.each(findingCodes)('%s has a sentence, and a remedy if something is wrong', (code) => {
    const { status, sentence, remedy } = findingTable[code];
    expect(sentence).toMatch(/^\S.*\.$/);
    expect(remedy !== null).toBe(status === 'failed' || status === 'warning');
    if (remedy !== null) expect(remedy).toMatch(/^\S.*\.$/);
    const names = [...`${sentence} ${remedy}`.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const name of names) expect(Object.keys(doctorFactsSchema.shape)).toContain(name);
  });
});

test('every step is listed, in order, whether tried or not', () => {
  const steps = mergeSteps([found('tcp', 'tcp.open'), found('dns', 'dns.found')]);
  expect(steps.map(({ id }) => id)).toEqual(doctorStepIds);
  expect(steps.map(({ status }) => status).slice(0, 3)).toEqual(['ok', 'ok', 'skipped']);
});

test.each([
  [['dns.found', 'tcp.open'], 'works', null],
  [['dns.found', 'clock.off'], 'attention', 'clock.off'],
  [['clock.off', 'key.none', 'acceptance.refused'], 'broken', 'key.none'],
] as const)('%j results in %s', (codes, outcome, cause) => {
  const steps = codes.map((code) => describeFinding(found('dns', code)));
  expect(concludeSteps(steps)).toEqual({ outcome, cause });
});

test('the report contains what you send on', () => {
  const steps = mergeSteps(
    [
      found('dns', 'dns.found', { facts: { addresses: 2 }, shown: { host: 'claims.planted.example' } }),
      found('clock', 'clock.off', { facts: { offsetSeconds: -90, off: '90 seconds ahead of' } }),
      found('acceptance', 'acceptance.refused', { facts: { status: 401, requestId: 'req_12345678' } }),
    ],
    ({ code }) =>
      listChecks(
        { code },
        {
          key: { fingerprint: 'SHA256:planted', provenAt: null },
          baseUrl: 'https://claims.planted.example/',
          network: { isAnswerTheSame: false },
        },
      ),
  );
  const text = report(steps);
  expect(text.split('\n').slice(0, 8)).toEqual([
    'Claimdesk connection report',
    'Made 2026-06-01T12:00:00.000Z by Claimdesk 1.2.3 (cli, linux)',
    'Not connected.',
    'Cause: acceptance.refused',
    '',
    '1. dns: ok (dns.found, 1 ms)',
    '   The server name was found.',
    '   addresses 2',
  ]);
  expect(text).toContain('90 seconds ahead of the service’s clock');
  expect(text).toMatch(
    /\n {3}a\) .*\n {3}b\) .*\n {3}c\) .*\n {3}d\) .*\n {3}status 401, requestId req_12345678\n/,
  );
  expect(text).not.toMatch(/planted|SHA256|https:/);
});

test('nothing that is shown only on the screen is in the report', () => {
  const shown = fc.record(
    Object.fromEntries(Object.keys(doctorShownSchema.shape).map((name) => [name, fc.constant('planted@x')])),
    { requiredKeys: [] },
  );
  const finding = fc.record({ code: fc.constantFrom(...findingCodes), shown });
  fc.assert(
    fc.property(fc.array(finding, { minLength: 1, maxLength: 13 }), (findings) => {
      const steps = findings.map(({ code, shown: onScreen }) =>
        describeFinding(found('http', code, { shown: onScreen }), [
          { code: checkCodes[0], sentence: 'Look.', shown: onScreen },
        ]),
      );
      expect(report(steps)).not.toContain('planted');
    }),
  );
});

test.each([
  { host: 'claims.example.com' },
  { email: 'jane@example.com' },
  { requestId: 'jane.doe@example.com' },
  { errorCode: 'jane doe' },
  { keyType: 'Jane' },
  { validUntil: 'someday' },
])('facts can’t contain %j', (facts) => {
  expect(doctorFactsSchema.safeParse(facts).success).toBe(false);
});

describe('what to check where the service hides the cause', () => {
  const known = { key: null, baseUrl: 'https://a.example', network: { isAnswerTheSame: false } };
  const codes = (more: object, code: DoctorFinding['code'] = 'acceptance.refused') =>
    listChecks({ code }, { ...known, ...more }).map((check) => check.code);

  test('the likeliest first', () => {
    const four = ['check.registered', 'check.otherAccount', 'check.emailTyped', 'check.otherKey'];
    expect(codes({})).toEqual(four);
    expect(codes({ network: { isAnswerTheSame: true } })).toEqual([...four, 'check.scheme']);
    const key = { fingerprint: 'SHA256:x', provenAt: '2026-01-01T00:00:00Z' };
    expect(codes({ key })[0]).toBe('check.registeredStill');
    expect(codes({}, 'permission.refused')).toEqual(['check.networkAddress', 'check.accountRights']);
    expect(codes({}, 'key.none')).toEqual([]);
  });
});
