import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';

const words = 'remove everything';

/** Leaves nothing of this profile on this computer. */
export function RemoveEverything() {
  const [typed, setTyped] = useState('');
  const remove = useDeskMutation('data:removeEverything');
  return (
    <Section title="Remove everything">
      <Stack gap="xs">
        <Text size="sm">
          Permanently deletes every workspace, record, key, note, backup, and setting in this profile, and the
          audit log. The service is not affected: delete your public keys there.
        </Text>
        <Group align="flex-end" gap="xs">
          <TextInput
            label={`Type “${words}” to confirm`}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button
            color="red.9"
            disabled={typed.trim().toLowerCase() !== words}
            loading={remove.isPending}
            onClick={() => remove.mutate({ typed }, { onSuccess: () => setTyped('') })}
          >
            Remove everything
          </Button>
        </Group>
        <ErrorNotice error={remove.error} />
      </Stack>
    </Section>
  );
}
