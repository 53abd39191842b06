import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, type Zlib } from 'node:zlib';
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { isLoopbackHost } from '../../../contract/service-address.ts';
import { DeskError } from '../../lib/errors.ts';
import {
  type HttpReply,
  joinChunks,
  limitTime,
  replyLimitBytes,
  type Transport,
  toTransportError,
} from './transport.ts';
import { readTrustedCertificates } from './trusted-certificates.ts';

/** The encodings that Claimdesk offers (RFC 9110, 12.5.3). A reply in `deflate` is read as well. */
const acceptedEncodings = 'gzip, br';

/** A reply is encoded once; more layers only serve to hide its size. */
const maxLayers = 2;

// What has arrived is passed on immediately, because a reply may be a stream of events.
const flush = constants.Z_SYNC_FLUSH;
const decoders: Readonly<Record<string, () => Transform & Zlib>> = {
  gzip: () => createGunzip({ flush }),
  'x-gzip': () => createGunzip({ flush }),
  deflate: () => createInflate({ flush }),
  br: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
};

/**
 * The chunks of a reply's body, decompressed by its `Content-Encoding`. Stops at `limitBytes` of decompressed data, so
 * that a small reply can't fill the memory. Errors of zlib are thrown as they are.
 * @throws DeskError `service.badReply` for an unknown encoding, `service.replyTooLarge`
 */
async function* inflateReply(
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

/** A limit that allows large cookies of proxies, which have to be read although they are dropped. */
const headerLimitBytes = 256 * 1024;

/** Requests to this computer never use a proxy. If no proxy is set, both dispatchers are the same. */
interface Dispatchers {
  readonly direct: Dispatcher;
  readonly remote: Dispatcher;
}

function createDispatchers(environment: NodeJS.ProcessEnv): Dispatchers {
  // Set explicitly, because undici would otherwise follow NODE_TLS_REJECT_UNAUTHORIZED.
  const connect = { ca: readTrustedCertificates(), rejectUnauthorized: true, timeout: 10_000 };
  const options = {
    connect,
    requestTls: connect,
    maxResponseSize: replyLimitBytes,
    maxHeaderSize: headerLimitBytes,
    pipelining: 1,
  };
  const httpProxy = environment.http_proxy ?? environment.HTTP_PROXY ?? '';
  const httpsProxy = environment.https_proxy ?? environment.HTTPS_PROXY ?? '';
  const direct = new Agent(options);
  if (httpProxy === '' && httpsProxy === '') return { direct, remote: direct };
  const noProxy = environment.no_proxy ?? environment.NO_PROXY ?? '';
  const remote = new EnvHttpProxyAgent({ ...options, proxyTls: connect, httpProxy, httpsProxy, noProxy });
  return { direct, remote };
}

function flattenHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

/**
 * HTTP on Node with undici's `request`, which has no cookie jar and no cache, sends no Origin and follows no redirect
 * by itself. Proxy variables and the system's certificates are honored.
 */
export function createUndiciTransport(environment: NodeJS.ProcessEnv = process.env): {
  transport: Transport;
  close(): Promise<void>;
} {
  let dispatchers: Dispatchers | null = null;
  const transport: Transport = async (httpRequest): Promise<HttpReply> => {
    dispatchers ??= createDispatchers(environment);
    const isLocal = isLoopbackHost(new URL(httpRequest.url).hostname);
    const limit = limitTime(httpRequest);
    try {
      const reply = await request(httpRequest.url, {
        method: httpRequest.method,
        headers: {
          'user-agent': 'Claimdesk',
          accept: 'application/json',
          'accept-encoding': acceptedEncodings,
          ...httpRequest.headers,
        },
        ...(httpRequest.body === undefined ? {} : { body: httpRequest.body }),
        dispatcher: isLocal ? dispatchers.direct : dispatchers.remote,
        signal: limit.signal,
        headersTimeout: httpRequest.timeoutMs,
        bodyTimeout: httpRequest.timeoutMs,
      });
      const head = { status: reply.statusCode, headers: flattenHeaders(reply.headers) };
      const isStream = httpRequest.onChunk !== undefined && head.status === 200;
      const limitBytes = isStream ? Number.POSITIVE_INFINITY : replyLimitBytes;
      const chunks: Uint8Array[] = [];
      for await (const chunk of inflateReply(reply.body, head.headers['content-encoding'], limitBytes)) {
        limit.touch();
        if (isStream) httpRequest.onChunk?.(chunk);
        else chunks.push(chunk);
      }
      return { ...head, body: joinChunks(chunks) };
    } catch (thrown) {
      if (httpRequest.signal?.aborted === true) throw new DeskError('sync.canceled', { cause: thrown });
      throw toTransportError(thrown);
    } finally {
      limit.end();
    }
  };
  return {
    transport,
    async close() {
      await Promise.all([dispatchers?.direct.destroy(), dispatchers?.remote.destroy()]);
    },
  };
}
