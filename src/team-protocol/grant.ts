import type { KeyObject } from 'node:crypto';
import { protocolVersion } from './entry.ts';
import { openSealed, sealTo } from './hpke.ts';

const teamKeyBytes = 32;

/** What a grant is about: the generation of a team's key, and the computer (or recovery key) that receives it. */
export interface GrantPosition {
  readonly team: string;
  readonly generation: number;
  readonly computer: string;
}

const infoOf = ({ team, generation, computer }: GrantPosition): Buffer =>
  Buffer.from(JSON.stringify(['claimdesk grant', protocolVersion, team, generation, computer]), 'utf8');

/** Seals a team key (32 bytes) for a computer's `sealingKey` (base64url); as base64url. */
export const sealGrant = ({
  key,
  sealingKey,
  ...position
}: GrantPosition & { readonly key: Uint8Array; readonly sealingKey: string }): string =>
  sealTo(Buffer.from(sealingKey, 'base64url'), infoOf(position), key).toString('base64url');

/** The team key in a grant; null where it was sealed for another key or position, and for any other text. */
export function openGrant(privateKey: KeyObject, position: GrantPosition, grant: string): Buffer | null {
  const key = openSealed(privateKey, Buffer.from(grant, 'base64url'), infoOf(position));
  return key?.length === teamKeyBytes ? key : null;
}
