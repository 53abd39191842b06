import type { PublicKey } from './public-keys.ts';
import { readPublicKey } from './public-keys.ts';

export type RegisteredKey = PublicKey & {
  readonly id: string;
  readonly name: string;
  readonly createdMs: number;
  lastAccessedMs: number | null;
};

const MAX_KEYS = 50;
const MAX_NAME_LENGTH = 100;

/** The account of this sandbox: its email, its keys, its allowlist. */
export class Account {
  readonly email: string;
  /** CIDR ranges from which calls are allowed; null when there is no allowlist (docs/service.md, "SSH-JWT"). */
  cidrAllowlist: readonly string[] | null = null;
  private readonly registered: RegisteredKey[] = [];
  private nextKeyNumber = 1;

  constructor(email: string) {
    this.email = email;
  }

  get keys(): readonly RegisteredKey[] {
    return this.registered;
  }

  /** Emails are compared case-insensitively. docs/service.md, "SSH-JWT". */
  isEmail(email: string): boolean {
    return email.toLowerCase() === this.email.toLowerCase();
  }

  /**
   * Registers a public key; the same key twice is one key.
   *
   * @throws KeyRefused with a sentence
   */
  async addKey(name: string, text: string, nowMs: number): Promise<RegisteredKey> {
    const key = await readPublicKey(text);
    const sameKey = this.registered.find((other) => other.fingerprint === key.fingerprint);
    if (sameKey !== undefined) return sameKey;
    if (this.registered.length >= MAX_KEYS) this.registered.shift();
    const id = String(this.nextKeyNumber);
    this.nextKeyNumber += 1;
    const label = name.trim().slice(0, MAX_NAME_LENGTH) || `Key ${id}`;
    const added: RegisteredKey = { ...key, id, name: label, createdMs: nowMs, lastAccessedMs: null };
    this.registered.push(added);
    return added;
  }

  deleteKey(id: string): boolean {
    const at = this.registered.findIndex((key) => key.id === id);
    if (at === -1) return false;
    this.registered.splice(at, 1);
    return true;
  }

  deleteAllKeys(): void {
    this.registered.length = 0;
  }
}
