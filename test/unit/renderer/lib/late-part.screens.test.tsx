import { screen } from '@testing-library/dom';
import { Suspense, useState } from 'react';
import { flushSync } from 'react-dom';
import { expect, test } from 'vitest';
import { latePart } from '../../../../src/renderer/lib/late-part.tsx';
import { openPage } from '../../../support/open-page.ts';

function Counter({ name }: { name: string }) {
  const [count, setCount] = useState(0);
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      {name} {count}
    </button>
  );
}

test('a part that was loaded ahead is drawn immediately', async () => {
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
