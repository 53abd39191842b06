import { Button, Group, List, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { KeyType, Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { keyTypeChoices } from '../../lib/key-words.ts';
import type { Rotation } from './use-rotation.ts';

/** What a rotation is, before it begins. */
export function BeginRotation({ rotation, workspace }: { rotation: Rotation; workspace: Workspace }) {
  const [type, setType] = useState<string | null>('same');
  if (workspace.keyId === null) {
    return (
      <Section title="There is no key to rotate">
        <Stack gap="sm" align="flex-start">
          <Text size="sm">This workspace has no SSH key yet. Make or import one first.</Text>
          <ButtonLink to="/settings/$section" params={{ section: 'keys' }}>
            Go to the keys
          </ButtonLink>
        </Stack>
      </Section>
    );
  }
  return (
    <Section title="Before it begins">
      <Stack gap="sm">
        <List size="sm" spacing={4}>
          <List.Item>A new key is made here and you register it beside the old one.</List.Item>
          <List.Item>
            Only when the service has accepted the new key does the workspace switch to it. The old one works
            on.
          </List.Item>
          <List.Item>
            When no other program uses the old key, you delete it at the service; Claimdesk proves that it is
            refused there, and retires it here.
          </List.Item>
          <List.Item>You can stop in between and go on later, on another day too.</List.Item>
        </List>
        <Group align="flex-end" gap="xs">
          <Select
            label="Type of the new key"
            data={[{ value: 'same', label: 'As the old one' }, ...keyTypeChoices]}
            value={type}
            onChange={setType}
            allowDeselect={false}
          />
          <Button
            loading={rotation.isPending}
            onClick={() => rotation.begin(type === 'same' ? null : (type as KeyType))}
          >
            Begin the rotation
          </Button>
        </Group>
        {rotation.refusal !== null && (
          <ErrorNotice error={rotation.refusal} title="The rotation did not begin" />
        )}
      </Stack>
    </Section>
  );
}
