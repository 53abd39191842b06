import { expect, test } from 'vitest';
import { findingTable } from '../../../../../src/contract/doctor-steps.ts';
import { errorTable } from '../../../../../src/contract/error-codes.ts';
import { assessNetwork } from '../../../../../src/main/engine/doctor/assess-network.ts';
import { limited, notInTime } from '../../../../../src/main/engine/doctor/probe-limits.ts';
import { codesOf, observe } from './network-observations.ts';

/** Keeps this process from doing anything else. */
function occupy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('a probe that ran out of time while this computer was busy says so, instead of reporting no answer', async () => {
  const never = new Promise<never>(() => undefined);
  const probe = limited(never, 300);
  occupy(600);
  await expect(probe).rejects.toMatchObject({ code: notInTime });
});

test('an answer that arrived while this process was busy counts', async () => {
  const answer = new Promise((resolve) => setTimeout(resolve, 10, 'here'));
  const probe = limited(answer, 50);
  occupy(200);
  expect(await probe).toBe('here');
});

test('requests that ran out of time for that reason are not a service that does not answer', () => {
  const busy = { kind: 'failed', tookMs: 2_100, code: 'service.timeout', detail: notInTime } as const;
  expect(codesOf(assessNetwork(observe({ unsigned: busy, signed: { kind: 'notTried' } }))).http).toBe(
    'step.notInTime',
  );
  expect(codesOf(assessNetwork(observe({ signed: busy })))).toMatchObject({ http: 'step.notInTime' });
});

test.each([
  ['service.proxyLogin', 'proxy.loginNeeded'],
  ['service.networkSignIn', 'http.networkSignIn'],
  ['service.webPage', 'reply.html'],
] as const)('a sync that ends with %s says what the doctor says as %s', (code, found) => {
  expect(errorTable[code]).toMatchObject({
    message: findingTable[found].sentence,
    nextStep: findingTable[found].remedy,
  });
});
