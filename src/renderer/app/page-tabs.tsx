import { Link } from '@tanstack/react-router';
import { usePathOnScreen } from './mounted-list.tsx';
import { findTabs } from './navigation.tsx';
import styles from './page-tabs.module.css';

/** The pages that are tabs beside the one on screen. */
export function PageTabs() {
  const tabs = findTabs(usePathOnScreen());
  if (tabs.length === 0) return null;
  return (
    <nav aria-label="Tabs" className={styles.tabs} data-screen-only>
      {tabs.map(({ to, label }) => (
        <Link key={to} to={to} className={styles.tab}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
