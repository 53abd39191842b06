import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { useState } from 'react';
import type { ConnectSettings } from '../../../contract/connect-views.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { useSecretCall } from '../../lib/use-secret-call.ts';

/** The secret key is sent inward once and never shown again: it can be set, replaced, tested and removed. */
export function SecretKey(props: {
  workspaceId: string;
  settings: ConnectSettings;
  /** The sample’s own key, which nobody enters or removes. */
  isGiven: boolean;
}) {
  const { workspaceId, settings, isGiven } = props;
  const [isReplacing, setIsReplacing] = useState(false);
  const [typed, setTyped] = useState('');
  const save = useSecretCall('connect:saveSettings');
  const mint = useDeskMutation('connect:mint');
  const { hasSecret } = settings;
  const isTyping = isReplacing || (!hasSecret && !isGiven);
  const leave = () => {
    setTyped('');
    setIsReplacing(false);
  };
  const change = async (secretKey: string | null) => {
    setTyped('');
    mint.reset();
    if ((await save.call({ workspaceId, secretKey })) !== null) leave();
  };
  return (
    <section aria-labelledby="secret-key">
      <Stack gap="xs">
        <Text id="secret-key" component="h3" fw={600} size="sm">
          Secret key
        </Text>
        <Group gap={6} wrap="nowrap">
          {hasSecret ? <IconCircleCheck size={16} aria-hidden /> : <IconCircleDashed size={16} aria-hidden />}
          <Text size="sm">
            {hasSecret
              ? 'A secret key is saved with your other secrets. It is never shown again.'
              : 'No secret key yet. Connections can’t be listed without it.'}
          </Text>
        </Group>
        {isTyping && (
          <form
            autoComplete="off"
            onSubmit={(event) => {
              event.preventDefault();
              if (typed.trim() !== '') void change(typed.trim());
            }}
          >
            <Group align="flex-end" gap="xs">
              <PasswordInput
                label={hasSecret ? 'New secret key' : 'Secret key'}
                autoComplete="off"
                spellCheck={false}
                autoFocus={isReplacing}
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
                visibilityToggleButtonProps={{ 'aria-label': 'Show secret key as typed' }}
                w={340}
                maw="100%"
              />
              <Button type="submit" disabled={typed.trim() === ''} loading={save.isPending}>
                Save secret key
              </Button>
              {isReplacing && (
                <Button variant="default" onClick={leave}>
                  Cancel
                </Button>
              )}
            </Group>
          </form>
        )}
        {!isTyping && (
          <Group gap="xs">
            {!isGiven && (
              <Button variant="default" size="compact-sm" onClick={() => setIsReplacing(true)}>
                Replace secret key…
              </Button>
            )}
            {hasSecret && (
              <Button
                variant="default"
                size="compact-sm"
                loading={mint.isPending}
                onClick={() => mint.mutate({ workspaceId })}
              >
                Test token and key
              </Button>
            )}
            {hasSecret && !isGiven && (
              <Button
                variant="default"
                size="compact-sm"
                loading={save.isPending}
                onClick={() => void change(null)}
              >
                Remove secret key
              </Button>
            )}
          </Group>
        )}
        {mint.isSuccess && (
          <Text size="sm" role="status">
            The service accepts the public token and the secret key.
          </Text>
        )}
        {mint.error !== null && <ErrorNotice error={mint.error} title="The token or the key doesn’t work" />}
        {save.error !== null && <ErrorNotice error={save.error} title="Couldn’t save the secret key" />}
      </Stack>
    </section>
  );
}
