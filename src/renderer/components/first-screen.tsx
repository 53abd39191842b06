import type { ReactNode } from 'react';
import styles from './first-screen.module.css';

/**
 * A screen without the sidebar: the app's mark, a column of 480 px, and where there is room a picture of a claim of the
 * sample beside it. A locked screen has no picture, because it could be mistaken for records that are still on screen.
 */
export const FirstScreen = ({ children, isLocked }: { children: ReactNode; isLocked?: boolean }) => (
  <div className={styles.screen} data-locked={isLocked || undefined}>
    <div className={styles.column}>
      <img src="/icon.svg" alt="" width={40} height={40} />
      {children}
    </div>
    {!isLocked && <div className={styles.picture} aria-hidden />}
  </div>
);
