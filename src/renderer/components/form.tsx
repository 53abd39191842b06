import { Button, Group, Stack, type StackProps } from '@mantine/core';
import type { ComponentPropsWithRef, KeyboardEvent } from 'react';
import { beginRest, isSecondClick } from '../lib/presses.ts';

/**
 * A form that is submitted by its button, by Enter, or anywhere in it by Ctrl Enter; a double click submits it once.
 * With `gap` null, `className` lays out its fields.
 */
export function Form(
  props: Omit<ComponentPropsWithRef<'form'>, 'onSubmit'> & {
    gap?: StackProps['gap'] | null;
    onSubmit: () => unknown;
  },
) {
  const { gap = 'sm', onSubmit, onKeyDown, children, ...form } = props;
  return (
    <form
      {...form}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !mayBeForForm(event)) return;
        event.preventDefault();
        event.currentTarget.querySelector<HTMLButtonElement>('button[type="submit"]')?.click();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        // A popover inside a form can contain another form.
        event.stopPropagation();
        if (isSecondClick()) return;
        beginRest();
        onSubmit();
      }}
    >
      {gap === null ? children : <Stack gap={gap}>{children}</Stack>}
    </form>
  );
}

/**
 * A field may have used the key, for example to choose from its list; on another button, the key presses that button.
 */
const mayBeForForm = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented && !(event.target instanceof HTMLButtonElement && event.target.type !== 'submit');

/** The two buttons at the end of a dialog's form. */
export const FormEnd = (props: {
  action: string;
  isReady?: boolean;
  isPending?: boolean;
  onCancel: () => void;
  /** The button that does not act; `Cancel` where absent. */
  cancel?: string | undefined;
  /** The action deletes something. */
  isDestructive?: boolean | undefined;
}) => (
  <Group justify="flex-end" data-dialog-end>
    <Button variant="default" onClick={props.onCancel}>
      {props.cancel ?? 'Cancel'}
    </Button>
    <Button
      type="submit"
      {...(props.isDestructive ? { color: 'red.9' } : {})}
      disabled={props.isReady === false}
      loading={props.isPending === true}
    >
      {props.action}
    </Button>
  </Group>
);
