import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FieldList } from '../../components/page.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import styles from './key-picture.module.css';

/** MD5 fingerprint and random art, on request, to compare with older programs. */
export function KeyPicture({ keyId }: { keyId: string }) {
  const [isShown, setIsShown] = useState(false);
  const { data, error } = useDeskQuery('keys:describe', { keyId }, { enabled: isShown });
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-expanded={isShown}
        onClick={() => setIsShown(!isShown)}
      >
        {isShown ? 'Hide MD5 and randomart' : 'Show MD5 and randomart'}
      </Button>
      {isShown && error !== null && <ErrorNotice error={error} />}
      {isShown && data !== undefined && (
        <div className={styles.shown}>
          <FieldList fields={[['MD5', <code key="md5">{data.md5}</code>]]} />
          <figure className={styles.figure}>
            <pre className={styles.art} aria-hidden>
              {data.randomart}
            </pre>
            <Text component="figcaption" size="xs" c="dimmed">
              {data.randomartText}
            </Text>
          </figure>
        </div>
      )}
    </>
  );
}
