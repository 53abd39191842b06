import { hkdfSync } from 'node:crypto';
import { maxTagsOfEntry, tagLength } from './entry.ts';
import { sha256 } from './sha-256.ts';

// Tags in headers show the server which entries share an unnamed claim. Only members can compute them.

const blockBytes = 64;
const innerPad = 0x36;
const outerPad = 0x5c;

/** HMAC-SHA-256 (RFC 2104) by a key of at most a block: `createHmac` takes longer to read the key than to hash a short text. */
export function createMac(key: Uint8Array): (text: string) => Buffer {
  const block = Buffer.alloc(blockBytes);
  block.set(key);
  const [inner, outer] = [innerPad, outerPad].map((pad) => block.map((byte) => byte ^ pad)) as [
    Buffer,
    Buffer,
  ];
  const digest = (pad: Uint8Array, bytes: Uint8Array): Buffer => sha256(Buffer.concat([pad, bytes]));
  return (text) => digest(outer, digest(inner, Buffer.from(text, 'utf8')));
}

/** The tag of a claim, by the team's first key: the same after the team key was renewed. */
export type ClaimTag = (claimId: number) => string;

const macs = new WeakMap<Uint8Array, Map<string, ReturnType<typeof createMac>>>();

/** The function that tags claims, by the key of the tags, which is derived once for a key and team. */
function macOf(firstTeamKey: Uint8Array, team: string): ReturnType<typeof createMac> {
  const macByTeam = macs.get(firstTeamKey) ?? new Map<string, ReturnType<typeof createMac>>();
  macs.set(firstTeamKey, macByTeam);
  const derive = (): Uint8Array =>
    new Uint8Array(
      hkdfSync('sha256', firstTeamKey, Buffer.from(team, 'base64url'), 'claimdesk claim tags', 32),
    );
  const mac = macByTeam.get(team) ?? createMac(derive());
  macByTeam.set(team, mac);
  return mac;
}

export const createClaimTags = (firstTeamKey: Uint8Array, team: string): ClaimTag => {
  const mac = macOf(firstTeamKey, team);
  // The tag of the last claim is cached, because the events of a claim follow each other.
  let [lastClaimId, tag] = [Number.NaN, ''];
  return (claimId) => {
    if (claimId !== lastClaimId)
      [lastClaimId, tag] = [claimId, mac(`claim ${claimId}`).toString('base64url').slice(0, tagLength)];
    return tag;
  };
};

/**
 * Returns the tags of a header with these claims; null if there are too many.
 * @example writeTags([7, 3, 7], (id) => `tag-${id};`) // 'tag-3;tag-7;'
 */
export function writeTags(claimIds: Iterable<number>, tagOf: ClaimTag): string | null {
  const ids = new Set<number>();
  for (const claimId of claimIds) {
    ids.add(claimId);
    if (ids.size > maxTagsOfEntry) return null;
  }
  return [...ids].map(tagOf).sort().join('');
}

/**
 * Splits tags that are written without separators.
 * @example splitTags('AAAAAAAAAAAAAAAABBBBBBBBBBBBBBBB') // ['AAAAAAAAAAAAAAAA', 'BBBBBBBBBBBBBBBB']
 */
export const splitTags = (tags: string): string[] =>
  Array.from({ length: tags.length / tagLength }, (_none, index) =>
    tags.slice(index * tagLength, (index + 1) * tagLength),
  );
