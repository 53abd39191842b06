import { parseArgs } from 'node:util';
import { type Corpus, corpora } from './data/corpus.ts';
import { dayNumber } from './data/instants.ts';
import { type ListOrder, listOrders } from './data/ordered-list.ts';

export const tlsModes = ['good', 'wrong-host', 'expired', 'unknown-authority'] as const;
export type TlsMode = (typeof tlsModes)[number];

export type SandboxOptions = {
  readonly port: number;
  readonly controlPort: number;
  readonly members: number;
  readonly claims: number;
  readonly seed: number;
  readonly email: string;
  readonly order: ListOrder;
  /** The day on which the data's clock starts, as a day number. */
  readonly today: number;
  readonly tls: TlsMode | 'off';
  readonly corpus: Corpus;
  readonly truthFile: string | undefined;
  readonly endWithStdin: boolean;
};

/** Describes a wrong use of the command line in one sentence. */
export class UsageError extends Error {}

const MAX_RECORDS = 50_000_000;

/**
 * Reads the command line.
 *
 * @throws UsageError with a sentence about the option
 */
export function parseOptions(argv: readonly string[]): SandboxOptions {
  const values = parseFlags(argv);
  const today = dayNumber(values.today);
  if (Number.isNaN(today)) throw new UsageError('--today must be a date such as 2026-11-20.');
  const email = values.email;
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new UsageError('--email must be an email address.');
  return {
    port: wholeNumber('port', values.port, 0, 65_535),
    controlPort: wholeNumber('control-port', values['control-port'], 0, 65_535),
    members: wholeNumber('members', values.members, 1, MAX_RECORDS),
    claims: wholeNumber('claims', values.claims, 0, MAX_RECORDS),
    seed: wholeNumber('seed', values.seed, 0, 4_294_967_295),
    email,
    order: oneOf('order', values.order, listOrders),
    today,
    tls: oneOf('tls', values.tls, ['off', ...tlsModes]),
    corpus: oneOf('corpus', values.corpus, corpora),
    truthFile: values['truth-file'],
    endWithStdin: values['end-with-stdin'],
  };
}

function parseFlags(argv: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...argv],
      strict: true,
      allowPositionals: false,
      options: {
        port: { type: 'string', default: '0' },
        'control-port': { type: 'string', default: '0' },
        members: { type: 'string', default: '2000' },
        claims: { type: 'string', default: '20000' },
        seed: { type: 'string', default: '1' },
        email: { type: 'string', default: 'admin@sandbox.example' },
        order: { type: 'string', default: 'asc' },
        today: { type: 'string', default: '2026-11-20' },
        tls: { type: 'string', default: 'off' },
        corpus: { type: 'string', default: 'hostile' },
        'truth-file': { type: 'string' },
        'end-with-stdin': { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The options could not be read.';
    throw new UsageError(message.replaceAll(/\s+/g, ' '));
  }
}

function wholeNumber(name: string, text: string, low: number, high: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < low || value > high)
    throw new UsageError(`--${name} must be a whole number from ${low} to ${high}.`);
  return value;
}

function oneOf<T extends string>(name: string, text: string, allowed: readonly T[]): T {
  const choice = allowed.find((value) => value === text);
  if (choice === undefined) throw new UsageError(`--${name} must be one of ${allowed.join(', ')}.`);
  return choice;
}
