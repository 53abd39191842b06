import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { tokenHeaderSchema, tokenSchemeSchema, type Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Hint } from '../../components/text.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';

const usual = { header: 'Authorization', scheme: 'SSH-JWT' } as const;

/** The header and scheme of the signed token, as the service's support says. */
export function TokenHeader({ workspace }: { workspace: Workspace }) {
  const update = useDeskMutation('workspaces:update');
  const [header, setHeader] = useState(workspace.header);
  const [scheme, setScheme] = useState(workspace.scheme);
  const isHeaderGood = tokenHeaderSchema.safeParse(header.trim()).success;
  const isSchemeGood = tokenSchemeSchema.safeParse(scheme.trim()).success;
  const isChanged = header.trim() !== workspace.header || scheme.trim() !== workspace.scheme;
  const isUsual = header.trim() === usual.header && scheme.trim() === usual.scheme;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        update.mutate({ workspaceId: workspace.id, header: header.trim(), scheme: scheme.trim() });
      }}
    >
      <Stack gap="sm">
        <Hint>Change this only if support tells you to.</Hint>
        <Group gap="xs" align="flex-start">
          <TextInput
            label="Header"
            spellCheck={false}
            autoComplete="off"
            value={header}
            onChange={(event) => setHeader(event.currentTarget.value)}
            error={
              isHeaderGood ? null : 'Letters, digits, and dashes. Don’t use a header that is already in use.'
            }
            w={260}
          />
          <TextInput
            label="Scheme"
            spellCheck={false}
            autoComplete="off"
            value={scheme}
            onChange={(event) => setScheme(event.currentTarget.value)}
            error={isSchemeGood ? null : 'One word that starts with a letter.'}
            w={260}
          />
        </Group>
        <ErrorNotice error={update.error} />
        <Group gap="xs">
          <Button
            type="submit"
            variant="default"
            disabled={!isHeaderGood || !isSchemeGood || !isChanged}
            loading={update.isPending}
          >
            Save header and scheme
          </Button>
          {!isUsual && (
            <Button
              variant="subtle"
              onClick={() => {
                setHeader(usual.header);
                setScheme(usual.scheme);
              }}
            >
              Reset to default
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
