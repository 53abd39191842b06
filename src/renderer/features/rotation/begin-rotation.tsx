import { Button, Group, List, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { KeyType } from '../../../contract/ssh-keys.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { keyTypeChoices } from '../../domain/key/key-labels.ts';
import type { Rotation } from './use-rotation.ts';

/** The explanation of a rotation before it begins. */
export function BeginRotation({ rotation, workspace }: { rotation: Rotation; workspace: Workspace }) {
  const [type, setType] = useState<string | null>('same');
  if (workspace.keyId === null) {
    return (
      <Section title="No key to rotate">
        <Stack gap="sm" align="flex-start">
          <Text size="sm">This workspace has no SSH key yet. Make or import a key first.</Text>
          <ButtonLink to="/settings/$section" params={{ section: 'keys' }}>
            Go to keys
          </ButtonLink>
        </Stack>
      </Section>
    );
  }
  return (
    <Section title="Before you begin">
      <Stack gap="sm">
        <List size="sm" spacing={4}>
          <List.Item>Claimdesk makes a new key, and you register it next to the old one.</List.Item>
          <List.Item>
            The workspace switches once the service accepts the new key. The old key still works.
          </List.Item>
          <List.Item>
            When nothing else uses the old key, you delete it at the service. Claimdesk verifies that the
            service refuses it and retires it here.
          </List.Item>
          <List.Item>You can stop at any step and finish later.</List.Item>
        </List>
        <Group align="flex-end" gap="xs">
          <Select
            label="New key type"
            data={[{ value: 'same', label: 'Same as old key' }, ...keyTypeChoices]}
            value={type}
            onChange={setType}
            allowDeselect={false}
          />
          <Button
            loading={rotation.isPending}
            onClick={() => rotation.begin(type === 'same' ? null : (type as KeyType))}
          >
            Start rotation
          </Button>
        </Group>
        <ErrorNotice error={rotation.refusal} title="Couldn’t start the rotation" />
      </Stack>
    </Section>
  );
}
