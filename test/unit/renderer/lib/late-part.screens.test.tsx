import { screen } from '@testing-library/dom';
import { Suspense, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { latePart } from '../../../../src/renderer/lib/late-part.tsx';

function Counter({ name }: { name: string }) {
  const [count, setCount] = useState(0);
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      {name} {count}
    </button>
  );
}

function openPage() {
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  onTestFinished(() => {
    root.unmount();
    page.remove();
  });
  return root;
}

test('a part that was loaded ahead is drawn at once', async () => {
  const Part = latePart(async () => Counter);
  await Part.ahead();
  const root = openPage();
  flushSync(() =>
    root.render(
      <Suspense fallback="Loading">
        <Part name="Ahead" />
      </Suspense>,
    ),
  );
  screen.getByText('Ahead 0');
});

test('a part that is shown while it loads keeps its state when it is loaded ahead as well', async () => {
  const Part = latePart(async () => Counter);
  const root = openPage();
  const draw = () =>
    root.render(
      <Suspense fallback="Loading">
        <Part name="Late" />
      </Suspense>,
    );
  flushSync(draw);
  screen.getByText('Loading');
  const button = await screen.findByText('Late 0');
  flushSync(() => button.click());
  await Part.ahead();
  flushSync(draw);
  expect(screen.getByText('Late 1')).toBe(button);
});
