import { baseHeaders } from '../../lib/loopback/json-exchange.ts';
import type { PageFile } from './page-files.ts';

/**
 * The content security policy of a window: it may load and reach itself and the addresses in `connect`, which are those
 * of the engine.
 */
export const contentPolicy = (options: { nonce: string; connect: readonly string[] }): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${options.nonce}'`,
    "img-src 'self' data:",
    // The frame of untrusted terms can reach no address; it gets the page's font as data.
    "font-src 'self' data:",
    ["connect-src 'self'", ...options.connect].join(' '),
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const refusedFeatures = (
  'accelerometer autoplay camera clipboard-read display-capture encrypted-media fullscreen ' +
  'geolocation gyroscope hid idle-detection local-fonts magnetometer microphone midi payment ' +
  'picture-in-picture publickey-credentials-get screen-wake-lock serial usb xr-spatial-tracking'
).split(' ');

/** The headers of one of these files. Each script has a policy, because a worker's is that of its script. */
export const headersOf = ({ contentType }: Pick<PageFile, 'contentType'>): Record<string, string> => ({
  ...baseHeaders,
  'content-type': contentType,
  ...(contentType.startsWith('text/javascript') && {
    'content-security-policy': "default-src 'none'; script-src 'self'",
  }),
});

/** The headers of the page itself. */
export const pageHeaders = (policy: string): Record<string, string> => ({
  ...baseHeaders,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'x-dns-prefetch-control': 'off',
  'permissions-policy': [...refusedFeatures.map((name) => `${name}=()`), 'clipboard-write=(self)'].join(', '),
});
