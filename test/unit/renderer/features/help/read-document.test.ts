import type { MarkedToken } from 'marked';
import { describe, expect, it } from 'vitest';
import { childrenOf, readDocument } from '../../../../../src/renderer/features/help/read-document.ts';

const outline = (token: MarkedToken): string => {
  const children = childrenOf(token).map(outline);
  return children.length === 0 ? token.type : `${token.type}(${children.join(' ')})`;
};

const page = `# A document

What comes before its parts.

## A day's review

One line
and its rest, with \`code\`, **weight** and [a link](#next).

1. First
2. Second,
   over two lines

- a point

\`\`\`sh
claimdesk sync

claimdesk key list
\`\`\`

![What is shown](guide/review.png)

## Next

<b>not HTML</b> is refused, a < b is text.
`;

describe('readDocument', () => {
  it('reads paragraphs, lists, code and pictures of each part', () => {
    const [review] = readDocument(page.replace('<b>not HTML</b> is refused, ', ''));
    expect(review).toMatchObject({ title: "A day's review", anchor: 'a-days-review' });
    expect(review?.blocks.map(outline)).toEqual([
      'paragraph(text codespan text strong(text) text link(text) text)',
      'list(list_item(text(text)) list_item(text(text)))',
      'list(list_item(text(text)))',
      'code',
      'paragraph(image(text))',
    ]);
  });

  it.each([
    ['HTML', page],
    ['a table', '## A\n\n| a | b |\n|---|---|\n| c | d |\n'],
    ['a third heading', '## A\n\n### B\n'],
    ['a quotation', '## A\n\n> b\n'],
  ])('refuses what it can’t read: %s', (_what, text) => {
    expect(() => readDocument(text)).toThrow(/not read here/);
  });
});
