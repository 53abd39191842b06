import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { isLoopbackHost } from '../../../contract/service-address.ts';
import { DeskError } from '../../lib/errors.ts';
import { acceptedEncodings, inflateReply } from './inflate-reply.ts';
import {
  type HttpReply,
  joinChunks,
  limitTime,
  replyLimitBytes,
  type Transport,
  toTransportError,
} from './transport.ts';
import { readTrustedCertificates } from './trusted-certificates.ts';

/** A limit that allows large cookies of proxies, which have to be read although they are dropped. */
const headerLimitBytes = 256 * 1024;

/** Requests to this computer never use a proxy. Both dispatchers are the same where no proxy is set. */
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
 * HTTP on Node: undici's `request`, which has no cookie jar, no cache, sends no Origin and follows no
 * redirect by itself. Proxy variables and the system's certificates are honoured.
 */
export function createUndiciTransport(environment: NodeJS.ProcessEnv = process.env): {
  transport: Transport;
  close(): Promise<void>;
} {
  let dispatchers: Dispatchers | null = null;
  const transport: Transport = async (wanted): Promise<HttpReply> => {
    dispatchers ??= createDispatchers(environment);
    const isLocal = isLoopbackHost(new URL(wanted.url).hostname);
    const limit = limitTime(wanted);
    try {
      const reply = await request(wanted.url, {
        method: wanted.method,
        headers: {
          'user-agent': 'Claimdesk',
          accept: 'application/json',
          'accept-encoding': acceptedEncodings,
          ...wanted.headers,
        },
        ...(wanted.body === undefined ? {} : { body: wanted.body }),
        dispatcher: isLocal ? dispatchers.direct : dispatchers.remote,
        signal: limit.signal,
        headersTimeout: wanted.timeoutMs,
        bodyTimeout: wanted.timeoutMs,
      });
      const head = { status: reply.statusCode, headers: flattenHeaders(reply.headers) };
      const isStream = wanted.onChunk !== undefined && head.status === 200;
      const limitBytes = isStream ? Number.POSITIVE_INFINITY : replyLimitBytes;
      const chunks: Uint8Array[] = [];
      for await (const chunk of inflateReply(reply.body, head.headers['content-encoding'], limitBytes)) {
        limit.touch();
        if (isStream) wanted.onChunk?.(chunk);
        else chunks.push(chunk);
      }
      return { ...head, body: joinChunks(chunks) };
    } catch (thrown) {
      if (wanted.signal?.aborted === true) throw new DeskError('sync.canceled', { cause: thrown });
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
