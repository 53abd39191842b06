const maxFrames = 8;

/**
 * Details for support of a rendering error: its class, the position in Claimdesk's files, and the screen. Pure.
 * Without the message, which can contain a value. IDs in the address are left out.
 */
export function describeRenderFault(error: unknown, hash: string, at: Date): string {
  const isError = error instanceof Error;
  const frames = (isError ? (error.stack ?? '') : '')
    .split('\n')
    .flatMap((line) => /\/((?:assets|src)\/[\w./-]+:\d+:\d+)\)?$/.exec(line)?.[1] ?? [])
    .slice(0, maxFrames);
  return [
    'Claimdesk error window.fault',
    `Error: ${isError ? error.name : 'not an error'}`,
    `Page: ${screenOf(hash)}`,
    ...frames.map((frame) => `at ${frame}`),
    `Time: ${at.toISOString()}`,
  ].join('\n');
}

/** `#/members/812?list=x` as `/members/{id}`. */
function screenOf(hash: string): string {
  const path = hash.replace(/^#/, '').split('?')[0] ?? '';
  return path
    .split('/')
    .map((part) => (/^[a-z-]*$/.test(part) ? part : '{id}'))
    .join('/');
}
