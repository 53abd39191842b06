import fc from 'fast-check';
import { expect, test } from 'vitest';
import { validationStateSchema } from '../../../../../src/contract/carrier-connections.ts';
import type { StoredVerdict } from '../../../../../src/main/engine/connect/connect-file.ts';
import { nextFlow } from '../../../../../src/main/engine/connect/validation-flow.ts';
import {
  type Flow,
  type FlowEvent,
  type HolderNews,
  startFlow,
} from '../../../../../src/main/engine/connect/validation-state.ts';
import { pollPauseMs } from '../../../../../src/main/engine/connect/watch-limits.ts';
import type { ValidationNews } from '../../../../../src/main/engine/service/connect/progress-stream.ts';
import { planFor, RIGHT_CODE } from '../../../../../src/sandbox/connect/test-carriers.ts';
import {
  credentialsAreValid,
  isAtRest,
  isPending,
  nextValidation,
  problemAtRest,
  startValidation,
} from '../../../../../src/sandbox/connect/validation-machine.ts';
import { fuzzRuns } from '../../../../support/seeds.ts';

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

test('listens first, and reads the policy holder if the token is unknown', () => {
  expect(begin().step).toEqual({ kind: 'listen', forMs: 5_400_000 });
  expect(startFlow({ taskId: 't', taskToken: null }, at).step).toEqual({ kind: 'readHolder', afterMs: 0 });
});

test('STARTED and RETRY are PENDING, and an unpublished state changes nothing', () => {
  for (const state of ['STARTED', 'RETRY', 'WONDERING', null])
    expect(nextFlow(begin(), { kind: 'news', news: news(state), via: 'poll' }, at).state).toBe('PENDING');
});

