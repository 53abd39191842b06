import type { Workspace } from '../../../contract/workspace.ts';
import styles from './workspace-dot.module.css';

/** The color of a workspace; its name is always beside it. */
export function WorkspaceDot({ color }: { color: Workspace['color'] }) {
  return <span className={styles.dot} data-color={color} aria-hidden />;
}
