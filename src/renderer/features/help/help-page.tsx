import { Link, useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Page } from '../../components/page.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { useWorkspaces } from '../../domain/workspace/use-workspaces.ts';
import styles from './help-page.module.css';
import { HelpSearch } from './help-search.tsx';
import { type HelpTopic, helpTopics } from './help-topics.ts';
import { searchHelp, splitWords } from './search-help.ts';
import { TopicText } from './topic-text.tsx';

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
  return (
    <nav aria-label="Help topics" className={styles.topics}>
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
    </nav>
  );
}

function TopicLinks({ group, current }: { group: HelpTopic['group']; current: HelpTopic }) {
  return (
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
}

/** Without a workspace there is no sidebar, so this is the only way back. */
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
