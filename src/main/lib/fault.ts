/**
 * What may be shown of an internal fault so that it can be found: the class and code of the error, and its place in
 * Claimdesk's code. Never a message or a value: both can hold a record.
 */
export interface Fault {
  readonly errorClass: string;
  readonly errorCode?: string;
  /** `src/main/engine/engine.ts:97`, innermost first; frames of Node and of packages are left out. */
  readonly frames: readonly string[];
}

const maxFrames = 8;
/** Lines longer than this are skipped: they are no frame of Claimdesk's code, and the pattern is slow on them. */
const maxFrameLength = 1_000;
/** A stack frame in Claimdesk's code: the sources, or a built file. */
const framePattern =
  /[/\\]((?:src[/\\](?:main|contract|rules|carrier-form|team-protocol|sandbox)|out[/\\]main)[/\\][\w./\\-]+):(\d+):\d+\)?$/;

/** Describes the error at the start of the chain of causes. */
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
  // An error can be its own cause; Claimdesk never nests more than five.
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
