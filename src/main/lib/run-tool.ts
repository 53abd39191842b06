import { execFile } from 'node:child_process';

/**
 * Runs a program of the system and resolves to what it prints; null where it ended with an exit code other than 0.
 * Rejects where it can't be started, prints too much, or doesn't end in time.
 */
export type RunTool = (file: string, args: readonly string[], input?: Buffer) => Promise<Buffer | null>;

const toolLimitMs = 10_000;
const maxPrintedBytes = 1_000_000;

/** Runs a program without the environment of this process. */
export const runTool: RunTool = (file, args, input) =>
  new Promise((resolve, reject) => {
    const child = execFile(
      file,
      args,
      { encoding: 'buffer', env: {}, timeout: toolLimitMs, maxBuffer: maxPrintedBytes, windowsHide: true },
      (error, printed) => {
        if (error === null) resolve(printed);
        else if (typeof error.code === 'number' && error.killed !== true) resolve(null);
        else reject(error);
      },
    );
    // A program that ends without reading its input closes it; its exit code is what counts.
    child.stdin?.on('error', () => undefined).end(input);
  });
