import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Page } from '../../../../src/renderer/components/page.tsx';

/** Observes nothing; `measure` calls what it was given. */
function takeObservers(): { measure: () => void } {
  const callbacks: (() => void)[] = [];
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        callbacks.push(callback);
      }
      observe(): void {}
      disconnect(): void {}
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  return {
    measure() {
      for (const callback of callbacks) callback();
    },
  };
}

// A height that is read after a style was set makes the browser lay out the whole page for it.
it('reads all heights of a page with facts before it sets the first as a style', () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const observers = takeObservers();
  const window = document.body.appendChild(document.createElement('div'));
  onTestFinished(() => window.remove());
  act(() =>
    createRoot(window).render(
      <Page title="Claim 7" documentTitle="Claim" facts="Facts" numbers="Numbers">
        Rest
      </Page>,
    ),
  );
  const page = window.querySelector<HTMLElement>('[data-page]');
  const header = page?.querySelector('header');
  if (page == null || header == null || header.nextElementSibling === null) throw new Error('no page');
  const steps: string[] = [];
  const report = (name: string, px: number) => ({
    get() {
      steps.push(`read ${name}`);
      return px;
    },
  });
  Object.defineProperty(header, 'offsetHeight', report('title', 60));
  Object.defineProperty(header.nextElementSibling, 'clientHeight', report('numbers', 20));
  Object.defineProperty(window, 'clientHeight', report('window', 800));
  vi.spyOn(page.style, 'setProperty').mockImplementation((name, value) => {
    steps.push(`set ${name} ${value}`);
  });
  observers.measure();
  expect(steps).toEqual([
    'read title',
    'read numbers',
    'read window',
    'set --page-title 60px',
    'set --page-numbers 20px',
    'set --page-window 800px',
  ]);
});
