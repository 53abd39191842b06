import { Kbd } from '@mantine/core';
import type { MarkedToken } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { AnchorLink } from '../../components/links.tsx';
import { spellKeys } from '../../lib/shortcuts.ts';
import styles from './help-page.module.css';
import {
  findCommand,
  findCommands,
  findLinked,
  findPicture,
  type HelpTopic,
  type KeysBlock,
} from './help-topics.ts';
import { MarkedText } from './marked-text.tsx';
import { childrenOf } from './read-document.ts';

interface Texts {
  /** The searched words, which are marked in the text. */
  readonly words: readonly string[];
}

/** The text of a topic, from its document. */
export const TopicText = ({ topic, words }: Texts & { topic: HelpTopic }) =>
  topic.blocks.map((block, index) =>
    block.type === 'keys' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a topic never change
      <KeyTable key={index} rows={block.rows} words={words} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a topic never change
      <TokenText key={index} token={block} words={words} />
    ),
  );

function TokenText({ token, words }: Texts & { token: MarkedToken }): ReactNode {
  const children = childrenOf(token);
  const inner =
    children.length === 0 && 'text' in token ? (
      <MarkedText text={token.text} words={words} />
    ) : (
      children.map((child, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change
        <TokenText key={index} token={child} words={words} />
      ))
    );
  switch (token.type) {
    case 'paragraph':
      return <p>{inner}</p>;
    case 'list':
      return token.ordered ? <ol>{inner}</ol> : <ul>{inner}</ul>;
    case 'list_item':
      return <li>{inner}</li>;
    case 'strong':
      return <b>{inner}</b>;
    case 'codespan':
      return (
        <TopicLink topic={findCommand(token.text)}>
          <code>{inner}</code>
        </TopicLink>
      );
    case 'link':
      return <TopicLink topic={findLinked(token.href)}>{inner}</TopicLink>;
    case 'image':
      return <img className={styles.picture} src={findPicture(token.href)} alt={token.text} />;
    case 'code':
      return (
        <>
          <pre>
            <code>{inner}</code>
          </pre>
          {token.lang === 'sh' && <CommandLinks code={token.text} />}
        </>
      );
    default:
      return inner;
  }
}

/** A link where there is such a topic. */
function TopicLink({ topic, children }: { topic: HelpTopic | undefined; children: ReactNode }) {
  if (topic === undefined) return children;
  return (
    <AnchorLink to="/help" search={{ topic: topic.id }} inherit>
      {children}
    </AnchorLink>
  );
}

const CommandLinks = ({ code }: { code: string }) => (
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

const KeyTable = ({ rows, words }: Texts & Pick<KeysBlock, 'rows'>) => (
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
