import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import type { RememberedList } from '../../../../../src/renderer/domain/list/list-memory.tsx';
import type { RowRanges } from '../../../../../src/renderer/domain/list/row-ranges.ts';
import { useCopying } from '../../../../../src/renderer/domain/list/use-copying.tsx';
import { useDeskQuery } from '../../../../../src/renderer/lib/desk-query.ts';
import { press, renderPart } from '../../../../support/render-screen.tsx';

const list = {
  plan: { entity: 'claims' },
  source: { workspaceId: 'w', current: async () => ({ snapshotId: 's' }) },
  getSettings: () => ({ columns: ['id', 'patient_name'], frozen: [] }),
} as unknown as RememberedList;

function Copying({ buttons }: { buttons: Readonly<Record<string, [RowRanges, cell?: string]>> }) {
  const { copy, dialog } = useCopying(list, 'claim', 'claims');
  const isReady = useDeskQuery('app:getInfo', {}).data !== undefined;
  return (
    <>
      {isReady && <p>Ready</p>}
      {Object.entries(buttons).map(([name, given]) => (
        <button key={name} type="button" onClick={() => copy(...given)}>
          {name}
        </button>
      ))}
      {dialog}
    </>
  );
}

const buttons = {
  cell: [[[0, 0]], 'patient_name'],
  some: [[[0, 99]]],
  amounts: [[[0, 400]], 'amount_billed'],
  many: [[[0, 100]]],
} satisfies Readonly<Record<string, [RowRanges, cell?: string]>>;

async function givenCopies(isRequired: boolean) {
  const reasons: (string | undefined)[] = [];
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: async () => undefined },
  });
  renderPart(<Copying buttons={buttons} />, {
    'app:getInfo': { policy: isRequired ? { requireExportReason: true } : {} },
    'records:copy': ({ reason }) => {
      reasons.push(reason);
      return { text: 'copied', rows: 1 };
    },
  });
  await screen.findByText('Ready');
  return reasons;
}

test('a cell and a few rows are copied immediately; many rows of people ask for a reason', async () => {
  const reasons = await givenCopies(false);
  for (const name of ['cell', 'some', 'amounts']) await press(name);
  await waitFor(() => expect(reasons).toEqual([undefined, undefined, undefined]));
  await press('many');
  const dialog = within(await screen.findByRole('dialog'));
  const copy = dialog.getByRole('button', { name: 'Copy' });
  expect(copy).toHaveProperty('disabled', true);
  fireEvent.click(dialog.getByRole('radio', { name: 'Audit' }));
  fireEvent.click(copy);
  await waitFor(() => expect(reasons.slice(3)).toEqual(['Audit']));
});

test('if the organization requires reasons, a cell asks for one too', async () => {
  const reasons = await givenCopies(true);
  await press('cell');
  fireEvent.click(await screen.findByRole('radio', { name: 'Accounting' }));
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Copy' }));
  await waitFor(() => expect(reasons).toEqual(['Accounting']));
});
