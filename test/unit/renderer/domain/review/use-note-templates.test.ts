import { expect, test } from 'vitest';
import { findTemplates, toStored, usualTemplates } from '../../../../../src/contract/note-templates.ts';
import { namedViews } from '../../../../../src/renderer/domain/list/view-settings.ts';
import { readTemplates } from '../../../../../src/renderer/domain/review/use-note-templates.ts';

const stored = (texts: readonly string[]) => ({ id: 'a', createdAt: '', updatedAt: '', ...toStored(texts) });

test('a workspace has the default templates until it has its own, which are not a named view', () => {
  expect(findTemplates([])).toEqual({ id: null, texts: usualTemplates, isOfTeam: false });
  const views = [stored(['Called: ', 'Sent.'])];
  expect(findTemplates(views)).toEqual({
    ...{ id: 'a', texts: ['Called: ', 'Sent.'], isOfTeam: false },
  });
  expect(namedViews(views)).toEqual([]);
  expect(findTemplates([stored([])]).texts).toEqual([]);
  expect(findTemplates([{ ...stored([]), query: '{"version":2}' }])).toEqual({
    id: 'a',
    texts: usualTemplates,
    isOfTeam: false,
  });
});

test('each line is a template with the space at its end; blank lines are skipped', () => {
  expect(readTemplates('  Called: \n\n \nSent.')).toEqual(['Called: ', 'Sent.']);
});
