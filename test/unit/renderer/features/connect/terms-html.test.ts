import { describe, expect, it } from 'vitest';
import {
  addressToShow,
  disarmAttributes,
  termsPage,
} from '../../../../../src/renderer/features/connect/untrusted-frame.tsx';

describe('terms of use', () => {
  it('show addresses that a user can open, and no others', () => {
    expect(addressToShow('https://service.example/privacy')).toBe('https://service.example/privacy');
    expect(addressToShow('mailto:privacy@service.example')).toBe('privacy@service.example');
    for (const address of ['javascript:alert(1)', 'http://x.example', 'data:text/html,x', '/path', '']) {
      expect(addressToShow(address)).toBeNull();
    }
  });
  it('lose the names of handlers and styles in tags, and none of their text', () => {
    expect(disarmAttributes('<p onclick="a()" style="x" class="onclick=">on time = style = 3 < 4</p>')).toBe(
      '<p data-onclick="a()" data-style="x" class="data-onclick=">on time = style = 3 < 4</p>',
    );
    expect(disarmAttributes('<img src="x"onerror=a()><IMG/ONLOAD = a()>')).toBe(
      '<img src="x"data-onerror=a()><IMG/data-ONLOAD = a()>',
    );
  });
  it('are in a separate page that can reach no address', () => {
    const page = termsPage('<p>Text</p>', {
      ...{ nonce: 'abc"><script>', colors: 'dark', title: 'A <b> & c' },
      fontFamily: '"Inter Variable", sans-serif;}</style>',
    });
    expect(page).toContain('font:13px/1.45 "Inter Variable", sans-serif/style;');
    expect(page.match(/<\/style>/g)).toHaveLength(1);
    expect(page).toContain(`content="default-src 'none'; style-src 'nonce-abcscript'; font-src data:"`);
    expect(page).toContain('<title>A b  c</title>');
    expect(page).toContain('color-scheme:dark');
    expect(page).not.toContain('<script');
    expect(page).not.toContain('@font-face');
    const drawn = termsPage('<p>Text</p>', {
      ...{ nonce: 'abc', colors: 'light', title: 'Terms' },
      ...{ fontFamily: '"Inter Variable"', font: 'data:font/woff2;base64,AA==' },
    });
    expect(drawn).toContain('src:url(data:font/woff2;base64,AA==)');
  });
});
