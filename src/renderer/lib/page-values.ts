/** Values that the host wrote into the page. Placeholders that were not replaced count as absent. */
export interface PageValues {
  /** The engine that the content security policy of this page allows. */
  readonly engineUrl: string;
  readonly nonce: string;
  /** The window begins with the records of a workspace. */
  readonly hasWorkspace: boolean;
}

const placeholder = /^__CLAIMDESK_[A-Z]+__$/;

export const cleanValue = (content: string | null | undefined): string =>
  content === null || content === undefined || placeholder.test(content) ? '' : content;

export function readPageValues(page: Document): PageValues {
  const read = (name: string) =>
    cleanValue(page.querySelector(`meta[name="${name}"]`)?.getAttribute('content'));
  return {
    engineUrl: read('claimdesk-engine'),
    nonce: read('csp-nonce'),
    hasWorkspace: read('claimdesk-workspace') !== '',
  };
}
