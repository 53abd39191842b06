import { lexer, type MarkedToken, type Token } from 'marked';

interface DocumentPart {
  readonly title: string;
  /** The address of the part on a page of the document, after `#`. */
  readonly anchor: string;
  readonly blocks: readonly MarkedToken[];
}

/** The types of Markdown that a topic can show; HTML is not among them. */
const readTypes: ReadonlySet<string> = new Set<MarkedToken['type']>([
  'paragraph',
  'list',
  'list_item',
  'code',
  'image',
  'text',
  'escape',
  'strong',
  'codespan',
  'link',
]);

export const toAnchor = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');

/** The tokens within a token, in order. */
export function childrenOf(token: MarkedToken): readonly MarkedToken[] {
  const inner = token.type === 'list' ? token.items : 'tokens' in token ? (token.tokens ?? []) : [];
  return inner as MarkedToken[];
}

/**
 * Reads the parts of a document in Markdown, which begin at its second-level headings.
 *
 * @throws Error where the document has more than a topic shows, which a test detects
 */
export function readDocument(text: string): readonly DocumentPart[] {
  const parts: { title: string; anchor: string; blocks: MarkedToken[] }[] = [];
  for (const token of lexer(text) as MarkedToken[]) {
    if (token.type === 'heading' && token.depth === 2)
      parts.push({ title: token.text, anchor: toAnchor(token.text), blocks: [] });
    else if (token.type !== 'space' && parts.length > 0) {
      requireReadable(token);
      parts.at(-1)?.blocks.push(token);
    }
  }
  return parts;
}

function requireReadable(token: Token): void {
  if (!readTypes.has(token.type)) throw new Error(`not read here: ${token.raw}`);
  childrenOf(token as MarkedToken).forEach(requireReadable);
}
