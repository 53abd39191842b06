import { Kbd } from '@mantine/core';
import { memo } from 'react';

/** The key of a button; screen readers have it from `aria-keyshortcuts`. */
export const KeyCap = memo(function KeyCap({ children }: { children: string }) {
  return (
    <Kbd size="xs" aria-hidden>
      {children}
    </Kbd>
  );
});
