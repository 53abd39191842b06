import { createHmac, hash } from 'node:crypto';

/** SHA-256 reads blocks of this size. */
const blockBytes = 64;
const purpose = 'claimdesk/ssn-search/1';

/** The nine digits of a whole SSN (`123-45-6789`, `123 45 6789`, `123456789`); null for anything else. */
export function normalizeSsn(text: string): string | null {
  const match = /^(\d{3})([- ]?)(\d{2})\2(\d{4})$/.exec(text.trim());
  return match === null ? null : `${match[1]}${match[3]}${match[4]}`;
}

/**
 * Makes the keyed hash that finds a whole SSN: HMAC-SHA-256, cut to 128 bits, with a key derived from the database key.
 * It returns null for anything but nine digits, so that part of an SSN never finds anything.
 */
export function createSsnHash(databaseKey: Uint8Array): (text: string) => Buffer | null {
  const key = createHmac('sha256', databaseKey).update(purpose).digest();
  // RFC 2104 as two hashes of one call each, which takes a fifth of the time of createHmac() for nine digits.
  const inner = Buffer.alloc(blockBytes + 9, 0x36);
  const outer = Buffer.alloc(blockBytes + 32, 0x5c);
  for (const [at, byte] of key.entries()) {
    inner[at] = byte ^ 0x36;
    outer[at] = byte ^ 0x5c;
  }
  return (text) => {
    const digits = normalizeSsn(text);
    if (digits === null) return null;
    inner.write(digits, blockBytes, 'latin1');
    outer.set(hash('sha256', inner, 'buffer'), blockBytes);
    return hash('sha256', outer, 'buffer').subarray(0, 16);
  };
}
