import type { ComponentProps } from 'react';
import { IconButton } from './icon-button.tsx';

type Props = Omit<ComponentProps<typeof IconButton>, 'variant' | 'title'> & {
  /** Whether the tool is on, for one that stays on until it is pressed again. */
  readonly isOn?: boolean;
};

/** One of a group of tools: an icon with a tooltip. */
export const ToolButton = ({ label, isOn, ...button }: Props) => (
  <IconButton
    label={label}
    title={label}
    variant={isOn === true ? 'light' : 'default'}
    {...(isOn === undefined ? {} : { 'aria-pressed': isOn })}
    {...(isOn === true ? { color: 'desk' } : {})}
    {...button}
  />
);
