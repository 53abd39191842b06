/** What the host wrote into the page. Placeholders that no host replaced count as absent. */
export interface PageMarks {
  /** The engine that the policy of this page lets it reach. */
  readonly engineUrl: string;
  readonly nonce: string;
}

const placeholder = /^__CLAIMDESK_[A-Z]+__$/;

export function cleanMark(content: string | null | undefined): string {
  return content === null || content === undefined || placeholder.test(content) ? '' : content;
}

export function readPageMarks(page: Document): PageMarks {
  const read = (name: string) =>
    cleanMark(page.querySelector(`meta[name="${name}"]`)?.getAttribute('content'));
  return { engineUrl: read('claimdesk-engine'), nonce: read('csp-nonce') };
}
