import { expect, it, vi } from 'vitest';
import type { DeskBridge } from '../../../../../src/contract/bridge.ts';
import { errorTable } from '../../../../../src/contract/error-codes.ts';
import { sessionContentSchema, sessionName } from '../../../../../src/contract/views.ts';
import { startSettings } from '../../../../../src/renderer/domain/list/list-settings.ts';
import { SessionStore } from '../../../../../src/renderer/domain/list/session-store.ts';
import { viewOf } from '../../../../../src/renderer/domain/list/view-settings.ts';

const view = viewOf(startSettings({ columns: ['id'] }));

function makeStore() {
  const save = vi.fn(async (input: { id?: string; name: string; query: string }) => ({
    ok: true,
    value: { id: input.id ?? 'made', name: input.name, query: input.query },
  }));
  const bridge = { call: { 'views:save': save } } as unknown as DeskBridge;
  return { store: new SessionStore(bridge), save };
}
const soon = () => new Promise((resolve) => setTimeout(resolve, 15));

it('stores how lists were left, as one view, and changes that one from then on', async () => {
  const { store, save } = makeStore();
  store.begin('w', null);
  store.keep('w', 'claims', { ...view, search: 'ada' }, 1);
  store.keep('w', 'members', view, 1);
  await soon();
  store.keep('w', 'claims', { ...view, search: 'bea' }, 1);
  await soon();
  expect(save).toHaveBeenCalledTimes(2);
  expect(save.mock.calls.map(([input]) => [input.name, input.id])).toEqual([
    [sessionName, undefined],
    [sessionName, 'made'],
  ]);
  const kept = sessionContentSchema.parse(JSON.parse(save.mock.calls[1]?.[0].query ?? ''));
  expect([kept.lists.claims?.search, kept.lists.members?.columns]).toEqual(['bea', ['id']]);
  expect(store.find('w', 'claims')?.search).toBe('bea');
});

it('waits for a slow first save, so that there is one view of it and the last state is stored', async () => {
  const { store, save } = makeStore();
  const first = Promise.withResolvers<void>();
  save.mockImplementationOnce(async ({ name, query }) => {
    await first.promise;
    return { ok: true, value: { id: 'made', name, query } };
  });
  store.begin('w', null);
  store.keep('w', 'claims', { ...view, search: 'ada' }, 1);
  await soon();
  store.keep('w', 'claims', { ...view, search: 'bea' }, 1);
  await soon();
  expect(save).toHaveBeenCalledTimes(1);
  first.resolve();
  await vi.waitFor(() => expect(save).toHaveBeenCalledTimes(2));
  const last = save.mock.calls[1]?.[0];
  expect(last?.id).toBe('made');
  expect(last?.query).toContain('bea');
});

it('writes nothing that is already stored, and no SSN at all', async () => {
  const { store, save } = makeStore();
  store.begin('w', { id: 'old', lists: { claims: view } });
  store.begin('w', null);
  store.keep('w', 'claims', view, 1);
  store.keep('w', 'claims', { ...view, search: '123-45-6789' }, 1);
  await soon();
  expect(save).not.toHaveBeenCalled();
});

it('keeps workspaces separate, and waits until it knows what was stored', async () => {
  const { store, save } = makeStore();
  store.keep('w', 'claims', view, 1);
  await soon();
  expect(save).not.toHaveBeenCalled();
  store.begin('w', null);
  expect(store.find('other', 'claims')).toBeUndefined();
});

it('ignores a profile that can’t be written', async () => {
  const refuse = async () => ({ ok: false, error: errorTable['profile.busy'] });
  const store = new SessionStore({ call: { 'views:save': refuse } } as unknown as DeskBridge);
  store.begin('w', null);
  store.keep('w', 'claims', view, 1);
  await soon();
  expect(store.find('w', 'claims')).toEqual(view);
});

it('keeps the claim that was read last beside the lists', async () => {
  const { store, save } = makeStore();
  const place = { claimId: 20_007, list: 'worklist-7', at: 4 };
  store.keepLastRead('w', place, 1);
  await soon();
  expect(save).not.toHaveBeenCalled();
  store.begin('w', { id: 'known', lists: { claims: view }, last: null });
  store.keepLastRead('w', place, 1);
  store.keepLastRead('w', place, 1);
  await soon();
  expect(save).toHaveBeenCalledTimes(1);
  const kept = sessionContentSchema.parse(JSON.parse(save.mock.calls[0]?.[0].query ?? ''));
  expect([kept.last, Object.keys(kept.lists)]).toEqual([place, ['claims']]);
  expect(store.findLastRead('w')).toEqual(place);
});
