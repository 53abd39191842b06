import { randomUUID } from 'node:crypto';

const KEPT = 5000;

/** The session cookies that replies set as a by-product, and whose requests they came from. */
export class CookieJarWatch {
  private readonly owners = new Map<string, string>();

  /** A cookie value for one reply. */
  issue(): string {
    return randomUUID();
  }

  /** Tells whose request a cookie was set on, so that it is known when it comes back with another's. */
  own(value: string, email: string): void {
    this.owners.set(value, email.trim().toLowerCase());
    const oldest = this.owners.keys().next().value;
    if (this.owners.size > KEPT && oldest !== undefined) this.owners.delete(oldest);
  }

  /** Whether a `Cookie` header brings what was set on another member's request. docs/service.md, "Connect requests". */
  isOfAnother(header: string, email: string): boolean {
    return header
      .split(';')
      .map((pair) => this.owners.get(pair.trim().split('=')[1] ?? ''))
      .some((owner) => owner !== undefined && owner !== email.trim().toLowerCase());
  }
}
