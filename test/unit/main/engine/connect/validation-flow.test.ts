import fc from 'fast-check';
import { expect, test } from 'vitest';
import { validationStateSchema } from '../../../../../src/contract/connect.ts';
import {
  type Flow,
  type Happening,
  nextFlow,
  pollPauseMs,
  startFlow,
} from '../../../../../src/main/engine/connect/validation-flow.ts';
import type { ValidationNews } from '../../../../../src/main/engine/service/connect/progress-stream.ts';
import { planFor, RIGHT_CODE } from '../../../../../src/sandbox/connect/test-carriers.ts';
import {
  credentialsAreValid,
  isPending,
  nextValidation,
  startValidation,
} from '../../../../../src/sandbox/connect/validation-machine.ts';

const runs = Number(process.env.CLAIMDESK_FUZZ_RUNS ?? 0) || undefined;
const at = 1_000_000;
const begin = (): Flow => startFlow({ taskId: 't', taskToken: 'k' }, at);
const news = (state: string | null, more: Partial<ValidationNews> = {}): ValidationNews => ({
  state,
  methods: [],
  message: null,
  credentialsAreValid: null,
  isPending: false,
  ...more,
});
const told = (flow: Flow, state: string, more: Partial<ValidationNews> = {}, nowMs = at): Flow =>
  nextFlow(flow, { kind: 'news', news: news(state, more), via: 'stream' }, nowMs);
const running = { taskId: 't', taskToken: 'fresh', loginProblem: null, lastSuccessAt: null };
const over = { taskId: null, taskToken: null, loginProblem: null, lastSuccessAt: null };

test('listens first, and looks at the policy holder where the token is not known', () => {
  expect(begin().step).toEqual({ kind: 'listen' });
  expect(startFlow({ taskId: 't', taskToken: null }, at).step).toEqual({ kind: 'readHolder', afterMs: 0 });
});

test('STARTED and RETRY are PENDING, and a state that nobody published changes nothing', () => {
  for (const state of ['STARTED', 'RETRY', 'WONDERING', null])
    expect(nextFlow(begin(), { kind: 'news', news: news(state), via: 'poll' }, at).state).toBe('PENDING');
});

test('a stream that ends without an end is taken up again with a fresh token, at longer intervals, then polled', () => {
  let flow = begin();
  const pauses: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    flow = nextFlow(flow, { kind: 'streamEnded', how: 'closed' }, at);
    expect(flow.step.kind).toBe('readHolder');
    pauses.push('afterMs' in flow.step ? flow.step.afterMs : -1);
    flow = nextFlow(flow, { kind: 'holder', holder: running }, at);
    expect(flow).toMatchObject({ step: { kind: 'listen' }, taskToken: 'fresh' });
  }
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  flow = nextFlow(flow, { kind: 'streamEnded', how: 'closed' }, at);
  expect(flow).toMatchObject({ step: { kind: 'poll' }, watchedBy: 'polling' });
});

test('a timeout of the stream is nothing odd: it is always taken up again', () => {
  let flow = begin();
  for (let round = 0; round < 50; round += 1) {
    flow = nextFlow(flow, { kind: 'streamEnded', how: 'timeout' }, at);
    flow = nextFlow(flow, { kind: 'holder', holder: running }, at);
    expect(flow.step.kind).toBe('listen');
  }
});

test('a stream that cannot be had is polled, and stays so', () => {
  const lost = nextFlow(begin(), { kind: 'streamEnded', how: 'lost' }, at);
  expect(lost.step).toEqual({ kind: 'poll', afterMs: 0 });
  const polled = nextFlow(lost, { kind: 'news', news: news('PENDING'), via: 'poll' }, at);
  expect(polled.step).toEqual({ kind: 'poll', afterMs: 3_000 });
});

test.each([
  ['PENDING', 0, 3_000],
  ['ENTERING_CODE', 60_000, 3_000],
  ['WAITING_FOR_METHOD_CHOICE', 0, 5_000],
  ['WAITING_FOR_TWO_FACTOR_CODE', 119_000, 5_000],
  ['WAITING_FOR_TWO_FACTOR_CODE', 121_000, 10_000],
  ['PENDING', 121_000, 10_000],
] as const)('in %s for %i ms the next poll is after %i ms', (state, inStateMs, pauseMs) => {
  expect(pollPauseMs(state, inStateMs)).toBe(pauseMs);
});

test('a refused code is asked for again, with the carrier’s words', () => {
  let flow = told(begin(), 'WAITING_FOR_TWO_FACTOR_CODE');
  expect(flow.isCodeRefused).toBe(false);
  flow = nextFlow(flow, { kind: 'answered', what: 'code' }, at);
  expect(flow.state).toBe('ENTERING_CODE');
  flow = told(flow, 'WAITING_FOR_TWO_FACTOR_CODE', { message: 'Falsch. Try again!' });
  expect(flow).toMatchObject({ isCodeRefused: true, message: 'Falsch. Try again!', outcome: null });
});

