import { isLoopbackHost } from '../../../contract/service-address.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy that environment variables set for an address, by the rules of undici's `EnvHttpProxyAgent`: `https_proxy`,
 * otherwise `http_proxy`, unless `no_proxy` has the host, one of its parents, or `*`. Null where none is set;
 * 'unusable' where the value is not the address of an http, https or socks proxy.
 */
export function findProxy(url: URL, environment: Environment): URL | 'unusable' | null {
  const ofHttp = environment.http_proxy ?? environment.HTTP_PROXY ?? '';
  const ofHttps = environment.https_proxy ?? environment.HTTPS_PROXY ?? '';
  const text = url.protocol === 'https:' && ofHttps !== '' ? ofHttps : ofHttp;
  // Addresses on this computer never go through a proxy, as in the transport.
  if (
    text === '' ||
    isLoopbackHost(url.hostname) ||
    isExcepted(url, environment.no_proxy ?? environment.NO_PROXY ?? '')
  )
    return null;
  if (!URL.canParse(text)) return 'unusable';
  const proxy = new URL(text);
  return /^(https?|socks5?):$/.test(proxy.protocol) ? proxy : 'unusable';
}

function isExcepted(url: URL, noProxy: string): boolean {
  const host = bareHost(url);
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return noProxy
    .split(/[,\s]+/)
    .filter(Boolean)
    .some((entry) => {
      const { name, entryPort, isWildcard } = readException(entry);
      if (entryPort !== null && entryPort !== port) return false;
      return name === '*' || (!isWildcard && host === name) || host.endsWith(`.${name}`);
    });
}

/** `example.com`, `.example.com`, `*.example.com` (children only), `host:port`, `[::1]:443`, `*`. */
function readException(entry: string): { name: string; entryPort: number | null; isWildcard: boolean } {
  const bracketed = /^\[(.+)\](?::(\d+))?$/.exec(entry);
  const plain = bracketed ?? /^([^:]+):(\d+)$/.exec(entry);
  const name = (plain?.[1] ?? entry)
    .replace(/^\*?\./, '')
    .replace(/(.)\.$/, '$1')
    .toLowerCase();
  return {
    name,
    entryPort: plain?.[2] === undefined ? null : Number(plain[2]),
    isWildcard: entry.startsWith('*'),
  };
}

/** The host without the brackets of an IPv6 address and without a trailing dot. */
export const bareHost = (url: URL): string =>
  url.hostname
    .replace(/^\[(.+)\]$/, '$1')
    .replace(/(.)\.$/, '$1')
    .toLowerCase();
