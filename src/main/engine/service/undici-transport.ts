import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { DeskError } from '../../lib/errors.ts';
import { type HttpReply, limitTime, replyLimitBytes, type Transport, toTransportError } from './transport.ts';
import { readTrustedCertificates } from './trusted-certificates.ts';

/** Cookies of a proxy can be large; they are dropped, but must be read first. */
const headerLimitBytes = 256 * 1024;

function createDispatcher(environment: NodeJS.ProcessEnv): Dispatcher {
  const connect = { ca: readTrustedCertificates(), timeout: 10_000 };
  const options = {
    connect,
    requestTls: connect,
    maxResponseSize: replyLimitBytes,
    maxHeaderSize: headerLimitBytes,
    pipelining: 1,
  };
  const httpProxy = environment.http_proxy ?? environment.HTTP_PROXY ?? '';
  const httpsProxy = environment.https_proxy ?? environment.HTTPS_PROXY ?? '';
  if (httpProxy === '' && httpsProxy === '') return new Agent(options);
  const excepted = environment.no_proxy ?? environment.NO_PROXY ?? '';
  // What is on this computer (the sample service) never goes through another one.
  const noProxy = [excepted, 'localhost', '127.0.0.1', '[::1]'].filter((part) => part !== '').join(',');
  return new EnvHttpProxyAgent({ ...options, proxyTls: connect, httpProxy, httpsProxy, noProxy });
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
  let dispatcher: Dispatcher | null = null;
  const transport: Transport = async (wanted): Promise<HttpReply> => {
    dispatcher ??= createDispatcher(environment);
    const limit = limitTime(wanted);
    try {
      const reply = await request(wanted.url, {
        method: wanted.method,
        headers: { 'user-agent': 'Claimdesk', accept: 'application/json', ...wanted.headers },
        ...(wanted.body === undefined ? {} : { body: wanted.body }),
        dispatcher,
        signal: limit.signal,
        headersTimeout: wanted.timeoutMs,
        bodyTimeout: wanted.timeoutMs,
      });
      const head = { status: reply.statusCode, headers: flattenHeaders(reply.headers) };
      if (wanted.onChunk !== undefined && head.status === 200) {
        for await (const chunk of reply.body) {
          limit.touch();
          wanted.onChunk(chunk);
        }
        return { ...head, body: new Uint8Array() };
      }
      return { ...head, body: new Uint8Array(await reply.body.arrayBuffer()) };
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
      await dispatcher?.destroy();
    },
  };
}
