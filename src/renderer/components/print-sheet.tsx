import { type ComponentPropsWithoutRef, useEffect } from 'react';
import { createPortal } from 'react-dom';
import styles from './print-sheet.module.css';

/** Content that is printed alone and not shown in the window; `onEnd` removes it when printing has ended. */
export function PrintSheet({
  onEnd,
  ...section
}: ComponentPropsWithoutRef<'section'> & { onEnd: () => void }) {
  useEffect(() => {
    document.body.dataset.printing = 'list';
    window.addEventListener('afterprint', onEnd);
    window.print();
    return () => {
      delete document.body.dataset.printing;
      window.removeEventListener('afterprint', onEnd);
    };
  }, [onEnd]);
  return createPortal(
    <section {...section} className={`${styles.sheet} ${section.className ?? ''}`} data-print-sheet />,
    document.body,
  );
}
