import { ActionIcon, type ActionIconProps } from '@mantine/core';
import type { ComponentPropsWithRef, ReactNode } from 'react';

type Props = ActionIconProps &
  Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps> & { label: string; icon: ReactNode };

/** A button that shows only an icon. `label`: what screen readers call it. */
export const IconButton = ({ label, icon, ...button }: Props) => (
  <ActionIcon variant="subtle" color="gray" aria-label={label} {...button}>
    {icon}
  </ActionIcon>
);
