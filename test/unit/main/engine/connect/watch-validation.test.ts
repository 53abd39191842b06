import { expect, onTestFinished, test, vi } from 'vitest';
import { type WatchPorts, watchValidation } from '../../../../../src/main/engine/connect/watch-validation.ts';
import type {
  StreamEnd,
  StreamNews,
} from '../../../../../src/main/engine/service/connect/progress-stream.ts';
import { DeskError } from '../../../../../src/main/lib/errors.ts';
import { createFakeClock } from '../../../../support/engine-service.ts';

const watched = { email: 'a@b.example', employerId: 7, policyHolderId: 3 };
const known = { taskId: 't', taskToken: 'k' };
const says = (state: string, more: object = {}): StreamNews => ({
  kind: 'state',
  news: { state, methods: [], message: null, credentialsAreValid: null, isPending: false, ...more },
});
const polled = (state: string) => ({
  data: { state, info: null, credentials_are_valid: null, pending: false, message: null },
  requestId: null,
});
const holderOf = (more: object = {}) => ({
  data: { task_id: null, task_token: null, login_problem: null, last_successful_crawl_end: null, ...more },
  requestId: null,
});

function open(follow: WatchPorts['follow'], more: Partial<Pick<WatchPorts, 'firstNewsMs' | 'clock'>> = {}) {
  const api = {
    readPolicyHolder: vi.fn(async () => holderOf() as never),
    readValidation: vi.fn(async () => polled('SUCCESS') as never),
    answerValidation: vi.fn(async () => ({ data: null, requestId: null })),
  };
  const onChange = vi.fn();
  const ports: WatchPorts = { api, follow, clock: createFakeClock(), onChange, ...more };
  const watch = watchValidation(watched, known, ports);
  onTestFinished(() => watch.stop());
  return { watch, api, onChange };
}
/** A stream that stays open until it is no longer wanted. */
const untilLeft = (signal: AbortSignal): Promise<StreamEnd> =>
  new Promise((resolve) => {
    const leave = (): void => resolve({ how: 'lost', error: new DeskError('sync.canceled') });
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave);
  });

test('the stream reports the end and is closed; the policy holder has the problem', async () => {
  const { watch, api } = open(({ signal }, onNews) => {
    onNews(says('SUCCESS', { credentialsAreValid: true }));
    return untilLeft(signal);
  });
  await watch.ended;
  expect(watch.flow.outcome).toBe('connected');
  expect(api.readPolicyHolder).toHaveBeenCalledTimes(1);
  expect(api.readValidation).not.toHaveBeenCalled();
});

test('a silent stream is soon given up, and polled instead', async () => {
  const { watch, api } = open(({ signal }) => untilLeft(signal), { firstNewsMs: 10 });
  await watch.ended;
  expect(watch.flow.outcome).toBe('connected');
  expect(api.readValidation).toHaveBeenCalledTimes(1);
});

test('a broken stream is reopened through the policy holder, with a fresh token', async () => {
  const tokens: string[] = [];
  const { watch, api } = open(async ({ signal, taskToken }, onNews) => {
    tokens.push(taskToken);
    if (tokens.length === 1) {
      onNews(says('PENDING'));
      return { how: 'lost', error: new DeskError('service.connectionLost') };
    }
    onNews(says('SUCCESS', { credentialsAreValid: true }));
    return untilLeft(signal);
  });
  api.readPolicyHolder.mockResolvedValueOnce(holderOf({ task_id: 't', task_token: 'fresh' }) as never);
  await watch.ended;
  expect(tokens).toEqual(['k', 'fresh']);
  expect(watch.flow.outcome).toBe('connected');
  expect(api.readValidation).not.toHaveBeenCalled();
});

test('an answer that nothing waits for is never sent; a refused one leaves the flow where it is', async () => {
  const { watch, api } = open(({ signal }, onNews) => {
    onNews(says('WAITING_FOR_METHOD_CHOICE', { methods: ['Text', 'Call'] }));
    return untilLeft(signal);
  });
  await vi.waitFor(() => expect(watch.flow.state).toBe('WAITING_FOR_METHOD_CHOICE'));
  await expect(watch.answer({ code: '1' })).rejects.toMatchObject({ code: 'connect.notAsked' });
  await expect(watch.answer({ method: 'Pigeon' })).rejects.toMatchObject({ code: 'connect.notAsked' });
  expect(api.answerValidation).not.toHaveBeenCalled();
  api.answerValidation.mockRejectedValueOnce(new DeskError('connect.invalid'));
  await expect(watch.answer({ method: 'Text' })).rejects.toMatchObject({ code: 'connect.invalid' });
  expect(watch.flow).toMatchObject({ state: 'WAITING_FOR_METHOD_CHOICE', methods: ['Text', 'Call'] });
  await watch.answer({ method: 'Text' });
  expect(watch.flow.state).toBe('TRIGGERING_TWO_FACTOR_AUTH');
});

