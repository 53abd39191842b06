import { createRoot } from 'react-dom/client';
import { onTestFinished } from 'vitest';

/** A page into which a test draws, removed after it. */
export function openPage() {
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  onTestFinished(() => {
    root.unmount();
    page.remove();
  });
  return root;
}
