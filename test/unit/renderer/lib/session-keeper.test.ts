import { expect, it, vi } from 'vitest';
import type { DeskBridge } from '../../../../src/contract/bridge.ts';
import { errorTable } from '../../../../src/contract/error-codes.ts';
import { sessionContentSchema } from '../../../../src/contract/views.ts';
import { startSettings } from '../../../../src/renderer/lib/list-settings.ts';
import { sessionName, viewOf } from '../../../../src/renderer/lib/saved-views.ts';
import { SessionKeeper } from '../../../../src/renderer/lib/session-keeper.ts';

const view = viewOf(startSettings({ columns: ['id'] }));

function makeKeeper() {
  const save = vi.fn(async (input: { id?: string; name: string; query: string }) => ({
    ok: true,
    value: { id: input.id ?? 'made', name: input.name, query: input.query },
  }));
  const bridge = { call: { 'views:save': save } } as unknown as DeskBridge;
  return { keeper: new SessionKeeper(bridge), save };
}
const soon = () => new Promise((resolve) => setTimeout(resolve, 15));

it('keeps how lists were left, as one view, and changes that one from then on', async () => {
  const { keeper, save } = makeKeeper();
  keeper.begin('w', null);
  keeper.keep('w', 'claims', { ...view, search: 'ada' }, 1);
  keeper.keep('w', 'members', view, 1);
  await soon();
  keeper.keep('w', 'claims', { ...view, search: 'bea' }, 1);
  await soon();
  expect(save).toHaveBeenCalledTimes(2);
  expect(save.mock.calls.map(([input]) => [input.name, input.id])).toEqual([
    [sessionName, undefined],
    [sessionName, 'made'],
  ]);
  const kept = sessionContentSchema.parse(JSON.parse(save.mock.calls[1]?.[0].query ?? ''));
  expect([kept.lists.claims?.search, kept.lists.members?.columns]).toEqual(['bea', ['id']]);
  expect(keeper.find('w', 'claims')?.search).toBe('bea');
});

it('writes nothing that is known already, and no SSN at all', async () => {
  const { keeper, save } = makeKeeper();
  keeper.begin('w', { id: 'old', lists: { claims: view } });
  keeper.begin('w', null);
  keeper.keep('w', 'claims', view, 1);
  keeper.keep('w', 'claims', { ...view, search: '123-45-6789' }, 1);
  await soon();
  expect(save).not.toHaveBeenCalled();
});

it('keeps workspaces apart, and waits until it knows what was there', async () => {
  const { keeper, save } = makeKeeper();
  keeper.keep('w', 'claims', view, 1);
  await soon();
  expect(save).not.toHaveBeenCalled();
  keeper.begin('w', null);
  expect(keeper.find('other', 'claims')).toBeUndefined();
});

it('does not mind a profile that cannot be written', async () => {
  const refuse = async () => ({ ok: false, error: { code: 'profile.busy', ...errorTable['profile.busy'] } });
  const keeper = new SessionKeeper({ call: { 'views:save': refuse } } as unknown as DeskBridge);
  keeper.begin('w', null);
  keeper.keep('w', 'claims', view, 1);
  await soon();
  expect(keeper.find('w', 'claims')).toEqual(view);
});