test('the state before an answer is not believed for a moment, then it is', () => {
  let flow = told(begin(), 'WAITING_FOR_METHOD_CHOICE', { methods: ['Text', 'Call'] });
  flow = nextFlow(flow, { kind: 'answered', what: 'method' }, at);
  const stale = { methods: ['Text', 'Call'] };
  expect(told(flow, 'WAITING_FOR_METHOD_CHOICE', stale, at + 1_000).state).toBe('TRIGGERING_TWO_FACTOR_AUTH');
  expect(told(flow, 'WAITING_FOR_METHOD_CHOICE', stale, at + 30_000)).toMatchObject({
    state: 'WAITING_FOR_METHOD_CHOICE',
    methods: ['Text', 'Call'],
  });
});

test.each([
  ['SUCCESS', { credentialsAreValid: true }, over, 'connected'],
  ['SUCCESS', { isPending: true }, over, 'provisional'],
  ['SUCCESS', { credentialsAreValid: false }, over, 'attention'],
  ['SUCCESS', {}, { ...over, loginProblem: 'sec_question' }, 'attention'],
  ['SUCCESS', {}, { ...over, loginProblem: 'valid' }, 'connected'],
  ['FAILURE', {}, { ...over, loginProblem: 'invalid' }, 'failed'],
] as const)('%s %j with a policy holder %j is %s', (state, more, holder, outcome) => {
  const flow = told(begin(), state, more);
  expect(flow).toMatchObject({ outcome: null, step: { kind: 'readHolder' } });
  expect(nextFlow(flow, { kind: 'holder', holder }, at).outcome).toBe(outcome);
});

test('all null is not success: the result is read by its own name, and unknown where that is forgotten', () => {
  let flow = nextFlow(begin(), { kind: 'streamEnded', how: 'over' }, at);
  flow = nextFlow(flow, { kind: 'holder', holder: over }, at);
  expect(flow).toMatchObject({ outcome: null, step: { kind: 'poll', afterMs: 0 } });
  flow = nextFlow(flow, { kind: 'failed', step: 'poll', code: 'connect.notFound' }, at);
  expect(flow.outcome).toBe('unknown');
});

test('the network may be away for hours; then it is asked again, at most half a minute apart', () => {
  let flow = nextFlow(begin(), { kind: 'streamEnded', how: 'lost' }, at);
  for (let round = 0; round < 500; round += 1) {
    flow = nextFlow(flow, { kind: 'failed', step: 'poll', code: 'service.unreachable' }, at + round * 30_000);
    expect(flow).toMatchObject({
      outcome: null,
      interruption: 'service.unreachable',
      step: { kind: 'poll' },
    });
    expect('afterMs' in flow.step && flow.step.afterMs).toBeLessThanOrEqual(30_000);
  }
  expect(told(flow, 'PENDING').interruption).toBeNull();
});

const anyNews = fc.record({
  state: fc.option(
    fc.oneof(fc.constantFrom(...validationStateSchema.options, 'STARTED', 'RETRY'), fc.string()),
    {
      nil: null,
    },
  ),
  methods: fc.array(fc.string(), { maxLength: 3 }),
  message: fc.option(fc.string(), { nil: null }),
  credentialsAreValid: fc.option(fc.boolean(), { nil: null }),
  isPending: fc.boolean(),
});
const textOrNull = fc.option(fc.constantFrom('a', 'b'), { nil: null });
const anyHappening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({
    kind: fc.constant('news' as const),
    news: anyNews,
    via: fc.constantFrom('stream' as const, 'poll' as const),
  }),
  fc.constant({ kind: 'alive' as const }),
  fc.record({
    kind: fc.constant('streamEnded' as const),
    how: fc.constantFrom('closed' as const, 'timeout' as const, 'over' as const, 'lost' as const),
  }),
  fc.record({
    kind: fc.constant('holder' as const),
    holder: fc.record({
      taskId: textOrNull,
      taskToken: textOrNull,
      loginProblem: fc.option(fc.constantFrom('invalid', 'valid', 'odd'), { nil: null }),
      lastSuccessAt: textOrNull,
    }),
  }),
  fc.record({
    kind: fc.constant('failed' as const),
    step: fc.constantFrom('poll' as const, 'readHolder' as const),
    code: fc.constantFrom(
      'connect.notFound' as const,
      'service.unreachable' as const,
      'connect.memberUnknown' as const,
    ),
  }),
  fc.record({
    kind: fc.constant('answered' as const),
    what: fc.constantFrom('method' as const, 'code' as const),
  }),
  fc.constant({ kind: 'answerRefused' as const }),
);

