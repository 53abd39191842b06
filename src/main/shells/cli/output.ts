import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** The streams of a command: those of its process, except in tests. */
export interface CommandStreams {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** Writes the output of a command: results on stdout, messages for people on stderr. */
export interface Printer {
  /** Writes one JSON object as a line. Resolves when the reader can take more. */
  json(value: unknown): Promise<void>;
  /** Writes a line that is already JSON, or plain text where the command prints text. */
  line(text: string): Promise<void>;
  /** Progress and hints, for people; silent with --json. */
  info(text: string): void;
}

/**
 * Characters that a terminal executes instead of showing them: C1 controls, and marks that change the direction of the
 * text. JSON itself escapes only those below a blank.
 */
const obeyed = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** The same JSON, with these characters escaped. */
const escapeSigns = (json: string): string =>
  json.replace(obeyed, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

export function createOutput(
  options: { isJson: boolean },
  { stdout, stderr }: Pick<CommandStreams, 'stdout' | 'stderr'> = process,
): Printer {
  const write = async (text: string): Promise<void> => {
    if (!stdout.write(text)) await once(stdout, 'drain');
  };
  return {
    json: (value) => write(`${escapeSigns(JSON.stringify(value))}\n`),
    line: (text) => write(`${escapeSigns(text)}\n`),
    info(text) {
      if (!options.isJson) stderr.write(`${text}\n`);
    },
  };
}
