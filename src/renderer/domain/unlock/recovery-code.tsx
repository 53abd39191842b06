import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { Notice } from '../../components/notice.tsx';
import { Status } from '../../components/text.tsx';
import { copyText } from '../../lib/copy-text.ts';
import styles from './recovery-code.module.css';

/** A recovery code, which is shown only once; it is hidden when the person confirms that they stored it. */
export function RecoveryCode({ code, onKept }: { code: string; onKept: () => void }) {
  const [isKept, setIsKept] = useState(false);
  const [copied, setCopied] = useState<'no' | 'yes' | 'refused'>('no');
  return (
    <Stack gap="sm">
      <Notice tone="caution" title="Keep your recovery code">
        This code opens Claimdesk if you forget the passphrase, or on another computer with a copy of the
        profile. It isn’t shown again. Without the passphrase and the code, notes and SSH keys can’t be
        recovered.
      </Notice>
      <section aria-label="Recovery code" className={styles.sheet}>
        <p className={styles.printed}>Claimdesk recovery code. Keep it away from the computer.</p>
        <p className={styles.code}>{code}</p>
      </section>
      <Group gap="xs">
        <Button variant="default" onClick={() => window.print()}>
          Print
        </Button>
        <Button variant="default" onClick={async () => setCopied((await copyText(code)) ? 'yes' : 'refused')}>
          Copy
        </Button>
        <Status>
          {copied === 'yes' && 'Copied. Paste it into a password manager, not into a file on this computer.'}
          {copied === 'refused' && 'Couldn’t copy. Write the code down.'}
        </Status>
      </Group>
      <Checkbox
        label="I’ve printed or saved this code"
        checked={isKept}
        onChange={(event) => setIsKept(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button disabled={!isKept} onClick={onKept}>
          Continue
        </Button>
      </Group>
    </Stack>
  );
}
