import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Which requests are accepted, by their headers. Values are compared exactly. */
interface CallerRule {
  /** The only `Host` that is accepted; a request under another host name is a DNS rebinding attack. */
  readonly host: string;
  /** The only origin whose pages may send requests. */
  readonly origin: string;
  /** Whether a request without `Origin` is refused. Browsers omit it in a plain GET from a page of the same site. */
  readonly needsOrigin: boolean;
  /** The accepted values of `Sec-Fetch-Site`. For browsers that do not send it, only the other rules apply. */
  readonly sites: readonly ('same-origin' | 'same-site' | 'none')[];
}

/** Pure: whether the headers of a request match the rule. The window's token is checked separately. */
export function isAllowedCaller(headers: IncomingHttpHeaders, rule: CallerRule): boolean {
  if (headers.host !== rule.host) return false;
  const { origin } = headers;
  if (origin === undefined ? rule.needsOrigin : origin !== rule.origin) return false;
  const site = headers['sec-fetch-site'];
  return site === undefined || rule.sites.some((allowed) => allowed === site);
}

/** Compares secrets in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

const windowHeader = 'x-claimdesk-window';

export function readWindowToken(headers: IncomingHttpHeaders): string {
  const value = headers[windowHeader];
  return typeof value === 'string' ? value : '';
}
