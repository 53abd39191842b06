/** Headers of the service's pages: no script, no outside content, no caching. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // `no-referrer` would send `Origin: null` with a form, which would look like another site's.
  'referrer-policy': 'same-origin',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
} as const;

export const PAGE_STYLE = `
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; color: #1a1a1a; background: #fff; }
label { display: block; font-weight: 600; margin-top: 1rem; }
input, textarea { box-sizing: border-box; width: 100%; font: inherit; padding: .5rem; border: 1px solid #595959; }
textarea { font-family: ui-monospace, monospace; }
button { font: inherit; padding: .5rem 1rem; margin-top: 1rem; border: 1px solid #1a1a1a; background: #fff; color: #1a1a1a; }
td button { margin: 0; }
:focus-visible { outline: 3px solid #0b5fff; outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; } caption { text-align: left; padding: .5rem 0; }
th, td { text-align: left; padding: .5rem; border-bottom: 1px solid #767676; overflow-wrap: anywhere; }
.error { border-left: 4px solid #a30000; padding-left: .75rem; } .note { border-left: 4px solid #006b2d; padding-left: .75rem; }
`;

export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
