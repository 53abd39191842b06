import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FindingCode } from '../../../src/contract/doctor-steps.ts';
import { runProgram } from '../../support/secret-service.ts';
import { givenTempProfile } from '../../support/temp-profile.ts';
import { type DoctorDesk, expectCause, openDoctorDesk, stepOf } from './doctor-desk.ts';
import {
  findClosedPort,
  listenAsProxy,
  listenLikeSsh,
  listenSilently,
  listenWithTls,
  makeAuthority,
  type OddServer,
} from './odd-servers.ts';

const getProfileDir = givenTempProfile();
const authority = makeAuthority();
const open: OddServer[] = [];
let desk: DoctorDesk | null = null;

/** The certificates are read once in a process, so before anything else. */
beforeAll(() => setDefaultCACertificates([...getCACertificates('default'), authority.caPem]));
afterAll(() => authority.remove());
beforeEach(() => {
  for (const name of ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']) {
    vi.stubEnv(name, undefined);
  }
});
afterEach(async () => {
  await desk?.close();
  desk = null;
  await Promise.all(open.splice(0).map((server) => server.close()));
  vi.unstubAllEnvs();
});

async function keep<S extends OddServer>(starting: Promise<S>): Promise<S> {
  const server = await starting;
  open.push(server);
  return server;
}

async function diagnose(baseUrl: string) {
  desk = await openDoctorDesk({ profileDir: getProfileDir(), baseUrl });
  return desk.diagnose();
}

async function expectFault(baseUrl: string, cause: FindingCode | RegExp) {
  const result = await diagnose(baseUrl);
  expectCause(result, cause, desk ?? undefined);
  expect(result.outcome).toBe('broken');
  expect(stepOf(result, 'acceptance').status, 'no token is sent').toBe('skipped');
  // The doctor still checks what this computer has.
  expect([
    stepOf(result, 'keychain').status,
    stepOf(result, 'key').status,
    stepOf(result, 'token').status,
  ]).toEqual(['ok', 'ok', 'ok']);
  return result;
}

describe('the way to the service', () => {
  test('a name that does not exist', async () => {
    // The name server itself is out of reach without a network, which is the other finding.
    await expectFault('https://no-such-service.doctor.test.invalid', /^dns\.(unknown|noAnswer)$/);
  });

  test('a port on which nothing listens', async () => {
    await expectFault(`https://127.0.0.1:${await findClosedPort()}`, 'tcp.refused');
  });

  test('a port that accepts the connection and stays silent, with TLS', async () => {
    const { port } = await keep(listenSilently());
    await expectFault(`https://127.0.0.1:${port}`, 'tls.noAnswer');
  });

  test('the command ends soon after its output, though a connection hangs', async () => {
    const { port } = await keep(listenSilently());
    desk = await openDoctorDesk({
      profileDir: getProfileDir(),
      baseUrl: `https://127.0.0.1:${port}`,
      hasKey: false,
    });
    const program = fileURLToPath(new URL('../../../src/main/shells/cli/claimdesk.mjs', import.meta.url));
    const began = performance.now();
    const words = [process.execPath, program, 'doctor', '--json', '--profile', getProfileDir()];
    const { exitCode, stdout } = await runProgram(words);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('"cause":"tls.noAnswer"');
    // The transport alone would hang on for ten seconds more.
    expect(performance.now() - began).toBeLessThan(9_000);
  });

  test('a port that accepts the connection and stays silent, without TLS', async () => {
    const { port } = await keep(listenSilently());
    await expectFault(`http://127.0.0.1:${port}`, 'http.noAnswer');
  });

  test('something that is not a web service', async () => {
    const { port } = await keep(listenLikeSsh());
    await expectFault(`http://127.0.0.1:${port}`, 'http.notHttp');
  });

  test('https in the address, but not at the port', async () => {
    const { port } = await keep(listenLikeSsh());
    await expectFault(`https://127.0.0.1:${port}`, 'tls.notTls');
  });

  test('http in the address, but https at the port', async () => {
    const identity = authority.issue({ names: 'IP:127.0.0.1' });
    const { port } = await keep(listenWithTls(identity));
    await expectFault(`http://127.0.0.1:${port}`, 'http.speaksTls');
  });
});

