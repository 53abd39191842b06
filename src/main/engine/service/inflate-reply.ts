import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, type Zlib } from 'node:zlib';
import { DeskError } from '../../lib/errors.ts';

/** What Claimdesk offers to read (RFC 9110, 12.5.3). A reply in `deflate` is read as well. */
export const acceptedEncodings = 'gzip, br';

/** A reply is encoded once; more layers only serve to hide its size. */
const maxLayers = 2;

// What has arrived is passed on at once, because a reply may be a stream of events.
const flush = constants.Z_SYNC_FLUSH;
const decoders: Readonly<Record<string, () => Transform & Zlib>> = {
  gzip: () => createGunzip({ flush }),
  'x-gzip': () => createGunzip({ flush }),
  deflate: () => createInflate({ flush }),
  br: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
};

/**
 * The chunks of a reply's body, decompressed as its `Content-Encoding` says. Stops at `limitBytes` of decompressed data,
 * so that a small reply can't fill the memory. Errors of zlib are thrown as they are.
 *
 * @throws DeskError `service.badReply` for an unknown encoding, `service.replyTooLarge`
 */
export async function* inflateReply(
  body: Readable,
  contentEncoding: string | undefined,
  limitBytes: number,
): AsyncGenerator<Uint8Array> {
  const names = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  let stream = body;
  let outermost: Zlib | null = null;
  try {
    if (names.length > maxLayers) throw new DeskError('service.badReply');
    for (const name of names.reverse()) {
      const decoder = Object.hasOwn(decoders, name) ? decoders[name]?.() : undefined;
      if (decoder === undefined) throw new DeskError('service.badReply');
      outermost ??= decoder;
      stream = pipeline(stream, decoder, () => undefined);
    }
    let bytes = 0;
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > limitBytes) throw new DeskError('service.replyTooLarge');
      yield chunk;
    }
  } catch (thrown) {
    // A reply without a body has no compressed data either.
    const isCutOff = (thrown as { code?: unknown }).code === 'Z_BUF_ERROR';
    if (!isCutOff || outermost?.bytesWritten !== 0) throw thrown;
  } finally {
    body.on('error', () => undefined).destroy();
  }
}
