import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { readTemplates, useNoteTemplates, usualTemplates } from '../../domain/review/note-templates.ts';

/** The texts under Templates beside a new note. */
export function NoteTemplatesForm({ workspaceId }: { workspaceId: string }) {
  const { texts, isReady, isSaving, error, save } = useNoteTemplates(workspaceId);
  const saved = texts.join('\n');
  const [typed, setTyped] = useState(saved);
  useEffect(() => setTyped(saved), [saved]);
  const wanted = readTemplates(typed);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save(wanted);
      }}
    >
      <Stack gap="xs">
        <Textarea
          label="Note templates"
          description="One per line. They stay on this computer, encrypted, and aren’t part of a hand-over."
          autosize
          minRows={3}
          maxRows={12}
          maxLength={20_000}
          disabled={!isReady}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Group gap="xs">
          <Button
            type="submit"
            variant="default"
            aria-label="Save note templates"
            disabled={!isReady || wanted.join('\n') === saved}
            loading={isSaving}
          >
            Save
          </Button>
          {saved !== usualTemplates.join('\n') && (
            <Button variant="subtle" onClick={() => save(usualTemplates)}>
              Restore default templates
            </Button>
          )}
        </Group>
        {error !== null && <ErrorNotice error={error} title="Couldn’t save the note templates" />}
      </Stack>
    </form>
  );
}
