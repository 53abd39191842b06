import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** What a command is connected to: the streams of the process it is. Tests in one process give it others. */
export interface CommandStreams {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** Where a command writes: results on stdout, everything for people on stderr. */
export interface Output {
  /** One JSON object a line. Waits for a slow reader. */
  json(value: unknown): Promise<void>;
  /** A line that is JSON text already, or plain text by the command's nature. */
  line(text: string): Promise<void>;
  /** Progress and hints, for people; silent with --json. */
  info(text: string): void;
}

export function createOutput(
  options: { isJson: boolean },
  { stdout, stderr }: Pick<CommandStreams, 'stdout' | 'stderr'> = process,
): Output {
  const write = async (text: string): Promise<void> => {
    if (!stdout.write(text)) await once(stdout, 'drain');
  };
  return {
    json: (value) => write(`${JSON.stringify(value)}\n`),
    line: (text) => write(`${text}\n`),
    info(text) {
      if (!options.isJson) stderr.write(`${text}\n`);
    },
  };
}
