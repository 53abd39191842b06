import { hash } from 'node:crypto';

/** The SHA-256 of bytes. It goes through a text, because Node takes twice as long to return it as a buffer. */
export const sha256 = (bytes: Uint8Array): Buffer => Buffer.from(hash('sha256', bytes, 'binary'), 'binary');
