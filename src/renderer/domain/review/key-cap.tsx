import { Kbd } from '@mantine/core';

/** The key of a button; screen readers have it from `aria-keyshortcuts`. */
export function KeyCap({ children }: { children: string }) {
  return (
    <Kbd size="xs" aria-hidden>
      {children}
    </Kbd>
  );
}
