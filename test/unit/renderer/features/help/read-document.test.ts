import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../../../src/renderer/features/help/read-document.ts';

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
    expect(review).toEqual({
      title: "A day's review",
      anchor: 'a-days-review',
      blocks: [
        {
          kind: 'paragraph',
          content: [
            { kind: 'text', text: 'One line and its rest, with ' },
            { kind: 'code', text: 'code' },
            { kind: 'text', text: ', ' },
            { kind: 'strong', text: 'weight' },
            { kind: 'text', text: ' and ' },
            { kind: 'link', text: 'a link', to: '#next' },
            { kind: 'text', text: '.' },
          ],
        },
        {
          kind: 'list',
          isOrdered: true,
          items: [[{ kind: 'text', text: 'First' }], [{ kind: 'text', text: 'Second, over two lines' }]],
        },
        { kind: 'list', isOrdered: false, items: [[{ kind: 'text', text: 'a point' }]] },
        { kind: 'code', language: 'sh', text: 'claimdesk sync\n\nclaimdesk key list' },
        { kind: 'picture', file: 'guide/review.png', alternative: 'What is shown' },
      ],
    });
  });

  it.each([
    ['HTML', page],
    ['a table', '## A\n\n| a | b |\n'],
    ['a third heading', '## A\n\n### B\n'],
    ['a quotation', '## A\n\n> b\n'],
    ['code without an end', '## A\n\n```sh\nb\n'],
  ])('refuses what it does not read: %s', (_what, text) => {
    expect(() => readDocument(text)).toThrow(/not read here|without an end/);
  });
});
