import type { ComponentType, ReactNode } from 'react';
import { NavItemLink } from '../../components/links.tsx';
import { Page, Section } from '../../components/page.tsx';
import styles from './settings-page.module.css';

/** One part of the settings; the app's registry lists them all, in the order shown. */
export interface SettingsSection {
  readonly id: string;
  readonly title: string;
  readonly icon: ReactNode;
  readonly content: ComponentType;
}

/** All settings, with a list of their parts. */
export function SettingsPage(props: { sections: readonly SettingsSection[]; sectionId: string }) {
  const current = props.sections.find((section) => section.id === props.sectionId) ?? props.sections[0];
  if (current === undefined) return null;
  const Content = current.content;
  return (
    <Page title="Settings" documentTitle="Settings">
      <div className={styles.settings}>
        <nav aria-label="Settings" className={styles.nav}>
          {props.sections.map((section) => (
            <NavItemLink
              key={section.id}
              to="/settings/$section"
              params={{ section: section.id }}
              label={section.title}
              leftSection={section.icon}
              active={section.id === current.id}
              aria-current={section.id === current.id ? 'page' : undefined}
              variant="light"
            />
          ))}
        </nav>
        <div className={styles.content}>
          <Section title={current.title}>
            <Content />
          </Section>
        </div>
      </div>
    </Page>
  );
}
