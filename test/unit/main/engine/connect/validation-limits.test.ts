import { expect, test } from 'vitest';
import {
  type ValidationState,
  validationStateSchema,
} from '../../../../../src/contract/carrier-connections.ts';
import { nextFlow } from '../../../../../src/main/engine/connect/validation-flow.ts';
import {
  type Flow,
  type FlowEvent,
  type StreamEnding,
  startFlow,
} from '../../../../../src/main/engine/connect/validation-state.ts';

// Every state, with every event, at every time that a limit depends on. What is expected is stated here as one rule,
// independent of the flow's own.

const minuteMs = 60_000;
const beganMs = 1_000_000;
const times = [0, 3, 9, 11, 59, 61, 80, 89, 91, 23 * 60, 24 * 60 + 1].map((minutes) => minutes * minuteMs);
const states = validationStateSchema.options;
const isFinal = (state: ValidationState): boolean => state === 'SUCCESS' || state === 'FAILURE';

const nothing = { methods: [], message: null, credentialsAreValid: null, isPending: false };
const running = { taskId: 't', taskToken: 'fresh', loginProblem: null, lastSuccessAt: null };
const endings: readonly StreamEnding[] = ['closed', 'timeout', 'over', 'lost', 'tooLong'];
const events: readonly FlowEvent[] = [
  ...states.flatMap((state): FlowEvent[] => [
    { kind: 'news', news: { ...nothing, state }, via: 'stream' },
    { kind: 'news', news: { ...nothing, state }, via: 'poll' },
  ]),
  { kind: 'alive' },
  ...endings.map((how) => ({ kind: 'streamEnded' as const, how })),
  { kind: 'holder', holder: running },
  { kind: 'holder', holder: { ...running, taskToken: null } },
  { kind: 'holder', holder: { ...running, taskId: 'newer' } },
  { kind: 'holder', holder: { ...running, taskId: null, taskToken: null } },
  { kind: 'failed', step: 'poll', code: 'service.unreachable' },
  { kind: 'failed', step: 'readHolder', code: 'service.unreachable' },
  { kind: 'failed', step: 'poll', code: 'connect.notFound' },
  { kind: 'answered', what: 'method' },
  { kind: 'answered', what: 'code' },
  { kind: 'answerRefused' },
];

/** A flow that has been in a state since its beginning, and whose connection last named it as running at `namedMs`. */
function inState(state: ValidationState, namedMs: number): Flow {
  const flow = startFlow({ taskId: 't', taskToken: 'k' }, beganMs);
  const known = nextFlow(flow, { kind: 'news', news: { ...nothing, state }, via: 'stream' }, beganMs);
  return { ...known, namedMs };
}

/** Whether watching may end with an unknown result. */
function mayEndUnknown(flow: Flow, event: FlowEvent, nowMs: number): boolean {
  if (nowMs - flow.startedMs >= 24 * 60 * minuteMs) return true;
  const isNamed = event.kind === 'holder' && event.holder.taskId !== null;
  if (isNamed && event.holder.taskId !== flow.taskId) return false;
  const lastNamedMs = isNamed ? nowMs : flow.namedMs;
  const isResting = flow.state === 'TWO_FACTOR_AUTH_COMPLETE';
  if (isResting && nowMs - lastNamedMs >= 10 * minuteMs) return true;
  return nowMs - flow.sinceMs >= 90 * minuteMs;
}

test.each(states)('in %s no event at any time ends a validation that the connection has running', (state) => {
  for (const passedMs of times)
    for (const event of events)
      for (const namedAgoMs of [0, 9 * minuteMs, 11 * minuteMs, passedMs]) {
        const nowMs = beganMs + passedMs;
        const flow = inState(state, Math.max(beganMs, nowMs - namedAgoMs));
        const next = nextFlow(flow, event, nowMs);
        const what = `${state}, ${JSON.stringify(event)}, ${passedMs / minuteMs} min, named ${namedAgoMs / minuteMs} min ago`;
        expect(next.step.kind === 'rest', what).toBe(next.outcome !== null);
        const isEnded = isFinal(state) && event.kind === 'holder';
        if (isEnded) expect(next.outcome, what).toBe(state === 'SUCCESS' ? 'connected' : 'failed');
        else if (!mayEndUnknown(flow, event, nowMs)) expect(next.outcome, what).toBeNull();
      }
});

test.each(states.filter((state) => !isFinal(state)))(
  'in %s, named as running each time: followed for 90 minutes, and no longer',
  (state) => {
    const ask = (minutes: number): Flow['outcome'] => {
      const nowMs = beganMs + minutes * minuteMs;
      return nextFlow(inState(state, beganMs), { kind: 'holder', holder: running }, nowMs).outcome;
    };
    expect([11, 59, 61, 80, 89].map(ask)).toEqual([null, null, null, null, null]);
    expect([90, 91, 24 * 60].map(ask)).toEqual(['unknown', 'unknown', 'unknown']);
  },
);

test('after the code was accepted, a connection that can’t be read ends the watch after ten minutes, one that can does not', () => {
  const lost: FlowEvent = { kind: 'failed', step: 'readHolder', code: 'service.unreachable' };
  const at = (minutes: number) => beganMs + minutes * minuteMs;
  const resting = inState('TWO_FACTOR_AUTH_COMPLETE', at(40));
  expect(nextFlow(resting, lost, at(49)).outcome).toBeNull();
  expect(nextFlow(resting, lost, at(51)).outcome).toBe('unknown');
});

test('after the code was accepted, an unreadable validation does not hide that the connection has it', () => {
  const lost: FlowEvent = { kind: 'failed', step: 'poll', code: 'service.fault' };
  const flow = nextFlow(inState('TWO_FACTOR_AUTH_COMPLETE', beganMs), lost, beganMs + minuteMs);
  expect(flow).toMatchObject({ outcome: null, step: { kind: 'readHolder' } });
});
