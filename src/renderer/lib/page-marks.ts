/** What the host wrote into the page. Placeholders that no host replaced count as absent. */
export interface PageMarks {
  readonly windowToken: string;
  readonly engineUrl: string;
  readonly nonce: string;
}

const placeholder = /^__CLAIMDESK_[A-Z]+__$/;

export function cleanMark(content: string | null | undefined): string {
  return content === null || content === undefined || placeholder.test(content) ? '' : content;
}

/** Reads the marks once and removes the window token's element, so that nothing later can read it there. */
export function takePageMarks(page: Document): PageMarks {
  const find = (name: string) => page.querySelector(`meta[name="${name}"]`);
  const tokenElement = find('claimdesk-window');
  const windowToken = cleanMark(tokenElement?.getAttribute('content'));
  tokenElement?.remove();
  return {
    windowToken,
    engineUrl: cleanMark(find('claimdesk-engine')?.getAttribute('content')),
    nonce: cleanMark(find('csp-nonce')?.getAttribute('content')),
  };
}
