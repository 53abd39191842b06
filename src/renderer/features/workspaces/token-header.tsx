import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { tokenHeaderSchema, tokenSchemeSchema, type Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Form } from '../../components/form.tsx';
import { Hint } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
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
    <Form
      onSubmit={() =>
        update.mutate({ workspaceId: workspace.id, header: header.trim(), scheme: scheme.trim() })
      }
    >
      <Hint>Change this only if support tells you to.</Hint>
      <Group gap="xs" align="flex-start">
        <TextField
          label="Header"
          value={header}
          onChange={setHeader}
          error={
            isHeaderGood ? null : 'Letters, digits, and dashes. Don’t use a header that is already in use.'
          }
          w={260}
        />
        <TextField
          label="Scheme"
          value={scheme}
          onChange={setScheme}
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
    </Form>
  );
}
