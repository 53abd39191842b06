import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import type { ConnectSettings } from '../../../contract/connect-settings.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Form } from '../../components/form.tsx';
import { PassphraseField } from '../../components/passphrase-fields.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Status } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useWorkspaceMutation } from '../../lib/desk-query.ts';
import { useWorkspaceSecret } from '../../lib/use-secret-call.ts';
import { readSettings, valuesOf } from './settings-values.ts';

/**
 * Saves and tests the public token and the secret key from a vendor with one button. The key is sent inward once and is
 * cleared from the page before the answer.
 */
export function TokenAndKeyForm(props: {
  kept: ConnectSettings;
  /** The key is the sample’s own, which can be neither entered nor removed. */
  isGiven: boolean;
}) {
  const { kept, isGiven } = props;
  const [token, setToken] = useState<string | null>(null);
  const [secret, setSecret] = useState('');
  const [isSaved, setIsSaved] = useState(false);
  const save = useWorkspaceSecret('connect:saveSettings');
  const mint = useWorkspaceMutation('connect:mint');
  const values = { ...valuesOf(kept), ...(token === null ? {} : { publicToken: token }) };
  const { change, errors } = readSettings(values, kept);
  const secretKey = secret.trim();
  const isWrong = errors.publicToken !== undefined;
  const isEdited = !isWrong && (change !== null || secretKey !== '');
  const canTest = values.publicToken.trim() !== '' && (kept.hasSecret || secretKey !== '');
  const forget = () => {
    setIsSaved(false);
    mint.reset();
    save.reset();
  };
  const submit = async () => {
    forget();
    if (isEdited) {
      setSecret('');
      const saved = await save.call({ ...change, ...(secretKey === '' ? {} : { secretKey }) });
      if (saved === null) return;
      setToken(null);
      setIsSaved(true);
    }
    if (canTest) mint.mutate({});
  };
  return (
    <Form autoComplete="off" onSubmit={() => (isEdited || (canTest && !isWrong)) && submit()} gap={null}>
      <Stack gap="sm" maw={460}>
        <TextField
          label="Public token"
          description="Identifies your integration. It isn’t a secret."
          value={values.publicToken}
          onChange={(typed) => {
            forget();
            setToken(typed);
          }}
          error={errors.publicToken}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        {!isGiven && (
          <PassphraseField
            label="Secret key"
            autoComplete="off"
            spellCheck={false}
            description={
              kept.hasSecret
                ? 'Saved with your other secrets and never shown again. A new one replaces it.'
                : 'Connections can’t be listed without it. It is never shown again.'
            }
            placeholder={kept.hasSecret ? 'Saved' : ''}
            value={secret}
            onChange={(typed) => {
              forget();
              setSecret(typed);
            }}
            show="Show secret key as typed"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
        )}
        <ErrorNotice error={save.error} title="Couldn’t save the settings" />
        <ErrorNotice error={mint.error} title="The token or the key doesn’t work" />
        <Group gap="sm">
          <Button
            type="submit"
            variant={isEdited ? 'filled' : 'default'}
            disabled={isWrong || !(isEdited || canTest)}
            loading={save.isPending || mint.isPending}
          >
            {!canTest ? 'Save' : isEdited ? 'Save and test' : 'Test token and key'}
          </Button>
          {(mint.isSuccess || isSaved) && (
            <Status>
              {[
                isSaved && 'Saved.',
                mint.isSuccess && 'The service accepts the public token and the secret key.',
              ]
                .filter(Boolean)
                .join(' ')}
            </Status>
          )}
        </Group>
      </Stack>
    </Form>
  );
}

/** Removes the secret key from this computer; the service still knows it. */
export function RemoveSecretKey() {
  const save = useWorkspaceMutation('connect:saveSettings');
  return (
    <Stack gap="xs" align="flex-start">
      <SmallButton loading={save.isPending} onClick={() => save.mutate({ secretKey: null })}>
        Remove secret key
      </SmallButton>
      <ErrorNotice error={save.error} title="Couldn’t remove the secret key" />
    </Stack>
  );
}
