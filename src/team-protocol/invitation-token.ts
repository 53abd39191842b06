import { createHmac, hash } from 'node:crypto';

/**
 * Returns the token of a joining computer for its invitation (16 bytes), as base64url. The server keeps only
 * the digest: its database reveals no token, and without the invitation it can't make the proof.
 */
export const invitationTokenOf = (secret: Uint8Array): string =>
  createHmac('sha256', secret).update('claimdesk join').digest('base64url');

/** The digest of a token, by which the server knows an invitation. */
export const digestOfToken = (token: string): string =>
  hash('sha256', Buffer.from(token, 'base64url'), 'base64url');