test('a network failure is shown as an interruption, and the watch continues', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lost = { how: 'lost', error: new DeskError('service.connectionLost') } as const;
  const { watch, api } = open(async () => lost);
  api.readValidation.mockRejectedValueOnce(new DeskError('service.unreachable'));
  await vi.advanceTimersByTimeAsync(10);
  expect(watch.flow).toMatchObject({ interruption: 'service.unreachable', outcome: null });
  await vi.advanceTimersByTimeAsync(30_000);
  await watch.ended;
  expect(watch.flow).toMatchObject({ interruption: null, outcome: 'connected' });
});

/** The clock goes with the timers. */
function openInTime(follow: WatchPorts['follow']) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  return open(follow, { clock: { ...createFakeClock(), now: () => Date.now() } });
}

test('stalled after the code while its connection has it running: ended after 90 minutes', async () => {
  let streams = 0;
  const { watch, api } = openInTime(({ signal }, onNews) => {
    streams += 1;
    onNews(says('TWO_FACTOR_AUTH_COMPLETE'));
    return untilLeft(signal);
  });
  api.readPolicyHolder.mockResolvedValue(holderOf({ task_id: 't', task_token: 'k' }) as never);
  api.readValidation.mockResolvedValue(polled('TWO_FACTOR_AUTH_COMPLETE') as never);
  await vi.advanceTimersByTimeAsync(89 * 60_000);
  expect(watch.flow).toMatchObject({
    outcome: null,
    state: 'TWO_FACTOR_AUTH_COMPLETE',
    watchedBy: 'polling',
  });
  await vi.advanceTimersByTimeAsync(2 * 60_000);
  await watch.ended;
  expect(watch.flow.outcome).toBe('unknown');
  expect(streams).toBe(1);
  const asked = api.readPolicyHolder.mock.calls.length;
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  expect(api.readPolicyHolder).toHaveBeenCalledTimes(asked);
  expect(asked).toBeLessThan(200);
});

test('stalled after the code, with its connection accepted: connected immediately', async () => {
  const { watch, api } = openInTime(({ signal }, onNews) => {
    onNews(says('TWO_FACTOR_AUTH_COMPLETE'));
    return untilLeft(signal);
  });
  api.readPolicyHolder.mockResolvedValue(holderOf({ login_problem: 'valid' }) as never);
  api.readValidation.mockResolvedValue(polled('TWO_FACTOR_AUTH_COMPLETE') as never);
  await vi.advanceTimersByTimeAsync(100);
  expect(watch.flow.outcome).toBe('connected');
  expect(api.readValidation).toHaveBeenCalledTimes(1);
});

test('a stream that only pings, and polls that say the same, are ended after 90 minutes, and the connection that still has it is not believed', async () => {
  const { watch, api } = openInTime(async ({ signal }, onNews) => {
    onNews(says('WAITING_FOR_TWO_FACTOR_CODE'));
    const pings = setInterval(() => onNews({ kind: 'alive' }), 15_000);
    const end = await untilLeft(signal);
    clearInterval(pings);
    return end;
  });
  api.readPolicyHolder.mockResolvedValue(holderOf({ task_id: 't', task_token: 'k' }) as never);
  api.readValidation.mockResolvedValue(polled('WAITING_FOR_TWO_FACTOR_CODE') as never);
  await vi.advanceTimersByTimeAsync(89 * 60_000);
  expect(watch.flow.outcome).toBeNull();
  await vi.advanceTimersByTimeAsync(2 * 60_000);
  expect(watch.flow.outcome).toBe('unknown');
});

/** A stream that tells these states at once, then only pings, and is left open. */
const tellingOnly =
  (...states: StreamNews[]): WatchPorts['follow'] =>
  async ({ signal }, onNews) => {
    for (const state of states) onNews(state);
    const pings = setInterval(() => onNews({ kind: 'alive' }), 15_000);
    const end = await untilLeft(signal);
    clearInterval(pings);
    return end;
  };
const methods = { methods: ['Text', 'Call'] };

