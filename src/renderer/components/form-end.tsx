import { Button, Group } from '@mantine/core';

/** The two buttons at the end of a dialog's form. */
export function FormEnd(props: {
  action: string;
  isReady: boolean;
  isPending: boolean;
  onCancel: () => void;
  /** The action deletes something. */
  isDestructive?: boolean;
}) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={props.onCancel}>
        Cancel
      </Button>
      <Button
        type="submit"
        {...(props.isDestructive ? { color: 'red.9' } : {})}
        disabled={!props.isReady}
        loading={props.isPending}
      >
        {props.action}
      </Button>
    </Group>
  );
}
