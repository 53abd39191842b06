import { createHmac } from 'node:crypto';

const question = /^\/prove\?window=([\w-]{12})&challenge=([\w-]{43})$/;

export const isProofQuestion = (url: string): boolean => url.startsWith('/prove?');

/**
 * Pure: the proof that this server gave the window its token, for a page that asks before it sends that token: an
 * HMAC-SHA-256, keyed with the token, over the server's own origin and the page's challenge. The origin is included,
 * so that a program at another port cannot obtain its answer here. Null: no such window, or the request is malformed.
 */
export function proveServer(
  url: string,
  server: { readonly origin: string; readonly tokens: readonly string[] },
): string | null {
  const [, windowId, challenge] = question.exec(url) ?? [];
  const token = server.tokens.find((candidate) => candidate.split('.')[0] === windowId);
  if (token === undefined) return null;
  return createHmac('sha256', token).update(`${server.origin}\n${challenge}`).digest('base64url');
}
