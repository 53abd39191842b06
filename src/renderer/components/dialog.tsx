import { Button, type ButtonProps, Modal, type ModalProps } from '@mantine/core';
import { type ComponentProps, type FocusEvent, type KeyboardEvent, type ReactNode, useState } from 'react';
import { useReturnedFocus } from '../lib/use-returned-focus.ts';
import { useSecretWork } from '../lib/use-secret-call.ts';
import { ErrorNotice } from './error-notice.tsx';
import { Form, FormEnd } from './form.tsx';

type DialogProps = Omit<ModalProps, 'opened'> & { isOpen: boolean };

/**
 * A dialog. It is mounted again each time it opens, so that fields start empty; while it is closed, it costs nothing. Esc closes
 * it, and the focus returns to where it was.
 */
export function Dialog({ isOpen, ...modal }: DialogProps) {
  useReturnedFocus(isOpen);
  if (!isOpen) return null;
  return (
    <Modal
      opened
      closeButtonProps={{ 'aria-label': 'Close' }}
      onFocus={keepFocus}
      onKeyDown={(event) => isEscapeOfChoices(event) && modal.closeOnEscape !== false && modal.onClose()}
      {...modal}
    />
  );
}

/** Whether Escape would only close the choices of a text field, which its focus has opened. */
const isEscapeOfChoices = ({ key, target }: KeyboardEvent<HTMLElement>): boolean =>
  key === 'Escape' &&
  target instanceof HTMLInputElement &&
  target.matches('[data-mantine-stop-propagation]:not([readonly])');

/**
 * Makes the field with the focus the one that Mantine's focus trap looks for. The trap sets the focus twice after it
 * opens. The second time took it from the field that a quick Tab had reached, so that the next text went into the first
 * field.
 */
function keepFocus({ currentTarget, target }: FocusEvent<HTMLElement>): void {
  for (const field of currentTarget.querySelectorAll('[data-autofocus]'))
    field.removeAttribute('data-autofocus');
  target.setAttribute('data-autofocus', '');
}

/** A button and the dialog that it opens. Text typed there is discarded when the dialog closes. */
export function DialogButton(
  props: Omit<DialogProps, 'isOpen' | 'onClose' | 'children'> & {
    label: string;
    button?: ButtonProps & { 'aria-label'?: string };
    /** Whether the press being handled is for the subject of the dialog. */
    mayPress?: () => boolean;
    children: (close: () => void) => ReactNode;
  },
) {
  const { label, button, mayPress, children, ...dialog } = props;
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button variant="default" {...button} onClick={() => setIsOpen(mayPress?.() ?? true)}>
        {label}
      </Button>
      <Dialog {...dialog} isOpen={isOpen} onClose={close}>
        {children(close)}
      </Dialog>
    </>
  );
}

/**
 * A button that asks in a dialog before it acts: `children` describe the effect. The dialog closes once the action
 * succeeded.
 */
export function ConfirmButton(
  props: Omit<ComponentProps<typeof DialogButton>, 'children'> & Omit<ConfirmProps, 'onClose'>,
) {
  const { action, cancel, isDestructive, errorTitle, onConfirm, children, ...button } = props;
  return (
    <DialogButton {...button}>
      {(onClose) => (
        <Confirm
          action={action}
          cancel={cancel}
          isDestructive={isDestructive}
          errorTitle={errorTitle}
          onConfirm={onConfirm}
          onClose={onClose}
        >
          {children}
        </Confirm>
      )}
    </DialogButton>
  );
}

interface ConfirmProps extends Pick<ComponentProps<typeof FormEnd>, 'action' | 'cancel' | 'isDestructive'> {
  readonly errorTitle?: string | undefined;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The content of a dialog that asks before it acts. */
export function Confirm({ onConfirm, onClose, ...form }: ConfirmProps) {
  const { run, isPending, error } = useSecretWork();
  const submit = () => run(() => onConfirm().then(onClose));
  return <DialogForm {...form} isPending={isPending} error={error} onSubmit={submit} onCancel={onClose} />;
}

/** In a low window an error may be below the visible part. */
const bringIntoView = (shown: HTMLElement | null): void =>
  shown?.firstElementChild?.scrollIntoView({ block: 'nearest' });

/** The form of a dialog: its fields, an error, and its two buttons. */
export function DialogForm(
  props: ComponentProps<typeof FormEnd> & {
    onSubmit: () => unknown;
    error?: unknown;
    errorTitle?: string | undefined;
    children: ReactNode;
  },
) {
  const { onSubmit, error, errorTitle, children, ...end } = props;
  return (
    <Form onSubmit={onSubmit}>
      {children}
      {error != null && (
        <div ref={bringIntoView}>
          <ErrorNotice error={error} {...(errorTitle === undefined ? {} : { title: errorTitle })} />
        </div>
      )}
      <FormEnd {...end} />
    </Form>
  );
}

/** Closes a dialog that has done its work. */
export const DoneButton = ({ onClose }: { onClose: () => void }) => (
  <Button onClick={onClose} ml="auto">
    Done
  </Button>
);
