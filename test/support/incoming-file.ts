/** A text as the bytes of a file that comes in, and as it crosses a bridge. */
export const toBytes = (text: string): Uint8Array => Buffer.from(text);
export const toFile = (text: string): string => Buffer.from(text).toString('base64');
