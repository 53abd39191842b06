import { Popover } from '@mantine/core';
import type { ReactNode } from 'react';
import { ToolButton } from '../../../components/tool-button.tsx';

/** A button above a list with a popover that can be reached, used and closed by keyboard. */
export const ToolPopover = (props: { label: string; icon: ReactNode; children: ReactNode }) => (
  <Popover position="bottom-end" withinPortal trapFocus middlewares={{ shift: { padding: 8 }, size: true }}>
    <Popover.Target>
      <ToolButton label={props.label} icon={props.icon} />
    </Popover.Target>
    <Popover.Dropdown aria-label={props.label}>{props.children}</Popover.Dropdown>
  </Popover>
);
