/**
 * What may be told of an internal fault so that it can be found: the class and code of the error that was thrown
 * and where it came from in our own code. Never a message or a value: both can hold a record.
 */
export interface Fault {
  readonly errorClass: string;
  readonly errorCode?: string;
  /** `src/main/engine/engine.ts:97`, innermost first; frames of Node and of packages are left out. */
  readonly frames: readonly string[];
}

const maxFrames = 8;
/** A longer line is no frame of Claimdesk's code, and the pattern would take long on it. */
const maxFrameLength = 1_000;
/** A frame of our code: the sources, or a built file. */
const framePattern = /[/\\]((?:src[/\\](?:main|contract|sandbox)|out[/\\]main)[/\\][\w./\\-]+):(\d+):\d+\)?$/;

/** Describes the error that a fault began with. */
export function describeFault(thrown: unknown): Fault {
  const error = innermost(thrown);
  if (!(error instanceof Error)) return { errorClass: 'NotAnError', frames: [] };
  const { code } = error as { code?: unknown };
  return {
    errorClass: error.constructor.name,
    ...(typeof code === 'string' ? { errorCode: code } : {}),
    frames: framesOf(error.stack ?? ''),
  };
}

function innermost(thrown: unknown): unknown {
  let found = thrown;
  // A cause can be its own cause; five levels are more than we ever make.
  for (let depth = 0; depth < 5 && found instanceof Error && found.cause instanceof Error; depth += 1) {
    found = found.cause;
  }
  return found;
}

function framesOf(stack: string): string[] {
  const frames: string[] = [];
  for (const line of stack.split('\n')) {
    const match = line.length <= maxFrameLength && /^\s*at /.test(line) ? framePattern.exec(line) : null;
    if (match !== null && frames.length < maxFrames) {
      frames.push(`${match[1]?.replaceAll('\\', '/')}:${match[2]}`);
    }
  }
  return frames;
}
