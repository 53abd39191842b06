import { useMediaQuery } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Link, useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { Page } from '../../components/page.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useWorkspaces } from '../../domain/workspace/use-workspaces.ts';
import { useArrivalFocus } from '../../lib/use-arrival-focus.ts';
import { useSingleKeys } from '../../lib/use-single-keys.ts';
import styles from './help-page.module.css';
import { type HelpTopic, helpTopics } from './help-topics.ts';
import { MarkedText } from './marked-text.tsx';
import { type HelpMatch, searchHelp, splitWords } from './search-help.ts';
import { TopicText } from './topic-text.tsx';

const resultId = (index: number): string => `help-result-${index}`;

/** The search field with what it found below: arrows choose, Enter opens, Escape clears. */
function HelpSearch(props: {
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

/** The guide, the keys and the commands, which are built into the window. */
export function HelpPage({ topicId }: { topicId: string | undefined }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const matches = useMemo(() => searchHelp(typed), [typed]);
  const words = useMemo(() => splitWords(typed), [typed]);
  const topic = helpTopics.find(({ id }) => id === topicId) ?? (helpTopics[0] as HelpTopic);
  const heading = useRef<HTMLHeadingElement>(null);
  const shownId = useRef(topic.id);
  useEffect(() => {
    // After going back too; not when the page opens, because then the search field has the focus.
    if (shownId.current !== topic.id) heading.current?.focus();
    shownId.current = topic.id;
  }, [topic.id]);
  const open = (id: string) => {
    if (id === topic.id) heading.current?.focus();
    else void navigate({ to: '/help', search: { topic: id } });
  };
  return (
    <Page title="Help" documentTitle={`${topic.title} · Help`} actions={<WayBack />}>
      <div className={styles.help} data-searching={matches.length > 0 || undefined}>
        <HelpSearch typed={typed} onType={setTyped} matches={matches} onOpen={open} />
        <TopicList current={topic} />
        <article className={styles.topic} aria-labelledby="help-topic">
          <p className={styles.group}>{topic.group}</p>
          <h2 id="help-topic" ref={heading} tabIndex={-1}>
            {topic.title}
          </h2>
          <TopicText topic={topic} words={words} />
        </article>
      </div>
    </Page>
  );
}

const groups = [...new Set(helpTopics.map(({ group }) => group))];

function TopicList({ current }: { current: HelpTopic }) {
  const isWide = useMediaQuery('(min-width: 861px)', true);
  return (
    <nav aria-label="Help topics" className={styles.topics}>
      {/* Where it is narrow, it is folded again once a topic is chosen, which is below it. */}
      <details key={isWide ? '' : current.id} open={isWide}>
        <summary className={styles.fold}>Topics</summary>
        {groups.map((group) => (
          <section key={group} aria-label={group}>
            {group === 'Guide' ? (
              <TopicLinks group={group} current={current} />
            ) : (
              <details open={group === current.group}>
                <summary className={styles.groupTitle}>{group}</summary>
                <TopicLinks group={group} current={current} />
              </details>
            )}
          </section>
        ))}
      </details>
    </nav>
  );
}

const TopicLinks = ({ group, current }: { group: HelpTopic['group']; current: HelpTopic }) => (
  <ul>
    {helpTopics
      .filter((topic) => topic.group === group)
      .map(({ id, title }) => (
        <li key={id}>
          <Link
            to="/help"
            search={{ topic: id }}
            className={styles.link}
            aria-current={id === current.id ? 'page' : undefined}
          >
            {title}
          </Link>
        </li>
      ))}
  </ul>
);

/** Shows the only way back where there is no workspace, and so no sidebar. */
function WayBack() {
  const { active } = useWorkspaces();
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const navigate = useNavigate();
  if (active !== null) return null;
  return (
    <SmallButton onClick={() => (canGoBack ? router.history.back() : void navigate({ to: '/welcome' }))}>
      Back
    </SmallButton>
  );
}
