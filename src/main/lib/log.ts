import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from './clock.ts';
import { createFieldFilter, isLogEvent, type LogEvent, type LogFields } from './log-fields.ts';
import { createSerialQueue } from './serial-queue.ts';

/** A log without personal data; `log-fields.ts` has all of its fields. */
export interface Log {
  /** Never throws and never waits; a line that cannot be written is dropped. */
  write(event: LogEvent, fields?: LogFields): void;
  /** Resolves when everything written so far is in the file. */
  flush(): Promise<void>;
}

type LogOptions = {
  /** null: nothing is written (one-shot commands, tests). */
  filePath: string | null;
  clock: Clock;
  maxBytes?: number;
};

const defaultMaxBytes = 1024 * 1024;
const keptFiles = 3;
/** The most lines that wait for a slow disk; further ones are dropped and counted, so that memory stays bounded. */
const maxPending = 1000;

/**
 * Makes a log of JSON lines: `{"at":…,"event":…,…}`. At `maxBytes` the file is renamed to `.1`, that one to `.2`, and
 * so on up to `.3`; older files are deleted. Ids are hashed with a salt that is new in each run.
 */
export function createLog(options: LogOptions): Log {
  const { filePath, clock, maxBytes = defaultMaxBytes } = options;
  const enqueue = createSerialQueue();
  const filterFields = createFieldFilter();
  let pending = 0;
  let dropped = 0;
  let size: number | null = null;

  const append = async (path: string, line: string) => {
    if (size === null) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      size = await stat(path).then(
        (facts) => facts.size,
        () => 0,
      );
    }
    const bytes = Buffer.byteLength(line);
    if (size > 0 && size + bytes > maxBytes) {
      await rotate(path);
      size = 0;
    }
    await appendFile(path, line, { mode: 0o600 });
    size += bytes;
  };

  return {
    write: (event, fields = {}) => {
      if (filePath === null || !isLogEvent(event)) return;
      if (pending >= maxPending) {
        dropped += 1;
        return;
      }
      const entry = { at: new Date(clock.now()).toISOString(), event, ...filterFields(fields) };
      const line = `${JSON.stringify(dropped === 0 ? entry : { ...entry, dropped })}\n`;
      dropped = 0;
      pending += 1;
      enqueue(() => append(filePath, line))
        .catch(() => {
          size = null;
        })
        .finally(() => {
          pending -= 1;
        });
    },
    flush: () => enqueue(async () => undefined),
  };
}

async function rotate(path: string): Promise<void> {
  for (let index = keptFiles - 1; index >= 1; index -= 1) {
    const from = index === 1 ? path : `${path}.${index - 1}`;
    await rename(from, `${path}.${index}`).catch(() => undefined);
  }
}
