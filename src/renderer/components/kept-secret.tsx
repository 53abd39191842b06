import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { copyText } from '../lib/copy-text.ts';
import styles from './kept-secret.module.css';
import { Notice } from './notice.tsx';
import { SmallPrint, Status } from './text.tsx';

/** A secret that is shown only once, to print or to copy; it is hidden when the user confirms that they stored it. */
export function KeptSecret(props: {
  secret: string;
  kind: 'code' | 'key';
  about: string;
  /** A text that is needed to use the secret, to be stored together with it. */
  usedWith?: string;
  /** The line above it on paper. */
  printed: string;
  onKept: () => void;
}) {
  const { secret, kind, usedWith } = props;
  const [isKept, setIsKept] = useState(false);
  const [copied, setCopied] = useState<'no' | 'yes' | 'refused'>('no');
  const kept = usedWith === undefined ? secret : `${secret}\n${usedWith}`;
  const copy = async () => setCopied((await copyText(kept)) ? 'yes' : 'refused');
  return (
    <Stack gap="sm">
      <Notice tone="caution" title={`Keep your recovery ${kind}`}>
        {props.about}
      </Notice>
      <section aria-label={`Recovery ${kind}`} className={styles.sheet}>
        <p className={styles.printed}>{props.printed}</p>
        <p className={styles.secret}>{secret}</p>
        {usedWith !== undefined && <SmallPrint style={{ overflowWrap: 'anywhere' }}>{usedWith}</SmallPrint>}
      </section>
      <Group gap="xs">
        <Button variant="default" onClick={() => window.print()}>
          Print
        </Button>
        <Button variant="default" onClick={copy}>
          Copy
        </Button>
        <Status>
          {copied === 'yes' && 'Copied. Paste it into a password manager, not into a file on this computer.'}
          {copied === 'refused' && `Couldn’t copy. Write the ${kind} down.`}
        </Status>
      </Group>
      <Checkbox
        label={`I’ve printed or saved this ${kind}`}
        checked={isKept}
        onChange={(event) => setIsKept(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button disabled={!isKept} onClick={props.onKept}>
          Continue
        </Button>
      </Group>
    </Stack>
  );
}
