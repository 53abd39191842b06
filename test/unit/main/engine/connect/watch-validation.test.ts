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

test('the end is heard on the stream, which is left; the policy holder tells the problem', async () => {
  const { watch, api } = open(({ signal }, onNews) => {
    onNews(says('SUCCESS', { credentialsAreValid: true }));
    return untilLeft(signal);
  });
  await watch.ended;
  expect(watch.flow.outcome).toBe('connected');
  expect(api.readPolicyHolder).toHaveBeenCalledTimes(1);
  expect(api.readValidation).not.toHaveBeenCalled();
});

test('a stream that says nothing is given up soon, and polled instead', async () => {
  const { watch, api } = open(({ signal }) => untilLeft(signal), { firstNewsMs: 10 });
  await watch.ended;
  expect(watch.flow.outcome).toBe('connected');
  expect(api.readValidation).toHaveBeenCalledTimes(1);
});

test('a stream that breaks is taken up again through the policy holder, with a fresh token', async () => {
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

test('an answer that nobody waits for never leaves; one that is refused leaves the flow where it is', async () => {
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

test('the network goes and comes back: told as an interruption, and gone on with', async () => {
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

test('resting after the code while its connection goes on naming it: left after ten minutes', async () => {
  let streams = 0;
  const { watch, api } = openInTime(({ signal }, onNews) => {
    streams += 1;
    onNews(says('TWO_FACTOR_AUTH_COMPLETE'));
    return untilLeft(signal);
  });
  api.readPolicyHolder.mockResolvedValue(holderOf({ task_id: 't', task_token: 'k' }) as never);
  await vi.advanceTimersByTimeAsync(9 * 60_000);
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
  expect(asked).toBeLessThan(60);
});

test('resting after the code, its connection accepted: connected at once', async () => {
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

test('a stream that only pings is left after an hour, and the connection that still names it is not believed', async () => {
  const { watch, api } = openInTime(async ({ signal }, onNews) => {
    onNews(says('WAITING_FOR_TWO_FACTOR_CODE'));
    const pings = setInterval(() => onNews({ kind: 'alive' }), 15_000);
    const end = await untilLeft(signal);
    clearInterval(pings);
    return end;
  });
  api.readPolicyHolder.mockResolvedValue(holderOf({ task_id: 't', task_token: 'k' }) as never);
  await vi.advanceTimersByTimeAsync(59 * 60_000);
  expect(watch.flow.outcome).toBeNull();
  await vi.advanceTimersByTimeAsync(2 * 60_000);
  expect(watch.flow.outcome).toBe('unknown');
});

test('stopped, it neither asks nor tells any more', async () => {
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
