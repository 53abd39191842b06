import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { NumberSetting } from '../../components/number-setting.tsx';
import { PassphraseField } from '../../components/passphrase-fields.tsx';
import { Hint } from '../../components/text.tsx';
import { RecoveryCode } from '../../domain/unlock/recovery-code.tsx';
import { SetPassphrase } from '../../domain/unlock/set-passphrase.tsx';
import { useAppActions } from '../../lib/app-actions.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { spellKeys } from '../../lib/shortcuts.ts';
import { useSecretCall } from '../../lib/use-secret-call.ts';

type Shown = { kind: 'none' | 'set' | 'remove' | 'renew' } | { kind: 'code'; code: string };

/** The unlock passphrase and the recovery code: set, change, remove, make another. */
function UnlockSettings() {
  const state = useDeskQuery('unlock:getState', {});
  const { requireUnlockPassphrase } = useDeskQuery('app:getInfo', {}).data?.policy ?? {};
  const [shown, setShown] = useState<Shown>({ kind: 'none' });
  if (state.error !== null) return <ErrorNotice error={state.error} />;
  if (state.data === undefined) return null;
  const { hasPassphrase, hasRecoveryCode, isPassphraseShort } = state.data;
  const close = () => setShown({ kind: 'none' });
  const cancel = (
    <Button variant="subtle" onClick={close}>
      Cancel
    </Button>
  );
  return (
    <Stack gap="sm">
      <Text fw={600}>Unlock passphrase</Text>
      <Text size="sm">{describeUnlock(hasPassphrase, hasRecoveryCode)}</Text>
      {isPassphraseShort && (
        <Notice tone="caution" title="Change your passphrase">
          It has fewer than 12 characters.
        </Notice>
      )}
      {shown.kind === 'none' && (
        <Group gap="xs">
          <Button variant="default" onClick={() => setShown({ kind: 'set' })}>
            {hasPassphrase ? 'Change passphrase' : 'Set passphrase'}
          </Button>
          {hasPassphrase && (
            <>
              <Button variant="default" onClick={() => setShown({ kind: 'renew' })}>
                {hasRecoveryCode ? 'New recovery code' : 'Make recovery code'}
              </Button>
              {requireUnlockPassphrase !== true && (
                <Button variant="default" onClick={() => setShown({ kind: 'remove' })}>
                  Remove passphrase
                </Button>
              )}
            </>
          )}
        </Group>
      )}
      {shown.kind === 'set' && (
        <SetPassphrase
          hasPassphrase={hasPassphrase}
          onSet={(code) => (code === null ? close() : setShown({ kind: 'code', code }))}
          beside={cancel}
        />
      )}
      {shown.kind === 'renew' && (
        <ConfirmRenewal
          hasRecoveryCode={hasRecoveryCode}
          onMade={(code) => setShown({ kind: 'code', code })}
          beside={cancel}
        />
      )}
      {shown.kind === 'remove' && (
        <ConfirmRemoval hasRecoveryCode={hasRecoveryCode} onRemoved={close} beside={cancel} />
      )}
      {shown.kind === 'code' && <RecoveryCode code={shown.code} onKept={close} />}
    </Stack>
  );
}

/** The ways to unlock this profile, and what is lost with each. */
export function describeUnlock(hasPassphrase: boolean, hasRecoveryCode: boolean): string {
  const lost = 'notes and SSH keys';
  if (hasPassphrase)
    return `Claimdesk asks for your passphrase when it starts and when it unlocks. ${
      hasRecoveryCode
        ? `Without the passphrase and the recovery code, ${lost} can’t be recovered.`
        : `There is no recovery code: without the passphrase, ${lost} can’t be recovered.`
    }`;
  return `No passphrase is set: anyone who is signed in to your computer account can unlock Claimdesk. ${
    hasRecoveryCode
      ? `If your keychain is lost, only the recovery code opens this profile: without it, ${lost} are lost.`
      : `If your keychain is lost, ${lost} are lost with it.`
  }`;
}

function ConfirmRemoval(props: { hasRecoveryCode: boolean; onRemoved: () => void; beside: ReactNode }) {
  const { onRemoved, beside } = props;
  const remove = useSecretCall('unlock:removePassphrase');
  return (
    <WithPassphrase
      text={`Your keychain will open Claimdesk again, without asking you.${props.hasRecoveryCode ? ' The recovery code stays valid.' : ''}`}
      action="Remove passphrase"
      isPending={remove.isPending}
      error={remove.error}
      beside={beside}
      onSubmit={async (current) => {
        if ((await remove.call({ current })) !== null) onRemoved();
      }}
    />
  );
}

function ConfirmRenewal(props: {
  hasRecoveryCode: boolean;
  onMade: (code: string) => void;
  beside: ReactNode;
}) {
  const { onMade, beside } = props;
  const renew = useSecretCall('unlock:renewRecoveryCode');
  return (
    <WithPassphrase
      text={
        props.hasRecoveryCode
          ? 'The old recovery code stops working.'
          : 'The recovery code opens this profile if you forget the passphrase.'
      }
      action="Make recovery code"
      isPending={renew.isPending}
      error={renew.error}
      beside={beside}
      onSubmit={async (current) => {
        const made = await renew.call({ current });
        if (made !== null) onMade(made.recoveryCode);
      }}
    />
  );
}

function WithPassphrase(props: {
  text: string;
  action: string;
  isPending: boolean;
  error: unknown;
  beside: ReactNode;
  onSubmit: (current: string) => Promise<void>;
}) {
  const [current, setCurrent] = useState('');
  return (
    <Form onSubmit={() => props.onSubmit(current)}>
      <Text size="sm">{props.text}</Text>
      <PassphraseField
        label="Current passphrase"
        autoComplete="current-password"
        value={current}
        onChange={setCurrent}
        show="Show current passphrase"
      />
      <ErrorNotice error={props.error} />
      <Group justify="flex-end">
        {props.beside}
        <Button type="submit" disabled={current === ''} loading={props.isPending}>
          {props.action}
        </Button>
      </Group>
    </Form>
  );
}

/** When the desk locks, and locking it now. */
export function PrivacySettings() {
  const { maxLockMinutes } = useDeskQuery('app:getInfo', {}).data?.policy ?? {};
  const { lockNow } = useAppActions();
  return (
    <Stack gap="md">
      <NumberSetting
        name="lockAfterMinutes"
        label="Lock after inactivity (minutes)"
        description={`1 to ${maxLockMinutes ?? 60}${maxLockMinutes === undefined ? '' : ' (set by your IT)'}. No records are held in memory while locked.`}
        min={1}
        max={maxLockMinutes ?? 60}
      />
      <Group gap="xs">
        <Button variant="default" onClick={lockNow}>
          Lock now
        </Button>
        <Hint>or press {spellKeys('Ctrl Shift L', navigator.platform)}</Hint>
      </Group>
      <UnlockSettings />
      <Hint>Social Security numbers are masked everywhere. Claimdesk collects no usage data.</Hint>
    </Stack>
  );
}
