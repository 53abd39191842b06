import { createHmac } from 'node:crypto';

const purpose = 'claimdesk/ssn-search/1';

/** The nine digits of a whole SSN (`123-45-6789`, `123 45 6789`, `123456789`); null for anything else. */
export function normalizeSsn(text: string): string | null {
  const match = /^(\d{3})([- ]?)(\d{2})\2(\d{4})$/.exec(text.trim());
  return match === null ? null : `${match[1]}${match[3]}${match[4]}`;
}

/**
 * Makes the keyed hash by which a whole SSN is found: HMAC-SHA-256, cut to 128 bits, with a key derived from the
 * database key. Null for anything but nine digits, so that a part of an SSN never finds anything.
 */
export function createSsnHash(databaseKey: Uint8Array): (text: string) => Buffer | null {
  const key = createHmac('sha256', databaseKey).update(purpose).digest();
  return (text) => {
    const digits = normalizeSsn(text);
    return digits === null ? null : createHmac('sha256', key).update(digits).digest().subarray(0, 16);
  };
}
