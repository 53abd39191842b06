import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';

type Props = ButtonProps & Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps>;

/** A button that fits into a line of text: in headers, rows and notices. */
export const SmallButton = (props: Props) => <Button size="compact-sm" variant="default" {...props} />;