describe('the identity of the service', () => {
  test.each([
    ['of another host', { names: 'DNS:other.doctor.test' }, 'tls.wrongHost'],
    ['that has expired', { names: 'IP:127.0.0.1', untilDays: -1 }, 'tls.expired'],
    ['of the future', { names: 'IP:127.0.0.1', fromDays: 1 }, 'tls.notYetValid'],
    ['of an unknown authority', { names: 'IP:127.0.0.1', by: 'other' }, 'tls.unknownAuthority'],
  ] as const)('a certificate %s', async (_, wanted, cause) => {
    const { port } = await keep(listenWithTls(authority.issue(wanted)));
    const result = await expectFault(`https://127.0.0.1:${port}`, cause);
    const { facts, shown } = stepOf(result, 'tls');
    expect(facts.validUntil).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(shown.certificateBy).toBe(
      cause === 'tls.unknownAuthority' ? 'Nobody Knows This Authority' : 'Doctor Test Authority',
    );
    expect(result.report).not.toMatch(/Test Authority|Nobody Knows/);
  });

  test.each([
    ['that expired', { intermediateUntilDays: -1, isSent: true }, 'tls.intermediateExpired'],
    [
      'that the server does not send',
      { intermediateUntilDays: 90, isSent: false },
      'tls.intermediateMissing',
    ],
  ] as const)('an intermediate certificate %s', async (_, wanted, cause) => {
    const days = cause === 'tls.intermediateExpired' ? -1 : 90;
    const readDay = () => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const before = readDay();
    const identity = authority.issueBelowIntermediate({ names: 'IP:127.0.0.1', ...wanted });
    const { port } = await keep(listenWithTls(identity));
    const { facts } = stepOf(await expectFault(`https://127.0.0.1:${port}`, cause), 'tls');
    // It may be midnight meanwhile.
    expect([before, readDay()]).toContain(facts.validUntil);
  });

  test('an intermediate certificate that is sent and valid', async () => {
    const wanted = { names: 'IP:127.0.0.1', intermediateUntilDays: 90, isSent: true };
    const { port } = await keep(listenWithTls(authority.issueBelowIntermediate(wanted)));
    expect(stepOf(await diagnose(`https://127.0.0.1:${port}`), 'tls').code).toBe('tls.verified');
  });

  test('a certificate that expires soon is reported and blocks nothing', async () => {
    const { port } = await keep(listenWithTls(authority.issue({ names: 'IP:127.0.0.1', untilDays: 5 })));
    const result = await diagnose(`https://127.0.0.1:${port}`);
    expect(stepOf(result, 'tls')).toMatchObject({ code: 'tls.expiresSoon', status: 'warning' });
    expect(stepOf(result, 'http').status).toBe('ok');
  });
});

describe('a proxy', () => {
  const baseUrl = 'https://claims.doctor.test:8443';

  test('that does not exist', async () => {
    vi.stubEnv('https_proxy', `http://127.0.0.1:${await findClosedPort()}`);
    await expectFault(baseUrl, 'proxy.unreachable');
  });

  test.each([
    [403, 'proxy.refused'],
    [407, 'proxy.loginNeeded'],
    [502, 'proxy.cannotReach'],
  ] as const)('that answers %i', async (status, cause) => {
    const { port, asked } = await keep(listenAsProxy(status));
    vi.stubEnv('https_proxy', `http://127.0.0.1:${port}`);
    const result = await expectFault(baseUrl, cause);
    expect(stepOf(result, 'proxy').facts).toEqual({ status });
    expect(stepOf(result, 'dns').code).toBe('step.byProxy');
    expect(new Set(asked)).toEqual(new Set(['claims.doctor.test:8443']));
  });

  test('that is not a proxy', async () => {
    const { port } = await keep(listenLikeSsh());
    vi.stubEnv('https_proxy', `http://127.0.0.1:${port}`);
    await expectFault(baseUrl, 'proxy.notAProxy');
  });

  test('of the SOCKS kind that does not exist', async () => {
    vi.stubEnv('https_proxy', `socks5://127.0.0.1:${await findClosedPort()}`);
    const result = await expectFault(baseUrl, 'proxy.unreachable');
    expect(stepOf(result, 'tls').code).toBe('step.byProxy');
  });

  test('of a kind that Claimdesk can’t use', async () => {
    vi.stubEnv('https_proxy', 'ftp://127.0.0.1:1');
    await expectFault(baseUrl, 'proxy.notAProxy');
  });

  test('that works: identity and requests are checked through it', async () => {
    const identity = authority.issue({ names: 'DNS:claims.doctor.test' });
    const { port: target } = await keep(listenWithTls(identity));
    const { port } = await keep(listenAsProxy(200, target));
    vi.stubEnv('https_proxy', `http://127.0.0.1:${port}`);
    const result = await diagnose(baseUrl);
    expectCause(result, 'acceptance.refused', desk ?? undefined);
    expect(['proxy', 'tls', 'http'].map((id) => stepOf(result, id as 'tls').code)).toEqual([
      'proxy.passed',
      'tls.verified',
      'http.answered',
    ]);
  });
});
