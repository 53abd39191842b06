import type { CarrierPlan } from './validation-machine.ts';

/** The only code that the test carriers accept. */
export const RIGHT_CODE = '123456';

const METHODS: readonly string[] = [
  'Text to (***) ***-1234',
  'Email to d***@example.com',
  'Call (***) ***-1234',
];

/**
 * Returns what a test carrier does with a username. docs/service.md, "Test carriers": `invalid` is refused,
 * `break` cannot be validated, `fast` is validated at once. The sandbox adds words for states without one.
 */
export function planFor(
  username: string,
  { hasTwoFactor, restsAfterCode }: { readonly hasTwoFactor: boolean; readonly restsAfterCode: boolean },
): CarrierPlan & { readonly isFast: boolean } {
  const name = username.toLowerCase();
  const says = (word: string): boolean => name.includes(word);
  return {
    outcome: says('invalid')
      ? 'invalid'
      : says('break')
        ? 'broken'
        : says('problem')
          ? 'problem'
          : says('undecided')
            ? 'undecided'
            : 'valid',
    methods: !hasTwoFactor || says('fast') ? [] : says('single') ? METHODS.slice(0, 1) : METHODS,
    hasRetry: says('retry'),
    rest: !restsAfterCode ? 'none' : says('hanging') ? 'untold' : 'told',
    code: RIGHT_CODE,
    isFast: says('fast'),
  };
}
