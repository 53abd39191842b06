import { Button, Group, Radio, Stack, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ConnectSettings } from '../../../contract/connect-settings.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Status } from '../../components/text.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
import styles from './connect.module.css';
import { HeaderNames } from './header-names.tsx';
import { readSettings, type SettingsValues, valuesOf } from './settings-values.ts';

/** What few integrations need; saved together, so that no change is partial. */
export function OtherSettingsForm({ workspaceId, kept }: { workspaceId: string; kept: ConnectSettings }) {
  const save = useDeskMutation('connect:saveSettings');
  const [edited, setEdited] = useState<Partial<SettingsValues>>({});
  const values = { ...valuesOf(kept), ...edited };
  const { change, errors } = readSettings(values, kept);
  const set = (part: Partial<SettingsValues>) => setEdited((before) => ({ ...before, ...part }));
  const textInput = (name: 'tenantLabel' | 'tenantKey', label: string, hint: string) => (
    <TextInput
      label={label}
      description={hint}
      spellCheck={false}
      autoComplete="off"
      value={values[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
      error={errors[name]}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    />
  );
  const submit = () => {
    if (change !== null) save.mutate({ workspaceId, ...change }, { onSuccess: () => setEdited({}) });
  };
  return (
    <form
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="md">
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
          <Button type="submit" disabled={change === null} loading={save.isPending}>
            Save other settings
          </Button>
          {save.isSuccess && change === null && <Status>Saved.</Status>}
        </Group>
      </Stack>
    </form>
  );
}
