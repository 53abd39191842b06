import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ConnectTenant } from './directory.ts';

/** A public Connect token and its permissions. */
export type TokenIntegration = {
  readonly publicToken: string;
  readonly tenants: readonly ConnectTenant[];
  /** docs/service.md, "Errors": 401, the token is inactive. */
  isActive: boolean;
  /** Embed origins; null for no allowlist. docs/service.md, "Connect requests". */
  origins: readonly string[] | null;
};

/**
 * The integrations of the sandbox: one whose token is for one tenant, one whose token is for all of them. Both have the
 * same secret key, so that either can mint tokens.
 */
export class Integrations {
  readonly single: TokenIntegration;
  readonly multi: TokenIntegration;
  readonly secretKey = `sk_${randomBytes(24).toString('base64url')}`;

  constructor(tenants: readonly ConnectTenant[]) {
    this.single = makeIntegration(tenants.slice(0, 1));
    this.multi = makeIntegration(tenants);
  }

  get all(): readonly TokenIntegration[] {
    return [this.single, this.multi];
  }

  find(publicToken: string): TokenIntegration | undefined {
    return this.all.find((integration) => integration.publicToken === publicToken);
  }

  isSecretKey(given: string): boolean {
    return timingSafeEqual(digest(given), digest(this.secretKey));
  }
}

function makeIntegration(tenants: readonly ConnectTenant[]): TokenIntegration {
  const publicToken = `pk_${randomBytes(18).toString('base64url')}`;
  return { publicToken, tenants, isActive: true, origins: null };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
