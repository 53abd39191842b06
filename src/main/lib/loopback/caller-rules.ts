import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** From where a request may come. Values are compared exactly. */
export interface CallerRule {
  /** The only `Host` that is served; another name that points here is rebinding. */
  readonly host: string;
  /** The only page that may ask. */
  readonly origin: string;
  /** Whether a request without `Origin` is refused: browsers send none with a plain GET of their own site. */
  readonly needsOrigin: boolean;
  /** The values of `Sec-Fetch-Site` that may come; browsers too old to send it are held by the rest. */
  readonly sites: readonly ('same-origin' | 'same-site' | 'none')[];
}

/** Pure: whether headers come from where they should. The token of a window is looked at apart. */
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

/** The header in which a window shows the token that it was given. */
export const windowHeader = 'x-claimdesk-window';

export function readWindowToken(headers: IncomingHttpHeaders): string {
  const value = headers[windowHeader];
  return typeof value === 'string' ? value : '';
}
