import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { StoreProgressBar } from '../../../../../src/renderer/features/settings/store-progress.tsx';

const draw = (shown: Parameters<typeof StoreProgressBar>[0]): string =>
  renderToStaticMarkup(
    <MantineProvider>
      <StoreProgressBar {...shown} />
    </MantineProvider>,
  );

test('long work shows its progress, and says that it can’t be canceled', () => {
  const checking = draw({
    work: 'check',
    progress: { doing: 'checkingRecords', done: 250_000, of: 1_000_000 },
  });
  expect(checking).toContain('Checking records: 250,000 of 1,000,000');
  expect(checking).toContain('aria-valuenow="25"');
  expect(checking).toContain('aria-valuetext="Checking records: 250,000 of 1,000,000"');
  expect(checking).toContain('You can keep working. This can’t be canceled.');
  const building = draw({ work: 'rewrite', progress: { doing: 'buildingIndexes', done: 3, of: 12 } });
  expect(building).toContain('Building indexes: 4 of 12');
  expect(building).toContain('This can’t be canceled. Lists open again');
  expect(draw({ work: 'rewrite', progress: null })).toContain('Starting…');
});
