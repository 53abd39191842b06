import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { TextField } from '../../components/text-field.tsx';
import { useArrivalFocus } from '../../lib/use-arrival-focus.ts';
import { useSingleKeys } from '../../lib/use-single-keys.ts';
import styles from './help-page.module.css';
import { MarkedText } from './marked-text.tsx';
import { type HelpMatch, splitWords } from './search-help.ts';

const resultId = (index: number): string => `help-result-${index}`;

/** The search field with what it found below: arrows choose, Enter opens, Escape clears. */
export function HelpSearch(props: {
  typed: string;
  onType: (typed: string) => void;
  matches: readonly HelpMatch[];
  onOpen: (topicId: string) => void;
}) {
  const { typed, matches } = props;
  const [chosen, setChosen] = useState(0);
  const field = useArrivalFocus<HTMLInputElement>();
  const list = useRef<HTMLDivElement>(null);
  useSingleKeys({ '/': () => field.current?.select() });
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const type = (next: string) => {
    props.onType(next);
    setChosen(0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const match = matches[chosen];
    if (step !== undefined && matches.length > 0)
      setChosen((chosen + step + matches.length) % matches.length);
    else if (event.key === 'Enter' && match !== undefined) props.onOpen(match.topic.id);
    else if (event.key === 'Escape' && typed !== '') type('');
    else return;
    event.preventDefault();
  };
  const words = splitWords(typed);
  return (
    <search className={styles.search}>
      <TextField
        ref={field}
        value={typed}
        onChange={type}
        onKeyDown={onKeyDown}
        aria-label="Search help"
        placeholder="Search help"
        leftSection={<IconSearch size={15} aria-hidden />}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={matches.length > 0}
        aria-controls="help-results"
        aria-activedescendant={matches.length > 0 ? resultId(chosen) : undefined}
      />
      <p className={styles.count} role="status">
        {typed.trim() === ''
          ? ''
          : matches.length === 0
            ? 'No results. Try other words.'
            : countOf(matches.length)}
      </p>
      <div
        ref={list}
        id="help-results"
        role="listbox"
        aria-label="Results"
        className={styles.results}
        hidden={matches.length === 0}
      >
        {matches.map(({ topic, excerpt }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the search field has the keys of its list
          <div
            key={topic.id}
            id={resultId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            className={styles.result}
            onClick={() => {
              setChosen(index);
              props.onOpen(topic.id);
            }}
          >
            <span className={styles.resultTitle}>
              <MarkedText text={topic.title} words={words} />
            </span>
            <span className={styles.excerpt}>
              {excerpt === '' ? topic.group : <MarkedText text={excerpt} words={words} />}
            </span>
          </div>
        ))}
      </div>
    </search>
  );
}

const countOf = (count: number): string => (count === 1 ? '1 topic' : `${count} topics`);
