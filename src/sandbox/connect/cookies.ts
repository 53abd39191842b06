import { randomUUID } from 'node:crypto';

const KEPT = 5000;

/** The session cookies that replies have set, and the member of the request each was set on. */
export class CookieJarWatch {
  private readonly owners = new Map<string, string>();

  /** A cookie value for one reply. */
  issue(): string {
    return randomUUID();
  }

  /** Records the member of a cookie, to detect when it comes back with another's request. */
  own(value: string, email: string): void {
    this.owners.set(value, email.trim().toLowerCase());
    const oldest = this.owners.keys().next().value;
    if (this.owners.size > KEPT && oldest !== undefined) this.owners.delete(oldest);
  }

  /**
   * Whether a `Cookie` header has a cookie that was set on another member's request. docs/service.md, "Connect
   * requests".
   */
  isOfAnother(header: string, email: string): boolean {
    return header
      .split(';')
      .map((pair) => this.owners.get(pair.trim().split('=')[1] ?? ''))
      .some((owner) => owner !== undefined && owner !== email.trim().toLowerCase());
  }
}
