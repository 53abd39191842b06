import { createHmac } from 'node:crypto';

const question = /^\/prove\?window=([\w-]{12})&challenge=([\w-]{43})$/;

export const isProofQuestion = (url: string): boolean => url.startsWith('/prove?');

/**
 * Pure: what a server answers to a page that wants to know whether it is the one that let the window in, before the
 * page shows it the window's token: an HMAC-SHA-256 under the token over the server's own origin and the page's
 * challenge. The origin is part of it, so that a program at another port cannot have its answer made here. Null: no
 * such window, or no such question.
 */
export function proveServer(
  url: string,
  server: { readonly origin: string; readonly tokens: readonly string[] },
): string | null {
  const [, windowId, challenge] = question.exec(url) ?? [];
  const token = server.tokens.find((one) => one.split('.')[0] === windowId);
  if (token === undefined) return null;
  return createHmac('sha256', token).update(`${server.origin}\n${challenge}`).digest('base64url');
}
