import { Code } from '@mantine/core';
import { useState } from 'react';
import { copyText } from '../lib/copy-text.ts';
import styles from './saved-path.module.css';
import { TextButton } from './text-button.tsx';

/** Where a file was saved, with a button that copies the path. */
export function SavedPath({ path }: { path: string }) {
  const [isCopied, setIsCopied] = useState(false);
  return (
    <>
      <Code className={styles.path ?? ''}>{path}</Code>{' '}
      <TextButton onClick={async () => setIsCopied(await copyText(path))}>
        {isCopied ? 'Copied' : 'Copy path'}
      </TextButton>
    </>
  );
}
