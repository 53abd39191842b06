import { Button, Group, Radio, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import type { ConnectHeaders, ConnectSettings } from '../../../contract/connect-settings.ts';
import { isSameJson } from '../../../rules/review/same-value.ts';
import { Details } from '../../components/details.tsx';
import { ErrorNotice, NotLoaded } from '../../components/error-notice.tsx';
import { Form } from '../../components/form.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Hint, Status } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { WorkspaceSection } from '../../domain/workspace/workspace-section.tsx';
import { useWorkspaceMutation, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import styles from './connect.module.css';
import {
  headerLabels,
  headerNames,
  readSettings,
  type SettingsValues,
  usualHeaders,
  valuesOf,
} from './settings-values.ts';
import { RemoveSecretKey, TokenAndKeyForm } from './token-and-key-form.tsx';

/** Settings that few integrations need; saved together, so that no change is partial. */
function OtherSettingsForm({ kept }: { kept: ConnectSettings }) {
  const save = useWorkspaceMutation('connect:saveSettings');
  const [edited, setEdited] = useState<Partial<SettingsValues>>({});
  const values = { ...valuesOf(kept), ...edited };
  const { change, errors } = readSettings(values, kept);
  const set = (part: Partial<SettingsValues>) => setEdited((before) => ({ ...before, ...part }));
  const textInput = (name: 'tenantLabel' | 'tenantKey', label: string, hint: string) => (
    <TextField
      label={label}
      description={hint}
      value={values[name]}
      onChange={(typed) => set({ [name]: typed })}
      error={errors[name]}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    />
  );
  const submit = () => {
    if (change !== null) save.mutate({ ...change }, { onSuccess: () => setEdited({}) });
  };
  return (
    <Form autoComplete="off" onSubmit={submit} gap="md">
      <div className={styles.two}>
        {textInput('tenantLabel', 'Tenant label', 'Only where the token spans several tenants.')}
        {textInput('tenantKey', 'Tenant key', 'The tenant’s key in your system.')}
      </div>
      <Switch
        label="Demo data"
        description="The service answers with fictional members and carriers. A bar on every page says so."
        checked={values.isDemo}
        onChange={(event) => set({ isDemo: event.currentTarget.checked })}
      />
      <Radio.Group
        label="Base address"
        value={values.base}
        onChange={(base) => set({ base: base === 'legacy' ? 'legacy' : 'current' })}
      >
        <Group gap="lg" mt={4}>
          <Radio value="current" label="Current: /connect/v1" />
          <Radio value="legacy" label="Legacy: /sdk-api, with the old spellings" />
        </Group>
      </Radio.Group>
      <Radio.Group
        label="How a correction names its connection"
        value={values.correction}
        onChange={(correction) => set({ correction: correction === 'body' ? 'body' : 'path' })}
      >
        <Group gap="lg" mt={4}>
          <Radio value="path" label="In the address" />
          <Radio value="body" label="In the request" />
        </Group>
      </Radio.Group>
      <HeaderNames headers={values.headers} errors={errors} onChange={(headers) => set({ headers })} />
      <ErrorNotice error={save.error} title="Couldn’t save the settings" />
      <Group gap="sm">
        <Button type="submit" variant="default" disabled={change === null} loading={save.isPending}>
          Save other settings
        </Button>
        {save.isSuccess && change === null && <Status>Saved.</Status>}
      </Group>
    </Form>
  );
}

/** The names of request headers, which can differ between deployments. */
function HeaderNames(props: {
  headers: ConnectHeaders;
  errors: Readonly<Record<string, string>>;
  onChange: (headers: ConnectHeaders) => void;
}) {
  const isUsual = isSameJson(props.headers, usualHeaders);
  const [isOpen, setIsOpen] = useState(!isUsual);
  return (
    <Stack gap="xs" align="flex-start">
      <SmallButton aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? 'Hide the names of headers' : 'Names of headers…'}
      </SmallButton>
      {isOpen && (
        <Stack gap="xs" w="100%">
          <Hint>Change these only if the service’s support says so.</Hint>
          <div className={styles.two}>
            {headerNames.map((name) => (
              <TextField
                key={name}
                label={headerLabels[name]}
                value={props.headers[name]}
                onChange={(typed) => props.onChange({ ...props.headers, [name]: typed })}
                error={props.errors[name]}
              />
            ))}
          </div>
          {!isUsual && (
            <SmallButton
              variant="subtle"
              style={{ alignSelf: 'flex-start' }}
              onClick={() => props.onChange(usualHeaders)}
            >
              As usual
            </SmallButton>
          )}
        </Stack>
      )}
    </Stack>
  );
}

/** The Connect settings of a workspace: what a vendor provides, the others folded. */
export const IntegrationSettings = () => (
  <WorkspaceSection about="Connect adds members and manages their carrier logins. Your service issues a public token and a secret key for it; each workspace has its own.">
    {(workspace) => <Integration key={workspace.id} />}
  </WorkspaceSection>
);

function Integration() {
  const workspace = useWorkspace();
  const settings = useWorkspaceQuery('connect:getSettings');
  if (settings.error !== null || settings.data === undefined)
    return <NotLoaded query={settings} what="the integration settings" />;
  return (
    <Stack gap="lg">
      {workspace.isSample && (
        <Text size="sm">Already set up: the sample service issued a public token and a secret key.</Text>
      )}
      <TokenAndKeyForm kept={settings.data} isGiven={workspace.isSample} />
      <Details summary="Other settings">
        <Stack gap="md">
          <OtherSettingsForm kept={settings.data} />
          {settings.data.hasSecret && !workspace.isSample && <RemoveSecretKey />}
        </Stack>
      </Details>
    </Stack>
  );
}
