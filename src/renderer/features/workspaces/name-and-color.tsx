import { Button, Group, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { type Workspace, workspaceColors } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Form } from '../../components/form.tsx';
import { TextField } from '../../components/text-field.tsx';
import { WorkspaceDot } from '../../domain/workspace/workspace-dot.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { nameColor } from './color-names.ts';

/** Name and color of a workspace. */
export function NameAndColor({ workspace }: { workspace: Workspace }) {
  const update = useDeskMutation('workspaces:update');
  const [name, setName] = useState(workspace.name);
  const [color, setColor] = useState<string>(workspace.color);
  const chosen = workspaceColors.find((known) => known === color) ?? workspace.color;
  const isChanged = name.trim() !== workspace.name || chosen !== workspace.color;
  return (
    <Form
      onSubmit={() => update.mutate({ workspaceId: workspace.id, name: name.trim(), color: chosen })}
      gap={null}
    >
      <Stack gap="sm" align="flex-start">
        <TextField label="Name" maxLength={80} w="100%" maw={340} value={name} onChange={setName} />
        <Radio.Group label="Color" value={color} onChange={setColor}>
          <Group gap="md" mt={4}>
            {workspaceColors.map((known) => (
              <Radio
                key={known}
                value={known}
                label={
                  <>
                    <WorkspaceDot color={known} /> {nameColor(known)}
                  </>
                }
              />
            ))}
          </Group>
        </Radio.Group>
        <ErrorNotice error={update.error} />
        <Button
          type="submit"
          variant="default"
          disabled={name.trim() === '' || !isChanged}
          loading={update.isPending}
        >
          Save name and color
        </Button>
      </Stack>
    </Form>
  );
}
