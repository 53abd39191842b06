import { Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Form } from '../../components/form.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';
import { WorkspaceNameField } from './workspace-name-field.tsx';

/** A required text and its error, which the field shows if `isChecked`. */
function useRequiredField(isChecked: boolean, check: (text: string) => string | null) {
  const [value, onChange] = useState('');
  const text = value.trim();
  const problem = check(text);
  return { text, problem, field: { required: true, value, onChange, error: isChecked && problem } };
}

/** The address of the service and the account. */
export function AddressStep({ onAdded }: { onAdded: () => void }) {
  const bridge = useBridge();
  const cache = useQueryClient();
  /** Errors are shown once the form was submitted. */
  const [isChecked, setIsChecked] = useState(false);
  const address = useRequiredField(isChecked, (text) => (text === '' ? 'Enter the service URL.' : null));
  const account = useRequiredField(isChecked, (text) =>
    /^\S+@\S+$/.test(text) ? null : 'Enter your account email.',
  );
  const [name, setName] = useState('');
  const add = useMutation({
    mutationFn: async () => {
      const workspace = await ask(bridge, 'workspaces:add', {
        baseUrl: address.text,
        email: account.text,
        ...(name.trim() === '' ? {} : { name: name.trim() }),
      });
      await ask(bridge, 'workspaces:activate', { workspaceId: workspace.id });
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: keyPrefixes.domain('workspaces') }),
  });
  const submit = () => {
    setIsChecked(true);
    // `onAdded` is not called if the page was left in the meantime.
    if (address.problem === null && account.problem === null) add.mutate(undefined, { onSuccess: onAdded });
  };
  return (
    <Form onSubmit={submit} noValidate>
      <TextField
        label="Service URL"
        description="From your claims vendor or IT, for example claims.example.com"
        inputMode="url"
        {...address.field}
      />
      <TextField
        label="Account email"
        description="The email you use to sign in to the service"
        type="email"
        autoComplete="email"
        {...account.field}
      />
      <WorkspaceNameField value={name} onChange={setName} />
      <ErrorNotice error={add.error} title="Couldn’t add the workspace" />
      <Group justify="flex-end">
        <Button type="submit" loading={add.isPending}>
          Continue
        </Button>
      </Group>
    </Form>
  );
}