test.each([
  ['a question', [says('PENDING')], 'WAITING_FOR_TWO_FACTOR_CODE', 3_000],
  ['the next question', [says('WAITING_FOR_METHOD_CHOICE', methods)], 'WAITING_FOR_TWO_FACTOR_CODE', 4_000],
  ['the end', [says('ENTERING_CODE')], 'SUCCESS', 3_000],
])('%s that the stream missed is found by polling beside it', async (_name, told, missed, withinMs) => {
  const { watch, api } = openInTime(tellingOnly(...told));
  api.readValidation.mockResolvedValue(polled(missed) as never);
  await vi.advanceTimersByTimeAsync(withinMs - 100);
  expect(watch.flow.state).not.toBe(missed);
  await vi.advanceTimersByTimeAsync(200);
  expect(watch.flow.state).toBe(missed);
  expect(watch.flow.watchedBy).toBe('stream');
});

test('next to a stream a state is found within 5 s, even after most of an hour in one, and is not requested once it is over', async () => {
  const { watch, api } = openInTime(tellingOnly(says('WAITING_FOR_TWO_FACTOR_CODE')));
  api.readValidation.mockResolvedValue(polled('WAITING_FOR_TWO_FACTOR_CODE') as never);
  const asked = (): number => api.readValidation.mock.calls.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked()).toBe(15);
  await vi.advanceTimersByTimeAsync(58 * 60_000);
  expect(asked()).toBe(15 * 59);
  api.readValidation.mockResolvedValue(polled('SUCCESS') as never);
  await vi.advanceTimersByTimeAsync(4_100);
  await watch.ended;
  expect(watch.flow.outcome).toBe('connected');
  const atTheEnd = asked();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(asked()).toBe(atTheEnd);
});

test('while the stream reports news nothing is polled, and a failing poll changes nothing', async () => {
  const { watch, api } = openInTime(async ({ signal }, onNews) => {
    const states = ['PENDING', 'STARTED', 'RETRY'];
    const news = setInterval(() => onNews(says(states[Date.now() % 3] ?? '')), 2_000);
    const end = await untilLeft(signal);
    clearInterval(news);
    return end;
  });
  await vi.advanceTimersByTimeAsync(7_900);
  expect(api.readValidation).not.toHaveBeenCalled();
  const silent = openInTime(tellingOnly(says('PENDING')));
  silent.api.readValidation.mockRejectedValue(new DeskError('connect.notFound'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(silent.watch.flow).toMatchObject({ state: 'PENDING', outcome: null, interruption: null });
  // 3, 9, 21 and 45 seconds.
  expect(silent.api.readValidation).toHaveBeenCalledTimes(4);
  await watch.stop();
});

test('a poll sent before the answer does not ask for the code again; one after it does', async () => {
  const { watch, api } = openInTime(tellingOnly(says('WAITING_FOR_TWO_FACTOR_CODE')));
  const refused = {
    data: { ...polled('WAITING_FOR_TWO_FACTOR_CODE').data, message: 'Wrong code.' },
    requestId: null,
  };
  api.readValidation.mockImplementation(async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return refused as never;
  });
  // Asked at 5 s, answered at 6 s; the member's code is taken in between.
  await vi.advanceTimersByTimeAsync(5_500);
  await watch.answer({ code: '123456' });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(watch.flow).toMatchObject({ state: 'ENTERING_CODE', message: null });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(watch.flow).toMatchObject({ state: 'WAITING_FOR_TWO_FACTOR_CODE', message: 'Wrong code.' });
});

test('an answer that the service does not expect causes the state to be requested immediately', async () => {
  const { watch, api } = openInTime(tellingOnly(says('WAITING_FOR_TWO_FACTOR_CODE')));
  await vi.advanceTimersByTimeAsync(10);
  api.answerValidation.mockRejectedValueOnce(new DeskError('connect.invalid'));
  await expect(watch.answer({ code: '1' })).rejects.toMatchObject({ code: 'connect.invalid' });
  await vi.advanceTimersByTimeAsync(10);
  await watch.ended;
  expect(watch.flow.outcome).toBe('connected');
});

test('once stopped, it neither requests nor reports anything', async () => {
  const { watch, onChange } = open(({ signal }, onNews) => {
    onNews(says('PENDING'));
    return untilLeft(signal);
  });
  await watch.stop();
  const told = onChange.mock.calls.length;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(onChange).toHaveBeenCalledTimes(told);
  expect(watch.flow.outcome).toBeNull();
});
