import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';

/** A list that is edited as text, one entry a line. */
export function LinesForm(props: {
  /** In the middle of a sentence. */
  what: string;
  label: string;
  description: string;
  lines: readonly string[];
  /** The entries of what was typed. */
  read: (typed: string) => string[];
  isReady: boolean;
  isSaving: boolean;
  error: unknown;
  onSave: (lines: readonly string[]) => void;
  /** Null: it is the default list. */
  onRestore: (() => void) | null;
  restore: string;
}) {
  const saved = props.lines.join('\n');
  const [typed, setTyped] = useState(saved);
  useEffect(() => setTyped(saved), [saved]);
  const wanted = props.read(typed);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        props.onSave(wanted);
      }}
    >
      <Stack gap="xs">
        <Textarea
          label={props.label}
          description={props.description}
          autosize
          minRows={3}
          maxRows={12}
          maxLength={20_000}
          disabled={!props.isReady}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Group gap="xs">
          <Button
            type="submit"
            variant="default"
            aria-label={`Save ${props.what}`}
            disabled={!props.isReady || wanted.join('\n') === saved}
            loading={props.isSaving}
          >
            Save
          </Button>
          {props.onRestore !== null && (
            <Button variant="subtle" onClick={props.onRestore}>
              {props.restore}
            </Button>
          )}
        </Group>
        <ErrorNotice error={props.error} title={`Couldn’t save the ${props.what}`} />
      </Stack>
    </form>
  );
}
