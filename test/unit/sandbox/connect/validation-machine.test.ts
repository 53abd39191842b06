import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validationStateSchema } from '../../../../src/contract/carrier-connections.ts';
import type {
  CarrierPlan,
  RawState,
  SimulatedValidation,
  ValidationEvent,
} from '../../../../src/sandbox/connect/validation-machine.ts';
import {
  credentialsAreValid,
  isAtRest,
  isPending,
  isTerminal,
  MAX_REFUSED_CODES,
  nextValidation,
  polledState,
  startValidation,
} from '../../../../src/sandbox/connect/validation-machine.ts';

const METHODS = ['Text', 'Email', 'Call'] as const;
const CODE = '123456';

const plans: fc.Arbitrary<CarrierPlan> = fc.record({
  outcome: fc.constantFrom('valid', 'invalid', 'broken', 'problem', 'undecided'),
  methods: fc.subarray([...METHODS]),
  hasRetry: fc.boolean(),
  code: fc.constant(CODE),
  rest: fc.constant('none' as const),
});

const events: fc.Arbitrary<ValidationEvent> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'time' } as const) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('method' as const),
      method: fc.constantFrom(...METHODS, 'Pigeon'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('code' as const), code: fc.constantFrom(CODE, '000000', '') }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'superseded' } as const) },
);

function run(plan: CarrierPlan, steps: readonly ValidationEvent[]): SimulatedValidation[] {
  let validation = startValidation(plan);
  const seen = [validation];
  for (const step of steps) {
    validation = nextValidation(validation, step);
    seen.push(validation);
  }
  return seen;
}

/** docs/service.md, "Connect calls", read as a table: what may follow what. Any may end. */
const FOLLOWS: Readonly<Record<RawState, readonly RawState[]>> = {
  PENDING: ['STARTED'],
  STARTED: ['RETRY', 'WAITING_FOR_METHOD_CHOICE', 'TRIGGERING_TWO_FACTOR_AUTH', 'SUCCESS'],
  RETRY: ['STARTED'],
  WAITING_FOR_METHOD_CHOICE: ['TRIGGERING_TWO_FACTOR_AUTH'],
  TRIGGERING_TWO_FACTOR_AUTH: ['WAITING_FOR_TWO_FACTOR_CODE'],
  WAITING_FOR_TWO_FACTOR_CODE: ['ENTERING_CODE'],
  ENTERING_CODE: ['WAITING_FOR_TWO_FACTOR_CODE', 'TWO_FACTOR_AUTH_COMPLETE'],
  TWO_FACTOR_AUTH_COMPLETE: ['SUCCESS'],
  SUCCESS: [],
  FAILURE: [],
};

describe('nextValidation, whatever happens in whatever order', () => {
  const sequences = fc.tuple(plans, fc.array(events, { maxLength: 60 }));

  it('goes only where the documents allow', () => {
    fc.assert(
      fc.property(sequences, ([plan, steps]) => {
        const seen = run(plan, steps);
        for (const [n, { state }] of seen.entries()) {
          const before = seen[n - 1]?.state ?? 'PENDING';
          const isFine = state === before || state === 'FAILURE' || FOLLOWS[before].includes(state);
          expect(isFine, `${before} to ${state}`).toBe(true);
          expect(validationStateSchema.safeParse(polledState(state)).success).toBe(true);
        }
      }),
    );
  });

  it('has no dead end: time alone ends it from anywhere, within a few steps', () => {
    fc.assert(
      fc.property(sequences, ([plan, steps]) => {
        let validation = run(plan, steps).at(-1) as SimulatedValidation;
        for (let n = 0; n < 8 && !isTerminal(validation.state); n += 1) {
          const next = nextValidation(validation, { kind: 'time' });
          expect(next.state).not.toBe(validation.state);
          validation = next;
        }
        expect(isTerminal(validation.state)).toBe(true);
      }),
    );
  });

  it('stalls permanently once the code was right if the carrier does', () => {
    fc.assert(
      fc.property(sequences, fc.constantFrom('told' as const, 'untold' as const), ([plan, steps], rest) => {
        const seen = run({ ...plan, rest }, steps);
        expect(
          seen.some(
            ({ state }, n) => seen[n - 1]?.state === 'TWO_FACTOR_AUTH_COMPLETE' && state === 'SUCCESS',
          ),
        ).toBe(false);
        const last = seen.at(-1) as SimulatedValidation;
        if (isAtRest(last)) expect(nextValidation(last, { kind: 'time' })).toBe(last);
      }),
    );
  });

  it('an end stays an end, as the very same value', () => {
    fc.assert(
      fc.property(sequences, events, ([plan, steps], more) => {
        const ended = run(plan, [...steps, { kind: 'superseded' }]).at(-1) as SimulatedValidation;
        expect(isTerminal(ended.state)).toBe(true);
        expect(nextValidation(ended, more)).toBe(ended);
      }),
    );
  });

  it('asks for a code again after each refused one, until there were too many; never for the login', () => {
    fc.assert(
      fc.property(sequences, ([plan, steps]) => {
        const seen = run(plan, steps);
        for (const { state, refusedCodes, message } of seen) {
          if (state === 'WAITING_FOR_TWO_FACTOR_CODE') {
            expect(refusedCodes).toBeLessThan(MAX_REFUSED_CODES);
            expect(message === null).toBe(refusedCodes === 0);
          }
        }
        expect(
          seen.slice(1).some(({ state }, n) => state === 'PENDING' && seen[n]?.state !== 'PENDING'),
        ).toBe(false);
      }),
    );
  });

  it('connects after right answers, in whatever order time passes between them', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        let validation = startValidation({ ...plan, outcome: 'valid' });
        for (let n = 0; n < 20 && !isTerminal(validation.state); n += 1) {
          const answer: ValidationEvent =
            validation.state === 'WAITING_FOR_METHOD_CHOICE'
              ? { kind: 'method', method: plan.methods[0] ?? '' }
              : validation.state === 'WAITING_FOR_TWO_FACTOR_CODE'
                ? { kind: 'code', code: CODE }
                : { kind: 'time' };
          validation = nextValidation(validation, answer);
        }
        expect([validation.state, credentialsAreValid(validation), isPending(validation)]).toEqual([
          'SUCCESS',
          true,
          false,
        ]);
      }),
    );
  });

  it('reveals nothing about the login before the end', () => {
    fc.assert(
      fc.property(sequences, ([plan, steps]) => {
        for (const validation of run(plan, steps)) {
          if (isTerminal(validation.state)) continue;
          expect([credentialsAreValid(validation), isPending(validation), validation.problem]).toEqual([
            null,
            false,
            null,
          ]);
        }
      }),
    );
  });
});

describe('polledState', () => {
  it('STARTED and RETRY are PENDING', () => {
    expect((['STARTED', 'RETRY', 'ENTERING_CODE'] as const).map(polledState)).toEqual([
      'PENDING',
      'PENDING',
      'ENTERING_CODE',
    ]);
  });
});
