import { screen } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { useColumnValues } from '../../../../../src/renderer/domain/list/use-column-values.ts';
import { renderPart } from '../../../../support/render-screen.tsx';

function Values({ path, search }: { path: string; search: string }) {
  const { choices, hidden } = useColumnValues({
    ...{ workspaceId: 'w', query: { entity: 'claims' as const }, path, search, limit: 2 },
  });
  return <p>{`${choices.map(({ value }) => value).join(', ')} and ${hidden} more`}</p>;
}

test.each([
  ['t', 'Rejected, Adjusted and 0 more'],
  ['deni', 'Rejected and 0 more'],
  ['reject', 'Rejected and 0 more'],
  ['d', 'Processed, Rejected and 1 more'],
  ['proc', 'Processed, In Process and 0 more'],
])('%s typed for a status finds %s, by label and by code', async (search, text) => {
  renderPart(<Values path="status" search={search} />, {
    'records:listValues': {
      values: ['Processed', 'Rejected', 'In Process', 'Adjusted'].map((value) => ({ value, count: 1 })),
      total: 4,
    },
  });
  expect(await screen.findByText(text)).toBeDefined();
});
