import { Popover } from '@mantine/core';
import type { ReactNode } from 'react';
import { SmallButton } from '../../../components/small-button.tsx';

/** A button above a list with a popover that can be reached, used and closed by keyboard. */
export function ToolPopover(props: { label: string; icon: ReactNode; children: ReactNode }) {
  return (
    <Popover position="bottom-end" withinPortal trapFocus middlewares={{ shift: { padding: 8 }, size: true }}>
      <Popover.Target>
        <SmallButton leftSection={props.icon}>{props.label}</SmallButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={props.label}>{props.children}</Popover.Dropdown>
    </Popover>
  );
}
