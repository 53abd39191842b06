import type { ReactNode } from 'react';
import { SmallPrint } from '../../components/text.tsx';
import { readerReason, useIsReader } from './use-is-reader.ts';
import styles from './writer-only.module.css';

/**
 * Controls that change reviews; they are off for who can only read in the workspace's team. `isSaid`: false where the
 * reason is beside them already.
 */
export function WriterOnly(props: { workspaceId: string; isSaid?: boolean; children: ReactNode }) {
  const { workspaceId, isSaid = true, children } = props;
  const isReader = useIsReader(workspaceId);
  return (
    <>
      {isReader && isSaid && <SmallPrint>{readerReason}</SmallPrint>}
      <fieldset className={styles.all} disabled={isReader}>
        {children}
      </fieldset>
    </>
  );
}
