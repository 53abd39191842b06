import { once } from 'node:events';

/** Where a command writes: results on stdout, everything for people on stderr. */
export interface Output {
  /** One JSON object a line. Waits for a slow reader. */
  json(value: unknown): Promise<void>;
  /** A line that is JSON text already, or plain text by the command's nature. */
  line(text: string): Promise<void>;
  /** Progress and hints, for people; silent with --json. */
  note(text: string): void;
}

export function createOutput(options: { isJson: boolean }): Output {
  const write = async (text: string): Promise<void> => {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  };
  return {
    json: (value) => write(`${JSON.stringify(value)}\n`),
    line: (text) => write(`${text}\n`),
    note(text) {
      if (!options.isJson) process.stderr.write(`${text}\n`);
    },
  };
}
