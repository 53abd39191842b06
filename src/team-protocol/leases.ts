import { createHmac, hkdfSync } from 'node:crypto';
import { z } from 'zod';
import { bytesSchema, digestSchema, maxClaimsOfPart, maxParts } from './entry.ts';

/** How long a lease is valid that is not renewed. */
export const leaseMs = 60_000;
/** The most claims that a computer can have at once, and the most of which it can request the first free one. */
export const maxLeasesOfComputer = 8;
export const maxWantedLeases = 32;

const tagBytes = 16;
/**
 * Identifies a claim for members only: it is computed with a team key, which the server does not have. Or it says that a
 * computer is sending an act on many claims (`createSendingTags`).
 */
const tagSchema = bytesSchema(tagBytes);

/** A request for leases: those to keep, and `takes`, of which the first one that no one else has is given. */
export const newLeasesSchema = z.strictObject({
  keeps: z.array(tagSchema).max(maxLeasesOfComputer - 1),
  takes: z.array(tagSchema).max(maxWantedLeases),
});
export type NewLeases = z.infer<typeof newLeasesSchema>;

const leaseSchema = z.strictObject({ tag: tagSchema, computer: digestSchema });
export type Lease = z.infer<typeof leaseSchema>;

/** All leases of a team's members; `version` is the same for the same leases, on every server process. */
export const leasesSchema = z.strictObject({
  version: bytesSchema(16),
  leases: z.array(leaseSchema).max(10_000),
});
export type Leases = z.infer<typeof leasesSchema>;

/**
 * `number` is the team's newest entry after `taken` was given. Any decision by the claim's previous holder is in an
 * entry up to there. All leases are sent only with new heads, in one order, because an answer could be older.
 */
export const takenSchema = z.strictObject({
  taken: tagSchema.nullable(),
  number: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
});
export type TakenLeases = z.infer<typeof takenSchema>;

/** `alsoOn`: a computer that shows the claim while another one has its lease. */
export type TagOf = (claimId: number, alsoOn?: string) => string;

/** Makes the tags of claims by a team key. Computers with another generation of it make other tags. */
export function createTagger(teamKey: Uint8Array): TagOf {
  const key = leaseKeyOf(teamKey);
  return (claimId, alsoOn) =>
    createHmac('sha256', key)
      .update(alsoOn === undefined ? `${claimId}` : `${claimId} ${alsoOn}`)
      .digest()
      .subarray(0, tagBytes)
      .toString('base64url');
}

const leaseKeyOf = (teamKey: Uint8Array): Buffer =>
  Buffer.from(hkdfSync('sha256', teamKey, Buffer.alloc(0), 'claimdesk lease', 32));

const countBytes = 6;

/**
 * Tags by which a computer announces an act on this many claims, before the header of the act is made: the number in
 * 6 bytes, and 10 bytes by a team key. `claimsOf`: the number; null for another tag.
 */
export function createSendingTags(teamKey: Uint8Array) {
  const key = leaseKeyOf(teamKey);
  const tagOf = (computer: string, claims: number): string => {
    const count = Buffer.alloc(countBytes);
    count.writeUIntBE(claims, 0, countBytes);
    const proof = createHmac('sha256', key).update(`sending ${computer} ${claims}`).digest();
    return Buffer.concat([count, proof], tagBytes).toString('base64url');
  };
  return {
    tagOf,
    claimsOf(computer: string, tag: string): number | null {
      const claims = Buffer.from(tag, 'base64url').readUIntBE(0, countBytes);
      // Almost no tag of a claim begins with so small a number.
      return claims <= maxClaimsOfPart * maxParts && tagOf(computer, claims) === tag ? claims : null;
    },
  };
}