test('whatever happens, there is a next step or an outcome, never both, and no step submits a login', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyHappening, fc.nat(60_000)), { maxLength: 60 }), (happenings) => {
      let flow = begin();
      let nowMs = at;
      for (const [happening, passedMs] of happenings) {
        nowMs += passedMs;
        const before = flow;
        flow = nextFlow(flow, happening, nowMs);
        if (before.outcome !== null) expect(flow).toBe(before);
        expect(['listen', 'poll', 'readHolder', 'rest']).toContain(flow.step.kind);
        expect(flow.step.kind === 'rest').toBe(flow.outcome !== null);
        if ('afterMs' in flow.step) expect(flow.step.afterMs).toBeLessThanOrEqual(30_000);
        if (flow.step.kind === 'listen') expect(flow.taskId !== null && flow.taskToken !== null).toBe(true);
      }
    }),
    { numRuns: runs ?? 500 },
  );
});

/** What the service would tell now. */
function tellOf(validation: ReturnType<typeof startValidation>): ValidationNews {
  const { state, message, plan } = validation;
  return news(state, {
    message,
    methods: state === 'WAITING_FOR_METHOD_CHOICE' ? plan.methods : [],
    credentialsAreValid: credentialsAreValid(validation),
    isPending: isPending(validation),
  });
}

test('beside the service’s own machine, whatever is lost on the way, the validation ends as there', () => {
  const lossy = fc.array(fc.constantFrom('fine', 'streamLost', 'streamClosed', 'streamOver', 'failed'), {
    maxLength: 25,
  });
  const username = fc.constantFrom(
    'dana',
    'dana-invalid',
    'dana-break',
    'dana-problem',
    'dana-undecided',
    'retry',
  );
  const codes = fc.array(fc.constantFrom('000000', RIGHT_CODE), { maxLength: 4 });
  fc.assert(
    fc.property(username, fc.boolean(), codes, lossy, (name, hasTwoFactor, tried, losses) => {
      const { isFast: _isFast, ...plan } = planFor(name, hasTwoFactor);
      let service = startValidation(plan);
      let flow = begin();
      let nowMs = at;
      const answers = [...tried];
      const wanted = [...losses];
      let steps = 0;
      while (flow.outcome === null) {
        steps += 1;
        expect(steps, 'no dead end').toBeLessThan(400);
        nowMs += 1_000;
        service = nextValidationUnlessAsked(service);
        const isOver = service.state === 'SUCCESS' || service.state === 'FAILURE';
        if (flow.step.kind === 'listen') {
          const loss = wanted.shift() ?? 'fine';
          if (loss === 'streamLost') flow = nextFlow(flow, { kind: 'streamEnded', how: 'lost' }, nowMs);
          else if (loss === 'streamClosed')
            flow = nextFlow(flow, { kind: 'streamEnded', how: 'closed' }, nowMs);
          else if (loss === 'streamOver' || loss === 'failed')
            flow = nextFlow(flow, { kind: 'streamEnded', how: 'over' }, nowMs);
          else flow = nextFlow(flow, { kind: 'news', news: tellOf(service), via: 'stream' }, nowMs);
        } else if (flow.step.kind === 'poll') {
          nowMs += flow.step.afterMs;
          flow =
            wanted.shift() === 'failed'
              ? nextFlow(flow, { kind: 'failed', step: 'poll', code: 'service.connectionLost' }, nowMs)
              : nextFlow(flow, { kind: 'news', news: tellOf(service), via: 'poll' }, nowMs);
        } else {
          const token = isOver ? { taskId: null, taskToken: null } : { taskId: 't', taskToken: 'n' };
          const holder = { ...token, loginProblem: isOver ? service.problem : null, lastSuccessAt: null };
          flow = nextFlow(flow, { kind: 'holder', holder }, nowMs);
        }
        if (flow.state === 'WAITING_FOR_METHOD_CHOICE' && flow.outcome === null) {
          const method = flow.methods[0] ?? '';
          service = nextValidation(service, { kind: 'method', method });
          flow = nextFlow(flow, { kind: 'answered', what: 'method' }, nowMs);
        } else if (flow.state === 'WAITING_FOR_TWO_FACTOR_CODE' && flow.outcome === null) {
          service = nextValidation(service, { kind: 'code', code: answers.shift() ?? RIGHT_CODE });
          flow = nextFlow(flow, { kind: 'answered', what: 'code' }, nowMs);
        }
      }
      const { outcome } = plan;
      const ends = {
        valid: 'connected',
        invalid: 'failed',
        broken: 'failed',
        problem: 'attention',
        undecided: 'provisional',
      };
      expect(flow.outcome).toBe(ends[outcome]);
    }),
    { numRuns: runs ?? 300 },
  );
});

/** Time leads on, but nobody is slow to answer here. */
function nextValidationUnlessAsked(service: ReturnType<typeof startValidation>) {
  const isAsked = service.state.startsWith('WAITING');
  return isAsked ? service : nextValidation(service, { kind: 'time' });
}
