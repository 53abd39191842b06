import { useComputedColorScheme, useMantineStyleNonce, useMantineTheme } from '@mantine/core';
import { useMemo } from 'react';
import styles from './connect.module.css';
import { sanitizeTerms, termsPage } from './terms-html.ts';

/** Untrusted HTML, sanitized, in a frame without permissions: no script, no form, no navigation. */
export function UntrustedFrame({ untrustedHtml, title }: { untrustedHtml: string; title: string }) {
  // Set at the first render: a frame whose page is replaced while it loads can stay blank.
  const colors = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const { fontFamily } = useMantineTheme();
  const readNonce = useMantineStyleNonce();
  const clean = useMemo(() => sanitizeTerms(untrustedHtml), [untrustedHtml]);
  const page = termsPage(clean, { nonce: readNonce?.() ?? '', colors, title, fontFamily });
  return (
    <iframe
      title={title}
      sandbox=""
      srcDoc={page}
      className={styles.frame}
      // What scrolls can be reached by keyboard.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls takes the focus
      tabIndex={0}
    />
  );
}
