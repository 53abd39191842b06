import type { ReactNode } from 'react';

/** A number, date or ID, which never wraps. */
export function Figure({ children }: { children: ReactNode }) {
  return <span className="figure">{children}</span>;
}
