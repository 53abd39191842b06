import { Button, VisuallyHidden } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useAsk } from '../../lib/desk-query.ts';
import { formatSsn, formatWholeSsn } from '../../lib/format-value.ts';
import { useDeskMode } from '../../lib/use-desk-mode.ts';
import styles from './ssn-field.module.css';

/** How long a whole SSN stays on screen. */
const shownMs = 8000;

/**
 * An SSN, masked. Pressing its button shows it whole for some seconds, one person at a time, and is recorded in the
 * audit log by the engine. It is kept in this element only: neither in the cache nor in the address.
 */
export function SsnField(props: {
  entity: 'members' | 'dependents';
  id: number;
  /** The masked SSN as in lists; null or empty: the service sent none. */
  masked: string | null | undefined;
  /** The person's name, for screen readers. */
  name: string;
}) {
  const { entity, id } = props;
  const ask = useAsk();
  const desk = useDeskMode();
  const [whole, setWhole] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const latestRequest = useRef(0);
  const hide = useCallback(() => {
    latestRequest.current += 1;
    setWhole(null);
  }, []);

  useEffect(() => {
    if (whole === null) return;
    const timer = setTimeout(hide, shownMs);
    const onHidden = () => document.visibilityState === 'hidden' && hide();
    window.addEventListener('blur', hide);
    document.addEventListener('visibilitychange', onHidden);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('blur', hide);
      document.removeEventListener('visibilitychange', onHidden);
    };
  }, [whole, hide]);
  // An answer that arrives after the element is removed must not be shown.
  useEffect(() => hide, [hide]);

  const reveal = async () => {
    setError(null);
    latestRequest.current += 1;
    const asked = latestRequest.current;
    try {
      const { ssn } = await ask('records:revealSsn', { entity, id });
      if (latestRequest.current !== asked) return;
      showAlone(hide);
      setWhole(ssn);
    } catch (thrown) {
      if (latestRequest.current === asked) setError(thrown);
    }
  };

  if (!props.masked) return <span>–</span>;
  return (
    <div className={styles.field}>
      {whole === null ? (
        <span>{formatSsn(props.masked)}</span>
      ) : (
        <span className={styles.whole}>{formatWholeSsn(whole)}</span>
      )}
      <Button
        size="compact-xs"
        variant="default"
        disabled={desk.isOn}
        title={
          desk.isOn ? 'Hidden in privacy mode' : 'Shows for a few seconds and is recorded in the audit log'
        }
        onClick={whole === null ? () => void reveal() : hide}
      >
        {whole === null ? 'Show' : 'Hide'} <VisuallyHidden>the SSN of {props.name}</VisuallyHidden>
      </Button>
      <VisuallyHidden role="status">
        {whole === null ? '' : `SSN is visible for ${shownMs / 1000} seconds.`}
      </VisuallyHidden>
      <ErrorNotice error={error} title="Couldn’t show the SSN" />
    </div>
  );
}

let hideOther: (() => void) | null = null;

/** Hides the SSN that was shown before: only one is shown in the window at a time. */
export function showAlone(hide: () => void): void {
  const other = hideOther;
  hideOther = hide;
  if (other !== hide) other?.();
}
