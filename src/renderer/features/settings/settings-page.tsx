import { Link } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, Suspense } from 'react';
import { NavItemLink } from '../../components/links.tsx';
import { Page, Section } from '../../components/page.tsx';
import { LoadingState } from '../../components/states.tsx';
import tabs from '../../components/tabs.module.css';
import styles from './settings-page.module.css';

/** Settings with a separate address. */
interface SettingsSection {
  readonly id: string;
  readonly title: string;
  readonly content: ComponentType;
  /** The words by which the palette finds its contents. */
  readonly words?: string;
}

/** One part of the settings; its sections, where it has several, are tabs. The app's registry lists all parts. */
export interface SettingsPart {
  readonly title: string;
  readonly icon: ReactNode;
  readonly sections: readonly SettingsSection[];
}

/** All settings, with a list of their parts. */
export function SettingsPage({ parts, sectionId }: { parts: readonly SettingsPart[]; sectionId: string }) {
  const shown = parts.find(({ sections }) => sections.some(({ id }) => id === sectionId)) ?? parts[0];
  const current = shown?.sections.find(({ id }) => id === sectionId) ?? shown?.sections[0];
  if (shown === undefined || current === undefined) return null;
  const Content = current.content;
  return (
    <Page title="Settings" documentTitle="Settings">
      <div className={styles.settings}>
        <nav aria-label="Settings" className={styles.nav}>
          {parts.map((part) => (
            <NavItemLink
              key={part.title}
              to="/settings/$section"
              params={{ section: part.sections[0]?.id ?? '' }}
              label={part.title}
              leftSection={part.icon}
              active={part === shown}
              aria-current={part === shown ? 'page' : undefined}
              variant="light"
            />
          ))}
        </nav>
        <div className={styles.content}>
          {shown.sections.length > 1 && (
            <nav aria-label={shown.title} className={`${tabs.tabs} ${styles.tabs}`}>
              {shown.sections.map(({ id, title }) => (
                <Link key={id} to="/settings/$section" params={{ section: id }} className={tabs.tab}>
                  {title}
                </Link>
              ))}
            </nav>
          )}
          <Section title={current.title}>
            <Suspense fallback={<LoadingState what="the settings" />}>
              <Content />
            </Suspense>
          </Section>
        </div>
      </div>
    </Page>
  );
}
