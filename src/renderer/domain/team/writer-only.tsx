import type { ReactNode } from 'react';
import { SmallPrint } from '../../components/text.tsx';
import { useReadOnlyReason } from './use-is-reader.ts';
import styles from './writer-only.module.css';

/**
 * Controls that change reviews; they are off for who can only read in the workspace's team, and until its reviews were read. `isSaid`: false where the
 * reason is beside them already. `isEmpty`: there is no claim to change.
 */
export function WriterOnly(props: { isSaid?: boolean; isEmpty?: boolean; children: ReactNode }) {
  const { isSaid = true, isEmpty = false, children } = props;
  const reason = useReadOnlyReason();
  return (
    <>
      {reason !== null && isSaid && <SmallPrint>{reason}</SmallPrint>}
      <fieldset className={styles.all} disabled={isEmpty || reason !== null} title={reason ?? undefined}>
        {children}
      </fieldset>
    </>
  );
}
