import { hash } from 'node:crypto';

// The code that both users compare. It covers two nonces of 32 random bytes, so that an attacker who reads
// the mail and runs the server has one try in 2^40 to show both users the same code for another request:
//
// 1. The request to join comes with a commitment to the nonce of the computer that joins.
// 2. The computer that made the invitation answers the first request that it sees with its own nonce, once.
// 3. The computer that joins takes the first answer alone, and reveals its nonce, which must match the commitment.
//
// Neither nonce can be chosen with knowledge of the other one.

/** The compared data. Reading the mail and running the server shows all of it but the answer and nonce. */
interface ComparedJoin {
  /** The text of the invitation, with server, team, the team's first hash, service, email and role. */
  readonly invitation: string;
  /** The request as `writeRequest` writes it. */
  readonly request: string;
  /** The nonce of the inviting computer, and of the one that joins, as base64url. */
  readonly answer: string;
  readonly nonce: string;
}

interface Request {
  readonly certificate: { readonly body: string; readonly signature: string };
  readonly commitment: string;
}

/** A request to join as one text, by which both computers recognize it. */
export const writeRequest = ({ certificate, commitment }: Request): string =>
  JSON.stringify([certificate.body, certificate.signature, commitment]);

/** The commitment to a nonce, as base64url. */
export const commitToNonce = (nonce: string): string =>
  hash('sha256', `claimdesk join nonce\n${nonce}`, 'base64url');

/** The letters of codes, without look-alikes; 32, so that each has five bits. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/**
 * The eight characters that both users compare: 40 bits.
 * @example codeOfJoin({ invitation: '', request: '', answer: '', nonce: '' }) // 'YCZZ-M7MK'
 */
export function codeOfJoin({ invitation, request, answer, nonce }: ComparedJoin): string {
  const text = JSON.stringify(['claimdesk join', invitation, request, answer, nonce]);
  const code = [...hash('sha256', text, 'buffer').subarray(0, 8)].map(
    (byte) => letters[byte % letters.length],
  );
  return `${code.slice(0, 4).join('')}-${code.slice(4).join('')}`;
}
