import { expect, test, vi } from 'vitest';
import {
  checkCarrierUrl,
  describeSignIn,
  nextSignIn,
  type SignIn,
  watchSignIn,
} from '../../../../../src/main/engine/connect/watch-patient-access.ts';
import { DeskError } from '../../../../../src/main/lib/errors.ts';

const begun: SignIn = {
  phase: 'waiting',
  status: 'IN_PROGRESS',
  policyHolderId: null,
  message: null,
  interruption: null,
  startedMs: 0,
};
const reply = (status: string | null, more: { ph_id?: number; error?: string } = {}) => ({
  status,
  ph_id: more.ph_id ?? null,
  error: more.error ?? null,
});

test('a member who agrees is connected; one who does not has failed, with the carrier’s message', () => {
  expect(nextSignIn(begun, reply('SUCCESS', { ph_id: 5 }), 1)).toMatchObject({
    phase: 'connected',
    policyHolderId: 5,
  });
  const failed = nextSignIn(begun, reply('FAILURE', { error: 'No match.' }), 1);
  expect(failed).toMatchObject({ phase: 'failed', message: 'No match.' });
  expect(nextSignIn(failed, reply('SUCCESS'), 2)).toBe(failed);
});

test('if the member never comes, it ends after half an hour, or when the service has forgotten it', () => {
  const late = 31 * 60_000;
  expect(nextSignIn(begun, reply('IN_PROGRESS'), late).phase).toBe('abandoned');
  expect(nextSignIn(begun, 'service.unreachable', late).phase).toBe('abandoned');
  expect(nextSignIn(begun, 'connect.notFound', 1).phase).toBe('abandoned');
});

test('the network may be down, and odd states change nothing', () => {
  const off = nextSignIn(begun, 'service.unreachable', 1);
  expect(off).toMatchObject({ phase: 'waiting', interruption: 'service.unreachable' });
  expect(nextSignIn(off, reply('WONDERING'), 2)).toMatchObject({ phase: 'waiting', interruption: null });
});

test('each phase has a sentence', () => {
  const phases = ['ready', 'waiting', 'connected', 'failed', 'abandoned'] as const;
  const said = phases.map((phase) => describeSignIn({ ...begun, phase }).sentence);
  expect(new Set(said).size).toBe(phases.length);
});

test('asks again and again until it is over, through failures', async () => {
  const answers = [
    new DeskError('service.connectionLost'),
    reply('IN_PROGRESS'),
    reply('SUCCESS', { ph_id: 1 }),
  ];
  const ask = vi.fn(async () => {
    const next = answers.shift();
    if (next === undefined || next instanceof Error) throw next;
    return next;
  });
  const seen: string[] = [];
  const watch = watchSignIn(begun, {
    ask,
    now: () => 0,
    onChange: ({ phase, interruption }) => seen.push(`${phase} ${interruption}`),
    pauseMs: 1,
  });
  await vi.waitFor(() => expect(watch.signIn.phase).toBe('connected'));
  expect(seen).toEqual(['waiting service.connectionLost', 'waiting null', 'connected null']);
  await watch.stop();
  expect(ask).toHaveBeenCalledTimes(3);
});

test.each([
  ['https://carrier.example/a?b=1', 'https://service.example'],
  ['http://127.0.0.1:8000/page', 'http://127.0.0.1:9000'],
])('%s is opened for %s', (address, baseUrl) => {
  expect(checkCarrierUrl(address, baseUrl).href).toBe(address);
});

test.each([
  'http://carrier.example/',
  'http://127.0.0.1:8000/page',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'https://carrier.example@evil.example/',
  'claimdesk://x',
  'not an address',
  '',
])('%s is not opened for a service elsewhere', (address) => {
  expect(() => checkCarrierUrl(address, 'https://service.example')).toThrow(
    expect.objectContaining({ code: 'connect.badCarrierUrl' }),
  );
});
