import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';

/** The address of the service and the account. */
export function AddressStep({ onAdded }: { onAdded: () => void }) {
  const bridge = useBridge();
  const cache = useQueryClient();
  const form = useForm({
    initialValues: { baseUrl: '', email: '', name: '' },
    validate: {
      baseUrl: (value) => (value.trim() === '' ? 'Enter the service URL.' : null),
      email: (value) => (/^\S+@\S+$/.test(value.trim()) ? null : 'Enter your account email.'),
    },
  });
  const add = useMutation({
    mutationFn: async (values: typeof form.values) => {
      const name = values.name.trim();
      const workspace = await ask(bridge, 'workspaces:add', {
        baseUrl: values.baseUrl.trim(),
        email: values.email.trim(),
        ...(name === '' ? {} : { name }),
      });
      await ask(bridge, 'workspaces:activate', { workspaceId: workspace.id });
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: keyPrefixes.domain('workspaces') }),
  });
  // Not called if the page was left meanwhile.
  const submit = form.onSubmit((values) => add.mutate(values, { onSuccess: onAdded }));
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TextInput
          label="Service URL"
          description="From your claims vendor or IT, for example claims.example.com"
          inputMode="url"
          spellCheck={false}
          required
          {...form.getInputProps('baseUrl')}
        />
        <TextInput
          label="Account email"
          description="The email you use to sign in to the service"
          type="email"
          autoComplete="email"
          required
          {...form.getInputProps('email')}
        />
        <TextInput
          label="Workspace name"
          description="Optional. A name to recognize it by, such as the client."
          maxLength={80}
          {...form.getInputProps('name')}
        />
        <ErrorNotice error={add.error} title="Couldn’t add the workspace" />
        <Group justify="flex-end">
          <Button type="submit" loading={add.isPending}>
            Continue
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