test('a stream that breaks off is reopened with a fresh token, at longer intervals, then polled', () => {
  let flow = begin();
  const pauses: number[] = [];
  for (let round = 0; round < 10; round += 1) {
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

test('a timeout of the stream is normal: it is always reopened', () => {
  let flow = begin();
  for (let round = 0; round < 50; round += 1) {
    flow = nextFlow(flow, { kind: 'streamEnded', how: 'timeout' }, at);
    flow = nextFlow(flow, { kind: 'holder', holder: running }, at);
    expect(flow.step.kind).toBe('listen');
  }
});

test('if the stream is not available, it is polled, and stays so', () => {
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

test('a refused code is asked for again, with the carrier’s message', () => {
  let flow = told(begin(), 'WAITING_FOR_TWO_FACTOR_CODE');
  expect(flow.isCodeRefused).toBe(false);
  flow = nextFlow(flow, { kind: 'answered', what: 'code' }, at);
  expect(flow.state).toBe('ENTERING_CODE');
  flow = told(flow, 'WAITING_FOR_TWO_FACTOR_CODE', { message: 'Falsch. Try again!' });
  expect(flow).toMatchObject({ isCodeRefused: true, message: 'Falsch. Try again!', outcome: null });
});

test('the state before an answer is briefly not trusted, then it is', () => {
  let flow = told(begin(), 'WAITING_FOR_METHOD_CHOICE', { methods: ['Text', 'Call'] });
  flow = nextFlow(flow, { kind: 'answered', what: 'method' }, at);
  const stale = { methods: ['Text', 'Call'] };
  expect(told(flow, 'WAITING_FOR_METHOD_CHOICE', stale, at + 1_000).state).toBe('TRIGGERING_TWO_FACTOR_AUTH');
  expect(told(flow, 'WAITING_FOR_METHOD_CHOICE', stale, at + 30_000)).toMatchObject({
    state: 'WAITING_FOR_METHOD_CHOICE',
    methods: ['Text', 'Call'],
  });
});

const held = (flow: Flow, holder: HolderNews, nowMs: number): Flow =>
  nextFlow(flow, { kind: 'holder', holder }, nowMs);
const polledNow = (flow: Flow, state: string, more: Partial<ValidationNews> = {}, nowMs = at): Flow =>
  nextFlow(flow, { kind: 'news', news: news(state, more), via: 'poll', askedMs: nowMs }, nowMs);

test('of the stream and polling the later state counts, and it keeps listening', () => {
  let flow = told(begin(), 'WAITING_FOR_METHOD_CHOICE', { methods: ['Text'] });
  flow = polledNow(flow, 'WAITING_FOR_TWO_FACTOR_CODE');
  expect(flow).toMatchObject({
    state: 'WAITING_FOR_TWO_FACTOR_CODE',
    step: { kind: 'listen' },
    watchedBy: 'stream',
  });
  // Late news of the stream arrives in its original order.
  for (const state of ['PENDING', 'WAITING_FOR_METHOD_CHOICE', 'TRIGGERING_TWO_FACTOR_AUTH'])
    expect(told(flow, state, { methods: ['Text'] }, at + 15_000).state).toBe('WAITING_FOR_TWO_FACTOR_CODE');
  expect(told(flow, 'WAITING_FOR_TWO_FACTOR_CODE', {}, at + 15_000).state).toBe(
    'WAITING_FOR_TWO_FACTOR_CODE',
  );
  expect(polledNow(flow, 'PENDING', {}, at + 15_000).state).toBe('WAITING_FOR_TWO_FACTOR_CODE');
});

test('a state stays as long as one of them reports it, and a validation that begins again is followed', () => {
  let flow = told(begin(), 'WAITING_FOR_TWO_FACTOR_CODE');
  for (let secs = 5; secs <= 300; secs += 5) {
    flow = polledNow(flow, 'WAITING_FOR_TWO_FACTOR_CODE', {}, at + secs * 1_000);
    flow = told(flow, 'PENDING', {}, at + secs * 1_000 + 1);
    expect(flow.state).toBe('WAITING_FOR_TWO_FACTOR_CODE');
  }
  for (let secs = 305; secs <= 320; secs += 5) flow = polledNow(flow, 'PENDING', {}, at + secs * 1_000);
  expect(flow.state).toBe('PENDING');
});

test('polling removes nothing that the stream reported about the same state', () => {
  const choice = told(begin(), 'WAITING_FOR_METHOD_CHOICE', { methods: ['Text', 'Call'] });
  expect(polledNow(choice, 'WAITING_FOR_METHOD_CHOICE').methods).toEqual(['Text', 'Call']);
  let flow = told(begin(), 'WAITING_FOR_TWO_FACTOR_CODE');
  flow = nextFlow(flow, { kind: 'answered', what: 'code' }, at);
  flow = told(flow, 'WAITING_FOR_TWO_FACTOR_CODE', { message: 'Wrong.' });
  expect(polledNow(flow, 'WAITING_FOR_TWO_FACTOR_CODE')).toMatchObject({
    isCodeRefused: true,
    message: 'Wrong.',
  });
});

test('the pauses before a stream is reopened are no longer than those of polling', () => {
  let flow = begin();
  for (let round = 0; round < 10; round += 1) {
    flow = nextFlow(flow, { kind: 'streamEnded', how: 'closed' }, at);
    expect('afterMs' in flow.step ? flow.step.afterMs : 0).toBeLessThanOrEqual(3_000);
    flow = nextFlow(flow, { kind: 'holder', holder: running }, at);
  }
});

const foundAgain = (more: Partial<StoredVerdict> = {}): Flow =>
  startFlow(
    {
      taskId: 't',
      taskToken: null,
      verdict: {
        taskId: 't',
        state: 'SUCCESS',
        credentialsAreValid: null,
        isPending: false,
        message: null,
        ...more,
      },
    },
    at,
  );

test.each([
  [{}, over, 'connected'],
  [{}, { ...over, loginProblem: 'invalid' }, 'attention'],
  [{ credentialsAreValid: false }, over, 'attention'],
  [{ isPending: true }, over, 'provisional'],
  [{ state: 'FAILURE' as const, message: 'No.' }, over, 'failed'],
  // The list still names what is over.
  [{}, running, 'connected'],
])(
  'one found again after its end was told, %j, with a connection %j: %s',
  (more: Partial<StoredVerdict>, holder, outcome) => {
    const flow = held(foundAgain(more), holder, at);
    expect(flow).toMatchObject({ outcome, step: { kind: 'rest' }, message: more.message ?? null });
  },
);

test('a newer validation outweighs reports about the previous one', () => {
  const flow = held(foundAgain(), { ...running, taskId: 'newer' }, at);
  expect(flow).toMatchObject({ outcome: null, taskId: 'newer', verdict: null });
  expect(held(told(flow, 'FAILURE'), over, at).outcome).toBe('failed');
});

test('an unreadable result is judged by the connection, which no longer runs a validation', () => {
  let flow = held(startFlow({ taskId: 't', taskToken: null }, at), { ...over, loginProblem: 'valid' }, at);
  for (let tries = 0; flow.outcome === null; tries += 1) {
    expect(tries).toBeLessThan(10);
    flow = nextFlow(flow, { kind: 'failed', step: 'poll', code: 'connect.tokenInactive' }, at);
  }
  expect(flow).toMatchObject({ outcome: 'connected', interruption: null });
});

test.each([
  ['SUCCESS', { credentialsAreValid: true }, over, 'connected'],
  ['SUCCESS', {}, over, 'connected'],
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

test('all null is not success: the result is read by its own ID, and unknown if that is lost', () => {
  let flow = nextFlow(begin(), { kind: 'streamEnded', how: 'over' }, at);
  flow = nextFlow(flow, { kind: 'holder', holder: over }, at);
  expect(flow).toMatchObject({ outcome: null, step: { kind: 'poll', afterMs: 0 } });
  flow = nextFlow(flow, { kind: 'failed', step: 'poll', code: 'connect.notFound' }, at);
  expect(flow.outcome).toBe('unknown');
});

test('the network may be down for hours; then it is asked again, at most half a minute apart', () => {
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

const resting = 'TWO_FACTOR_AUTH_COMPLETE';
/** The connection named no validation any more, and the validation itself is asked once for its verdict. */
const asksForVerdict = { outcome: null, step: { kind: 'poll', afterMs: 0 } };

test.each([
  ['valid', 'connected'],
  ['invalid', 'attention'],
  [null, 'unknown'],
])('resting after the code, its connection without a task and with %s: %s', (loginProblem, outcome) => {
  let flow = told(begin(), resting);
  expect(flow).toMatchObject({
    outcome: null,
    step: { kind: 'readHolder', afterMs: 0 },
    watchedBy: 'polling',
  });
  flow = held(flow, { ...over, loginProblem }, at + 100);
  expect(flow).toMatchObject(asksForVerdict);
  const news = { kind: 'news', news: { ...anyVerdict, state: resting }, via: 'poll' } as const;
  expect(nextFlow(flow, news, at + 200)).toMatchObject({ outcome, step: { kind: 'rest' } });
});
const anyVerdict = { methods: [], message: null, credentialsAreValid: null, isPending: false };

test.each([
  [true, 'connected'],
  [false, 'attention'],
])('resting after the code with a verdict of %s: %s', (credentialsAreValid, outcome) => {
  const flow = held(told(begin(), resting), over, at);
  const news = { ...anyVerdict, state: resting, credentialsAreValid };
  expect(nextFlow(flow, { kind: 'news', news, via: 'poll' }, at).outcome).toBe(outcome);
});

test('one that only passes through that state ends with its verdict', () => {
  let flow = held(told(begin(), resting), running, at);
  expect(flow).toMatchObject({ outcome: null, step: { kind: 'poll', afterMs: 1_500 } });
  flow = held(flow, over, at + 1_500);
  expect(flow).toMatchObject(asksForVerdict);
  const news = { ...anyVerdict, state: 'SUCCESS', isPending: true };
  expect(nextFlow(flow, { kind: 'news', news, via: 'poll' }, at + 1_600).outcome).toBe('provisional');
});

test('while its connection names it as running, both are read in turn for 90 minutes, then the result is unknown', () => {
  let flow = told(begin(), resting);
  let nowMs = at;
  let requests = 0;
  while (flow.outcome === null) {
    expect(flow.step.kind).toBe(requests % 2 === 0 ? 'readHolder' : 'poll');
    nowMs += 'afterMs' in flow.step ? flow.step.afterMs : 0;
    flow = requests % 2 === 0 ? held(flow, running, nowMs) : polledNow(flow, resting, {}, nowMs);
    requests += 1;
  }
  expect(flow.outcome).toBe('unknown');
  expect(nowMs - at).toBeGreaterThanOrEqual(5_400_000);
  expect(nowMs - at).toBeLessThan(5_440_000);
  expect(requests).toBeLessThan(400);
});

test('a carrier that asks again after it accepted the code is answered', () => {
  let flow = held(told(begin(), resting), running, at + 1_000);
  flow = polledNow(flow, resting, {}, at + 5_000);
  flow = held(flow, running, at + 20_000);
  flow = polledNow(flow, 'WAITING_FOR_TWO_FACTOR_CODE', {}, at + 35_000);
  expect(flow).toMatchObject({ state: 'WAITING_FOR_TWO_FACTOR_CODE', outcome: null, step: { kind: 'poll' } });
});

test('after a night asleep in that state, the connection is asked once more before the result is unknown', () => {
  const later = at + 8 * 3_600_000;
  const flow = held(told(begin(), resting), running, at);
  expect(held(flow, running, later).outcome).toBe('unknown');
  expect(held(flow, over, later)).toMatchObject(asksForVerdict);
});

test('a newer validation in the connection is followed from its beginning', () => {
  const flow = held(told(begin(), resting), { ...running, taskId: 'newer' }, at + 60_000);
  expect(flow).toMatchObject({
    state: 'PENDING',
    taskId: 'newer',
    sinceMs: at + 60_000,
    step: { kind: 'listen', forMs: 5_400_000 },
  });
});

test('a validation that runs without a token for its stream is polled', () => {
  const flow = held(startFlow({ taskId: null, taskToken: null }, at), { ...running, taskToken: null }, at);
  expect(flow).toMatchObject({ outcome: null, taskId: 't', step: { kind: 'poll', afterMs: 3_000 } });
});

test('a stream that only pings is left when its state has lasted 90 minutes, and the connection decides', () => {
  let flow = told(begin(), 'WAITING_FOR_TWO_FACTOR_CODE');
  const later = at + 5_400_000;
  flow = nextFlow(flow, { kind: 'alive' }, later);
  flow = nextFlow(flow, { kind: 'streamEnded', how: 'tooLong' }, later);
  expect(flow).toMatchObject({ outcome: null, step: { kind: 'readHolder', afterMs: 0 } });
  expect(held(flow, running, later).outcome).toBe('unknown');
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
const anyFlowEvent: fc.Arbitrary<FlowEvent> = fc.oneof(
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
    fc.property(fc.array(fc.tuple(anyFlowEvent, fc.nat(60_000)), { maxLength: 60 }), (events) => {
      let flow = begin();
      let nowMs = at;
      for (const [event, passedMs] of events) {
        nowMs += passedMs;
        const before = flow;
        flow = nextFlow(flow, event, nowMs);
        if (before.outcome !== null) expect(flow).toBe(before);
        expect(['listen', 'poll', 'readHolder', 'rest']).toContain(flow.step.kind);
        expect(flow.step.kind === 'rest').toBe(flow.outcome !== null);
        if ('afterMs' in flow.step) expect(flow.step.afterMs).toBeLessThanOrEqual(30_000);
        if (flow.step.kind === 'listen') expect(flow.taskId !== null && flow.taskToken !== null).toBe(true);
      }
    }),
    { numRuns: fuzzRuns(500) },
  );
});

/**
 * Plays a flow against a service that answers anything, by the clock: each step takes as long as it says and an
 * answer up to a minute more. Gives how long it took.
 */
function play(answers: () => readonly [FlowEvent, number], first: Flow): { tookMs: number; flow: Flow } {
  let flow = first;
  let nowMs = at;
  for (let steps = 0; flow.outcome === null; steps += 1) {
    expect(steps, 'asks rarely').toBeLessThan(40_000);
    const [answer, tookMs] = answers();
    const { step } = flow;
    if (step.kind === 'listen') {
      const passedMs = Math.min(tookMs, step.forMs);
      nowMs += passedMs;
      const isNews = answer.kind === 'news' || answer.kind === 'alive';
      if (isNews)
        flow = nextFlow(flow, answer.kind === 'news' ? { ...answer, via: 'stream' } : answer, nowMs);
      if (flow.step.kind !== 'listen' || flow.outcome !== null) continue;
      const how = passedMs === step.forMs ? 'tooLong' : answer.kind === 'streamEnded' ? answer.how : 'closed';
      flow = nextFlow(flow, { kind: 'streamEnded', how }, nowMs);
    } else if ('afterMs' in step) {
      nowMs += step.afterMs + tookMs;
      const fits = step.kind === 'poll' ? answer.kind === 'news' : answer.kind === 'holder';
      if (fits) flow = nextFlow(flow, answer.kind === 'news' ? { ...answer, via: 'poll' } : answer, nowMs);
      else {
        const code = answer.kind === 'failed' ? answer.code : 'service.unreachable';
        flow = nextFlow(flow, { kind: 'failed', step: step.kind, code }, nowMs);
      }
    }
  }
  return { tookMs: nowMs - at, flow };
}
const anyAnswers = fc.array(fc.tuple(anyFlowEvent, fc.nat(60_000)), { minLength: 1, maxLength: 12 });
/** The same answers again and again, as a service that is stuck gives them. */
const inTurn = <T>(all: readonly T[]): (() => T) => {
  let next = 0;
  return () => all[next++ % all.length] as T;
};

test('whatever a service answers, the watching ends within a day', () => {
  fc.assert(
    fc.property(anyAnswers, (answers) => {
      const { tookMs } = play(inTurn(answers), begin());
      expect(tookMs).toBeLessThan(24 * 3_600_000 + 300_000);
    }),
    { numRuns: fuzzRuns(60) },
  );
});

test('a stream that only times out is not requested forever', () => {
  const timeout: FlowEvent = { kind: 'streamEnded', how: 'timeout' };
  const answers = inTurn<readonly [FlowEvent, number]>([
    [timeout, 0],
    [{ kind: 'holder', holder: running }, 0],
  ]);
  expect(play(answers, begin())).toMatchObject({ tookMs: 5_400_000, flow: { outcome: 'unknown' } });
});

test('stalled after the code, it ends soon after 90 minutes, or ten if no validation is running, whatever else is answered', () => {
  const rests = anyAnswers.map((answers) =>
    answers.map(([answer, tookMs]): [FlowEvent, number] => {
      if (answer.kind === 'news') return [{ ...answer, news: { ...answer.news, state: resting } }, tookMs];
      // A connection that names another validation each time is another story.
      if (answer.kind !== 'holder') return [answer, tookMs];
      const { taskId, taskToken } = answer.holder;
      return [{ kind: 'holder', holder: { ...answer.holder, taskId: taskId && 't', taskToken } }, tookMs];
    }),
  );
  fc.assert(
    fc.property(rests, (answers) => {
      const { tookMs } = play(inTurn(answers), told(begin(), resting));
      const isNamed = answers.some(
        ([{ kind, ...answer }]) =>
          kind === 'holder' &&
          'holder' in answer &&
          (answer.holder.taskId ?? answer.holder.taskToken) !== null,
      );
      expect(tookMs).toBeLessThan((isNamed ? 5_400_000 : 600_000) + 240_000);
    }),
    { numRuns: fuzzRuns(500) },
  );
});

/** Returns what the service would report now. */
function tellOf(validation: ReturnType<typeof startValidation>): ValidationNews {
  const { state, message, plan } = validation;
  return news(state, {
    message,
    methods: state === 'WAITING_FOR_METHOD_CHOICE' ? plan.methods : [],
    credentialsAreValid: credentialsAreValid(validation),
    isPending: isPending(validation),
  });
}

test('with the service’s own state machine, whatever is lost in between, the validation ends in the same way', () => {
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
  const carrier = fc.record({ hasTwoFactor: fc.boolean(), restsAfterCode: fc.boolean() });
  const codes = fc.array(fc.constantFrom('000000', RIGHT_CODE), { maxLength: 4 });
  fc.assert(
    fc.property(username, carrier, codes, lossy, (name, { hasTwoFactor, restsAfterCode }, tried, losses) => {
      const { isFast: _isFast, ...plan } = planFor(name, { hasTwoFactor, restsAfterCode });
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
        const isOver = service.state === 'SUCCESS' || service.state === 'FAILURE' || isAtRest(service);
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
          const holder = { ...token, loginProblem: isOver ? problemOf(service) : null, lastSuccessAt: null };
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
      // At rest, the connection alone gives the result, and none where it is undecided.
      const isUntold = isAtRest(service) && outcome === 'undecided';
      const ends = {
        valid: 'connected',
        invalid: 'failed',
        broken: 'failed',
        problem: 'attention',
        undecided: 'provisional',
      };
      expect(flow.outcome).toBe(isUntold ? 'unknown' : ends[outcome]);
    }),
    { numRuns: fuzzRuns(300) },
  );
});

const problemOf = (service: ReturnType<typeof startValidation>): string | null =>
  isAtRest(service) ? problemAtRest(service) : service.problem;

/** Advances with time unless an answer is awaited: answers are never slow here. */
function nextValidationUnlessAsked(service: ReturnType<typeof startValidation>) {
  const isAsked = service.state.startsWith('WAITING');
  return isAsked ? service : nextValidation(service, { kind: 'time' });
}
