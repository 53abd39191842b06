/** As much of DER (ITU-T X.690) as an X.509 certificate needs. Each function gives one whole element. */

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const GENERALIZED_TIME = 0x18;
const SEQUENCE = 0x30;
const SET = 0x31;

export function element(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.length, ...bytes]), content]);
}

export const sequence = (...items: Uint8Array[]): Buffer => element(SEQUENCE, Buffer.concat(items));
export const setOf = (...items: Uint8Array[]): Buffer => element(SET, Buffer.concat(items));
export const octets = (content: Uint8Array): Buffer => element(OCTET_STRING, content);
export const utf8 = (text: string): Buffer => element(UTF8_STRING, Buffer.from(text));
export const boolean = (value: boolean): Buffer => Buffer.from([0x01, 0x01, value ? 0xff : 0x00]);

/** `[n]` around an element, constructed. */
export const explicit = (n: number, content: Uint8Array): Buffer => element(0xa0 | n, content);
/** `[n]` in place of an element's own tag, primitive. */
export const implicit = (n: number, content: Uint8Array): Buffer => element(0x80 | n, content);

/** A whole number that is not negative, given as big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const bare = bytes.subarray(start);
  const needsSign = ((bare[0] ?? 0) & 0x80) !== 0;
  return element(INTEGER, needsSign ? Buffer.concat([Buffer.from([0]), bare]) : bare);
}

/** Bits, of which the last `unused` do not count. */
export function bits(content: Uint8Array, unused = 0): Buffer {
  return element(BIT_STRING, Buffer.concat([Buffer.from([unused]), content]));
}

/** An object identifier such as 2.5.29.17. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const group = [arc % 128];
    for (let more = Math.floor(arc / 128); more > 0; more = Math.floor(more / 128))
      group.unshift((more % 128) | 0x80);
    bytes.push(...group);
  }
  return element(OBJECT_ID, Buffer.from(bytes));
}

/** `YYYYMMDDHHMMSSZ`. */
export function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14);
  return element(GENERALIZED_TIME, Buffer.from(`${text}Z`));
}
