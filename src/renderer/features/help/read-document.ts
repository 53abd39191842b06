export type Inline =
  | { readonly kind: 'text' | 'strong' | 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly to: string };

export type Block =
  | { readonly kind: 'paragraph'; readonly content: readonly Inline[] }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'picture'; readonly file: string; readonly alternative: string }
  | { readonly kind: 'keys'; readonly rows: readonly { keys: readonly string[]; does: string }[] };

export interface DocumentPart {
  readonly title: string;
  /** As the part is addressed on a page of the document, after `#`. */
  readonly anchor: string;
  readonly blocks: readonly Block[];
}

export const toAnchor = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');

const listItem = /^(?:\d+\.|-) /;
const picture = /^!\[([^\]]*)\]\(([^)]+)\)$/;

/**
 * Reads the parts of a document, which begin at its second headings: paragraphs, lists, code and pictures. It knows
 * only that much of Markdown, and nothing is ever taken for HTML.
 *
 * @throws Error where the document has more than that, which a test finds before anybody reads it
 */
export function readDocument(text: string): readonly DocumentPart[] {
  const [, ...parts] = text.split(/^## /m);
  return parts.map((part) => {
    const [title = '', ...lines] = part.split('\n');
    return { title, anchor: toAnchor(title), blocks: readBlocks(lines) };
  });
}

function readBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as string;
    if (line === '') {
      at += 1;
      continue;
    }
    if (line.startsWith('```')) {
      const end = lines.indexOf('```', at + 1);
      if (end < 0) throw new Error(`code without an end: ${lines[at + 1]}`);
      blocks.push({ kind: 'code', language: line.slice(3), text: lines.slice(at + 1, end).join('\n') });
      at = end + 1;
      continue;
    }
    if (/^([#<|>]|\* )/.test(line)) throw new Error(`not read here: ${line}`);
    const end = lines.findIndex((one, index) => index > at && (one === '' || one.startsWith('```')));
    const together = lines.slice(at, end < 0 ? lines.length : end);
    blocks.push(readParagraph(together));
    at += together.length;
  }
  return blocks;
}

/** Lines up to an empty one: a picture, a list whose items may go over several lines, or a paragraph. */
function readParagraph(lines: readonly string[]): Block {
  const [first = ''] = lines;
  const [, alternative, file] = picture.exec(lines.join(' ')) ?? [];
  if (alternative !== undefined && file !== undefined) return { kind: 'picture', file, alternative };
  if (!listItem.test(first)) return { kind: 'paragraph', content: readInline(lines.join(' ')) };
  const items: string[] = [];
  for (const line of lines) {
    if (listItem.test(line)) items.push(line.replace(listItem, ''));
    else items.push(`${items.pop()} ${line.trim()}`);
  }
  return { kind: 'list', isOrdered: !first.startsWith('-'), items: items.map(readInline) };
}

function readInline(text: string): Inline[] {
  return text
    .split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/)
    .filter((piece) => piece !== '')
    .map((piece) => {
      const [, label, to] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(piece) ?? [];
      if (label !== undefined && to !== undefined) return { kind: 'link', text: label, to };
      if (piece.startsWith('**')) return { kind: 'strong', text: piece.slice(2, -2) };
      if (piece.startsWith('`')) return { kind: 'code', text: piece.slice(1, -1) };
      return { kind: 'text', text: piece };
    });
}
