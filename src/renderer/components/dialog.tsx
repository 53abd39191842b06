import { Button, type ButtonProps, Modal, type ModalProps } from '@mantine/core';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { ErrorNotice } from './error-notice.tsx';
import { Form, FormEnd } from './form.tsx';

type DialogProps = Omit<ModalProps, 'opened'> & { isOpen: boolean };

/** A dialog. What it holds begins anew each time it opens; Esc closes it. */
export function Dialog({ isOpen, ...modal }: DialogProps) {
  return <Modal opened={isOpen} closeButtonProps={{ 'aria-label': 'Close' }} {...modal} />;
}

/** A button and the dialog that it opens. Nothing that was typed there is kept once it is closed. */
export function DialogButton(
  props: Omit<DialogProps, 'isOpen' | 'onClose' | 'children'> & {
    label: string;
    button?: ButtonProps & { 'aria-label'?: string };
    children: (close: () => void) => ReactNode;
  },
) {
  const { label, button, children, ...dialog } = props;
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button variant="default" {...button} onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      <Dialog {...dialog} isOpen={isOpen} onClose={close}>
        {children(close)}
      </Dialog>
    </>
  );
}

/** The form of a dialog: its fields, why it failed, and its two buttons. Without fields it confirms. */
export function DialogForm(
  props: ComponentProps<typeof FormEnd> & {
    onSubmit: () => unknown;
    error?: unknown;
    errorTitle?: string;
    children: ReactNode;
  },
) {
  const { onSubmit, error, errorTitle, children, ...end } = props;
  return (
    <Form onSubmit={onSubmit}>
      {children}
      <ErrorNotice error={error} {...(errorTitle === undefined ? {} : { title: errorTitle })} />
      <FormEnd {...end} />
    </Form>
  );
}
