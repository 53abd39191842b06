import { hash } from 'node:crypto';

/** The author of events that Claimdesk itself makes: reopenings. */
export const appAuthor = 'Claimdesk';

/** Part of every ID since version 0.3; changing it makes every computer reopen its reviews once more. */
const purpose = 'claimdesk/reopened/1';

/**
 * The ID of the event that reopens a claim: a UUID (version 8) computed from the claim, the event whose values it was
 * compared with, and the digest of the new record as the service sent it. Every computer that finds the same change
 * therefore makes the same event.
 */
export function makeReopeningId(of: {
  readonly claimId: number;
  readonly since: string;
  readonly digest: string;
}): string {
  const bytes = hash('sha256', `${purpose}\n${of.claimId}\n${of.since}\n${of.digest}`, 'buffer').subarray(
    0,
    16,
  );
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Whether an ID is of the form that only reopenings have. */
export const isReopeningId = (id: string): boolean =>
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id) && id[14] === '8';
