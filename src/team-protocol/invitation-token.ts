import { createHmac, hash } from 'node:crypto';

/**
 * What a computer that joins sends of its invitation (16 bytes), as base64url. The server keeps only its digest, so that
 * whoever reads its database can't use an invitation up; and it can't make the proof, which needs the invitation itself.
 */
export const invitationTokenOf = (secret: Uint8Array): string =>
  createHmac('sha256', secret).update('claimdesk join').digest('base64url');

/** The digest of a token, by which the server knows an invitation. */
export const digestOfToken = (token: string): string =>
  hash('sha256', Buffer.from(token, 'base64url'), 'base64url');
