import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { applyOpening, nothingOpening, OpeningProgress } from '../../../../src/renderer/app/banners.tsx';

const draw = (opening: typeof nothingOpening): string =>
  renderToStaticMarkup(
    <MantineProvider>
      <OpeningProgress opening={opening} />
    </MantineProvider>,
  ).replace(/<style.*?<\/style>/gs, '');
const migrating = { doing: 'migrating', done: 20, of: 80 } as const;

test('while a file is updated, the window shows what happens and the progress', () => {
  const drawn = draw(applyOpening(nothingOpening, { workspaceId: 'w', progress: migrating }, 'w'));
  expect(drawn).toContain('Updating records for this version of Claimdesk.');
  expect(drawn).toContain('Updating the file: part 21 of 80');
  expect(drawn).toContain('aria-valuenow="25"');
  expect(drawn).toContain('aria-label="Update in progress"');
});

test('a repair at the start is called a repair, and the other file by its name', () => {
  const repair = { doing: 'copyingRecords', done: 0, of: 80 } as const;
  expect(draw({ records: repair, userData: null })).toContain('Repairing records.');
  const other = applyOpening(nothingOpening, { workspaceId: null, progress: migrating }, 'w');
  expect(draw(other)).toContain('Updating notes and the audit log for this version');
});

test('it ends with its file, and belongs to the workspace on screen', () => {
  const opening = applyOpening(nothingOpening, { workspaceId: 'w', progress: migrating }, 'w');
  expect(draw(applyOpening(opening, { workspaceId: 'w', progress: null }, 'w'))).toBe('');
  expect(applyOpening(opening, { workspaceId: 'other', progress: null }, 'w')).toEqual(opening);
  expect(draw(nothingOpening)).toBe('');
});
