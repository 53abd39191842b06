import { Kbd } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { AnchorLink } from '../../components/links.tsx';
import { spellKeys } from '../../lib/shortcuts.ts';
import styles from './help-page.module.css';
import { findCommand, findCommands, findLinked, findPicture, type HelpTopic } from './help-topics.ts';
import { MarkedText } from './marked-text.tsx';
import type { Block, Inline } from './read-document.ts';

interface Texts {
  /** What was searched for, marked where it is. */
  readonly words: readonly string[];
}

/** The text of a topic, from its document. */
export function TopicText({ topic, words }: Texts & { topic: HelpTopic }) {
  return topic.blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a topic never change
    <BlockText key={index} block={block} words={words} />
  ));
}

function BlockText({ block, words }: Texts & { block: Block }): ReactNode {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p>
          <InlineText content={block.content} words={words} />
        </p>
      );
    case 'list': {
      const List = block.isOrdered ? 'ol' : 'ul';
      return (
        <List>
          {block.items.map((item) => (
            <li key={item.map(({ text }) => text).join('')}>
              <InlineText content={item} words={words} />
            </li>
          ))}
        </List>
      );
    }
    case 'code':
      return (
        <>
          <pre>
            <code>
              <MarkedText text={block.text} words={words} />
            </code>
          </pre>
          {block.language === 'sh' && <CommandLinks code={block.text} />}
        </>
      );
    case 'keys':
      return <KeyTable rows={block.rows} words={words} />;
    case 'picture':
      return <img className={styles.picture} src={findPicture(block.file)} alt={block.alternative} />;
  }
}

function InlineText({ content, words }: Texts & { content: readonly Inline[] }) {
  return content.map((part, index) => {
    const text = <MarkedText text={part.text} words={words} />;
    const topic =
      part.kind === 'link' ? findLinked(part.to) : part.kind === 'code' ? findCommand(part.text) : undefined;
    const shown = part.kind === 'code' ? <code>{text}</code> : part.kind === 'strong' ? <b>{text}</b> : text;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change
      <Fragment key={index}>
        {topic === undefined ? shown : <TopicLink topic={topic}>{shown}</TopicLink>}
      </Fragment>
    );
  });
}

function TopicLink({ topic, children }: { topic: HelpTopic; children: ReactNode }) {
  return (
    <AnchorLink to="/help" search={{ topic: topic.id }} inherit>
      {children}
    </AnchorLink>
  );
}

/** To the help of the commands in a block of them. */
function CommandLinks({ code }: { code: string }) {
  return (
    <p className={styles.commands}>
      Options:{' '}
      {findCommands(code).map((topic, index) => (
        <Fragment key={topic.id}>
          {index > 0 && ', '}
          <TopicLink topic={topic}>{topic.title}</TopicLink>
        </Fragment>
      ))}
    </p>
  );
}

function KeyTable({ rows, words }: Texts & Pick<Extract<Block, { kind: 'keys' }>, 'rows'>) {
  return (
    <table className={styles.keys}>
      <thead>
        <tr>
          <th scope="col">Keys</th>
          <th scope="col">What they do</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ keys, does }) => (
          <tr key={does}>
            <td>
              {keys.map((key) => (
                <Fragment key={key}>
                  <Kbd size="xs" className={styles.key ?? ''}>
                    {spellKeys(key, navigator.platform)}
                  </Kbd>{' '}
                </Fragment>
              ))}
            </td>
            <td>
              <MarkedText text={does} words={words} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
