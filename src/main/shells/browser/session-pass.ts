import { randomBytes } from 'node:crypto';
import { isSameSecret } from '../../lib/loopback/caller-rules.ts';

/**
 * How a browser gets in: a token in the address that opens the shell, good once, is traded for a cookie.
 * Cookies ignore ports, so the name has the port in it, and a cookie alone is good for nothing but the page.
 */
export function createSessionPass() {
  let openToken: string | null = randomBytes(32).toString('base64url');
  const secret = randomBytes(32).toString('base64url');
  const nameOf = (port: number): string => `claimdesk-${port}`;

  return {
    addressOf: (origin: string): string => `${origin}/open?token=${openToken ?? ''}`,
    /** True once, for the right token; from then on it is worth nothing. */
    redeem(token: string): boolean {
      if (openToken === null || !isSameSecret(token, openToken)) return false;
      openToken = null;
      return true;
    },
    cookie: (port: number): string => `${nameOf(port)}=${secret}; HttpOnly; SameSite=Strict; Path=/`,
    isHeldBy(cookieHeader: string | undefined, port: number): boolean {
      return (cookieHeader ?? '').split(';').some((pair) => {
        const at = pair.indexOf('=');
        return pair.slice(0, at).trim() === nameOf(port) && isSameSecret(pair.slice(at + 1).trim(), secret);
      });
    },
  };
}

export type SessionPass = ReturnType<typeof createSessionPass>;
