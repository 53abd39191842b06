import { Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Form } from '../../components/form.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';

/** The address of the service and the account. */
export function AddressStep({ onAdded }: { onAdded: () => void }) {
  const bridge = useBridge();
  const cache = useQueryClient();
  const [baseUrl, setBaseUrl] = useState('');
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  /** Errors are shown once the form was submitted. */
  const [isChecked, setIsChecked] = useState(false);
  const urlError = baseUrl.trim() === '' ? 'Enter the service URL.' : null;
  const emailError = /^\S+@\S+$/.test(email.trim()) ? null : 'Enter your account email.';
  const add = useMutation({
    mutationFn: async () => {
      const workspace = await ask(bridge, 'workspaces:add', {
        baseUrl: baseUrl.trim(),
        email: email.trim(),
        ...(name.trim() === '' ? {} : { name: name.trim() }),
      });
      await ask(bridge, 'workspaces:activate', { workspaceId: workspace.id });
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: keyPrefixes.domain('workspaces') }),
  });
  const submit = () => {
    setIsChecked(true);
    // `onAdded` is not called if the page was left in the meantime.
    if (urlError === null && emailError === null) add.mutate(undefined, { onSuccess: onAdded });
  };
  return (
    <Form onSubmit={submit} noValidate>
      <TextField
        label="Service URL"
        description="From your claims vendor or IT, for example claims.example.com"
        inputMode="url"
        required
        value={baseUrl}
        onChange={setBaseUrl}
        error={isChecked && urlError}
      />
      <TextField
        label="Account email"
        description="The email you use to sign in to the service"
        type="email"
        autoComplete="email"
        required
        value={email}
        onChange={setEmail}
        error={isChecked && emailError}
      />
      <TextField
        label="Workspace name"
        description="Optional. A name to recognize it by, such as the client."
        maxLength={80}
        value={name}
        onChange={setName}
      />
      <ErrorNotice error={add.error} title="Couldn’t add the workspace" />
      <Group justify="flex-end">
        <Button type="submit" loading={add.isPending}>
          Continue
        </Button>
      </Group>
    </Form>
  );
}
