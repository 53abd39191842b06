import { Button, Code, List, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ErrorReport } from '../../../contract/result.ts';
import type { KeyProof, SshKey } from '../../../contract/ssh-keys.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { Details } from '../../components/details.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Notice } from '../../components/notice.tsx';
import { Hint, Status } from '../../components/text.tsx';
import { reportOf } from '../../lib/desk-error.ts';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { formatWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { describeOffset } from './key-labels.ts';
import { OpenKeyPage } from './open-key-page.tsx';
import { PublicKey } from './public-key.tsx';

/** Registration at the service: copy the key, open the page, and check it with one signed request. */
export function Registration(props: {
  workspace: Workspace;
  sshKey: SshKey;
  /** Set where the same page already shows the public key. */
  hidesKey?: boolean;
}) {
  const { workspace, sshKey } = props;
  const check = useDeskMutation('keys:check');
  const isProvenNow = check.data?.keyId === sshKey.id;
  const lastEndedMs = useRef<number | null>(null);
  const [isByItself, setIsByItself] = useState(false);
  const verify = (byItself: boolean) => {
    setIsByItself(byItself);
    check.mutate(
      { workspaceId: workspace.id, keyId: sshKey.id },
      {
        onSettled: () => {
          lastEndedMs.current = Date.now();
        },
      },
    );
  };
  const lastCode = check.error === null ? null : reportOf(check.error).code;
  useReturn(() => {
    const facts = {
      isProven: sshKey.provenAt !== null || isProvenNow,
      isChecking: check.isPending,
      lastCode,
      lastEndedMs: lastEndedMs.current,
      nowMs: Date.now(),
    };
    if (verifiesOnReturn(facts)) verify(true);
  });
  const isAwaited = isByItself && lastCode === 'service.unauthorized';
  return (
    <Stack gap="sm">
      <List type="ordered" size="sm" spacing={4}>
        <List.Item>Copy the public key and open the service’s SSH keys page.</List.Item>
        <List.Item>Sign in as {workspace.email}, paste the key, and save it.</List.Item>
        <List.Item>Come back. Claimdesk verifies the key by itself.</List.Item>
      </List>
      {props.hidesKey !== true && <PublicKey sshKey={sshKey} foldsFingerprint />}
      <OpenKeyPage workspace={workspace} copies={sshKey}>
        {workspace.isSample && <FillSamplePage sshKey={sshKey} />}
        <Button variant="default" onClick={() => verify(false)} loading={check.isPending}>
          Verify key
        </Button>
      </OpenKeyPage>
      {isAwaited && (
        <Hint role="status">
          The service doesn’t accept this key yet. Claimdesk tries again when you come back to this window.
        </Hint>
      )}
      {check.error !== null && !isAwaited && (
        <ErrorNotice
          error={check.error}
          title="The service didn’t accept the key"
          action={
            <AnchorLink
              to="/settings/$section"
              params={{ section: 'doctor' }}
              search={{ workspaceId: workspace.id }}
            >
              Run connection check
            </AnchorLink>
          }
        />
      )}
      {isProvenNow && check.data !== undefined && <Proven proof={check.data} workspace={workspace} />}
    </Stack>
  );
}

/** The result of one signed request, with its time. */
function Proven({ proof, workspace }: { proof: KeyProof; workspace: Workspace }) {
  const now = useNow();
  return (
    <Notice tone="good" role="status" title="Key verified">
      <Text size="sm">
        {workspace.name} accepted a request signed by {workspace.email}, {formatWhen(proof.provenAt, now)}.{' '}
        {describeOffset(proof.clockOffsetSeconds)}
      </Text>
      {proof.requestId !== null && (
        <Details>
          Request ID <Code>{proof.requestId}</Code>
        </Details>
      )}
    </Notice>
  );
}

/** The sample's page is on this computer, so the app can register the key there. */
function FillSamplePage({ sshKey }: { sshKey: SshKey }) {
  const fill = useDeskMutation('sample:registerKey');
  const [filledId, setFilledId] = useState<string | null>(null);
  return (
    <>
      <Button
        variant="default"
        loading={fill.isPending}
        onClick={() => fill.mutate({ keyId: sshKey.id }, { onSuccess: () => setFilledId(sshKey.id) })}
      >
        Register on sample page
      </Button>
      {filledId === sshKey.id && <Status>The key is registered on the sample page.</Status>}
      <ErrorNotice error={fill.error} />
    </>
  );
}

/**
 * The shortest time between two checks: focus and visibility are separate events, and a window may get the focus
 * often.
 */
const minGapMs = 5000;

/**
 * Returns whether a return to the window checks the key: it is not verified yet, no request is running or
 * ended within five seconds, and the last one failed only because the service did not know the key, which
 * registering it changes. After other errors (a declined question, a certificate) the user starts the check.
 */
export function verifiesOnReturn(facts: {
  readonly isProven: boolean;
  readonly isChecking: boolean;
  readonly lastCode: ErrorReport['code'] | null;
  /** When the last request ended; null: there was none. */
  readonly lastEndedMs: number | null;
  readonly nowMs: number;
}): boolean {
  if (facts.isProven || facts.isChecking) return false;
  if (facts.lastCode !== null && facts.lastCode !== 'service.unauthorized') return false;
  return facts.lastEndedMs === null || facts.nowMs - facts.lastEndedMs >= minGapMs;
}

/** Calls `onReturn` when the user returns to the window: it gets the focus, or becomes visible. */
function useReturn(onReturn: () => void): void {
  const latest = useRef(onReturn);
  latest.current = onReturn;
  useEffect(() => {
    const report = () => {
      if (document.visibilityState === 'visible') latest.current();
    };
    window.addEventListener('focus', report);
    document.addEventListener('visibilitychange', report);
    return () => {
      window.removeEventListener('focus', report);
      document.removeEventListener('visibilitychange', report);
    };
  }, []);
}
