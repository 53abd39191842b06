import fontUrl from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import { useComputedColorScheme, useMantineStyleNonce, useMantineTheme } from '@mantine/core';
import createDOMPurify from 'dompurify';
import { useEffect, useMemo, useState } from 'react';
import styles from './connect.module.css';

const allowedTags = [
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'div', 'span', 'section', 'article'],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'blockquote', 'pre', 'code'],
  ...['strong', 'em', 'b', 'i', 'u', 's', 'small', 'sub', 'sup', 'abbr'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'a'],
];
const allowedAttributes = ['scope', 'colspan', 'rowspan', 'lang', 'dir', 'start', 'href'];

/** The address to write after the text of a link; only addresses that you could open. */
export function addressToShow(href: string): string | null {
  const url = URL.parse(href);
  if (url === null) return null;
  if (url.protocol === 'mailto:') return url.pathname;
  return url.protocol === 'https:' ? href : null;
}

/**
 * Renames handlers and styles to names without meaning. The sanitizer is the safeguard; without this, the browser
 * would report them as violations of the policy while it parses them.
 */
export const disarmAttributes = (untrustedHtml: string): string =>
  untrustedHtml.replaceAll(/<[a-z][^<>]*>/gi, (tag) =>
    tag.replaceAll(/(?<=[\s/"'])(?=(?:on\w+|style)\s*=)/gi, 'data-'),
  );

/**
 * Untrusted HTML reduced to text and its structure. Links cannot be followed, since the frame allows no navigation:
 * their address is written after them. It is parsed inside a template, whose document is inert: any other would run
 * handlers, styles and base addresses against the window's policy before they are removed.
 */
function sanitizeTerms(untrustedHtml: string): string {
  const template = document.createElement('template');
  template.innerHTML = disarmAttributes(untrustedHtml);
  const root = template.content.ownerDocument.createElement('div');
  root.append(template.content);
  createDOMPurify(window).sanitize(root, {
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: allowedAttributes,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    IN_PLACE: true,
  });
  for (const link of root.querySelectorAll('a')) {
    const address = addressToShow(link.getAttribute('href') ?? '');
    const text = link.textContent ?? '';
    link.replaceWith(address === null || text.includes(address) ? text : `${text} (${address})`);
  }
  return root.innerHTML;
}

/** The font of the window as a `data:` address, because the frame can reach no other; null where it can't be read. */
async function readFont(): Promise<string | null> {
  try {
    const bytes = new Uint8Array(await (await fetch(fontUrl)).arrayBuffer());
    return `data:font/woff2;base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
  } catch {
    return null;
  }
}

/** The font of the window, once it is read; undefined before. */
function useFont(): string | null | undefined {
  const [font, setFont] = useState<string | null>();
  useEffect(() => {
    void readFont().then(setFont);
  }, []);
  return font;
}

/** A whole page for a frame, with its policy in addition to the window's, and the window's font, colors and sizes. */
export function termsPage(
  cleanHtml: string,
  look: { nonce: string; colors: 'light' | 'dark'; title: string; fontFamily: string; font?: string | null },
): string {
  const [text, ground] = look.colors === 'dark' ? ['#d5dae1', '#16191d'] : ['#1d2228', '#ffffff'];
  const face = `@font-face{font-family:"Inter Variable";font-weight:100 900;src:url(${look.font}) format("woff2")}`;
  const nonce = look.nonce.replaceAll(/[^A-Za-z0-9+/=_-]/g, '');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'; font-src data:">
<title>${look.title.replaceAll(/[<>&]/g, '')}</title>
<style nonce="${nonce}">
${look.font ? face : ''}
:root{color-scheme:${look.colors}}
body{margin:0;padding:12px 16px;font:13px/1.45 ${look.fontFamily.replaceAll(/[<>{};]/g, '')};max-width:72ch;color:${text};background:${ground};overflow-wrap:anywhere}
h1,h2{font-size:15px;line-height:20px;font-weight:600;margin:24px 0 8px}h3,h4,h5,h6{font-size:13px;font-weight:600;margin:16px 0 4px}
:is(h1,h2):first-child{margin-top:0}p,ul,ol{margin:0 0 8px}
table{border-collapse:collapse}caption{text-align:left;padding-bottom:4px}
th,td{border:1px solid currentColor;padding:3px 8px;text-align:left}
</style></head><body>${cleanHtml}</body></html>`;
}

/** Untrusted HTML, sanitized, in a frame without permissions: no script, no form, no navigation. */
export function UntrustedFrame({ untrustedHtml, title }: { untrustedHtml: string; title: string }) {
  // Set at the first render: a frame whose page is replaced while it loads can stay blank.
  const colors = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const { fontFamily } = useMantineTheme();
  const readNonce = useMantineStyleNonce();
  const clean = useMemo(() => sanitizeTerms(untrustedHtml), [untrustedHtml]);
  const font = useFont();
  if (font === undefined) return <div className={styles.frame} />;
  const page = termsPage(clean, { nonce: readNonce?.() ?? '', colors, title, fontFamily, font });
  return (
    <iframe
      title={title}
      sandbox=""
      srcDoc={page}
      className={styles.frame}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls must be reachable by keyboard
      tabIndex={0}
    />
  );
}
