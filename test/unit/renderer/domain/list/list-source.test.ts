import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { DeskBridge } from '../../../../../src/contract/bridge.ts';
import { errorTable } from '../../../../../src/contract/error-codes.ts';
import { ListSource } from '../../../../../src/renderer/domain/list/list-source.ts';
import type { ListQuery } from '../../../../../src/rules/query.ts';

const claims: ListQuery = { entity: 'claims' };
const found: ListQuery = { entity: 'claims', search: 'ada' };

/** A bridge with snapshots only; `gone` holds those that it has let go. */
function makeBridge() {
  let count = 0;
  const expired = new Set<string>();
  const closed: string[] = [];
  const open = vi.fn(async ({ query }: { query: ListQuery }) => {
    count += 1;
    const snapshotId = `s${count}`;
    // The first search takes longer than the next one.
    if (query.search === 'slow') await new Promise((resolve) => setTimeout(resolve, 20));
    // A large list brings its first rows before its ids.
    const isLate = query.search === 'large';
    const rows = isLate || query.search === 'few' ? [{ id: 1, from: 'first' }] : [];
    return { ok: true, value: { snapshotId, rows, total: isLate ? null : count * 10, totals: null } };
  });
  const getCount = vi.fn(async ({ snapshotId }: { snapshotId: string }) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { ok: true, value: { snapshotId, total: 1_000_000, totals: null } };
  });
  const getWindow = vi.fn(async ({ snapshotId, offset }: { snapshotId: string; offset: number }) =>
    expired.has(snapshotId)
      ? { ok: false, error: errorTable['snapshot.expired'] }
      : { ok: true, value: { rows: [{ id: offset, from: snapshotId }] } },
  );
  const close = vi.fn(async ({ snapshotId }: { snapshotId: string }) => {
    closed.push(snapshotId);
    return { ok: true, value: { isDone: true } };
  });
  const call = {
    'records:begin': open,
    'records:getCount': getCount,
    'records:getWindow': getWindow,
    'records:close': close,
  };
  return { bridge: { call } as unknown as DeskBridge, open, getWindow, expired, closed };
}

describe('ListSource', () => {
  it('opens once for a query, and answers windows from that snapshot', async () => {
    const { bridge, open } = makeBridge();
    const source = new ListSource(bridge, 'w');
    source.setQuery(claims);
    source.setQuery({ ...claims });
    const { rows, total } = await source.getWindow(40, 10);
    expect(open).toHaveBeenCalledTimes(1);
    expect(rows).toEqual([{ id: 40, from: 's1' }]);
    expect(total).toBe(10);
    expect(source.getState()).toMatchObject({ status: 'ready', snapshot: { snapshotId: 's1' } });
  });

  it('stays open if something that shows it fails, which is reported', async () => {
    const { bridge } = makeBridge();
    const source = new ListSource(bridge, 'w');
    const reported: (() => void)[] = [];
    vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((report) => void reported.push(report));
    onTestFinished(() => void vi.restoreAllMocks());
    let heard = 0;
    source.subscribe(() => {
      throw new Error('The table is gone.');
    });
    source.subscribe(() => {
      heard += 1;
    });
    source.follow = () => Promise.reject(new Error('nothing to follow'));
    source.setQuery(claims);
    await source.current();
    expect((await source.getWindow(0, 1)).total).toBe(10);
    expect(heard).toBeGreaterThan(0);
    expect(() => reported[0]?.()).toThrow('The table is gone.');
  });

  it('closes a list that is still being counted when the user types on', async () => {
    const { bridge, closed } = makeBridge();
    const source = new ListSource(bridge, 'w');
    source.setQuery({ ...claims, search: 'large' });
    await vi.waitFor(() => expect(bridge.call['records:getCount']).toHaveBeenCalled(), { interval: 1 });
    source.setQuery(found);
    expect(closed).toEqual(['s1']);
    await source.current();
    expect(source.getState()).toMatchObject({ status: 'ready', snapshot: { snapshotId: 's2' } });
  });

  it('requests no count if the user has typed on already', async () => {
    const { bridge, closed } = makeBridge();
    const source = new ListSource(bridge, 'w');
    source.setQuery({ ...claims, search: 'large' });
    source.setQuery(found);
    await source.current();
    expect(closed).toEqual(['s1']);
    expect(bridge.call['records:getCount']).not.toHaveBeenCalled();
  });

  it('keeps what is shown while a newer snapshot is being made, and says that there is one', async () => {
    const { bridge, closed } = makeBridge();
    const source = new ListSource(bridge, 'w');
    source.setQuery(claims);
    await source.current();
    const newer = source.reopen();
    source.keepShown();
    expect(await newer).toMatchObject({ snapshotId: 's1' });
    expect(source.getState()).toMatchObject({
      status: 'ready',
      isStale: true,
      snapshot: { snapshotId: 's1' },
    });
    expect(closed).toEqual(['s2']);
    expect((await source.getWindow(3, 1)).rows).toEqual([{ id: 3, from: 's1' }]);
  });

  it('shows that its totals are from an older query until those of the new one arrive', async () => {
    const { bridge } = makeBridge();
    const source = new ListSource(bridge, 'w');
    source.setQuery(claims);
    expect(source.getState().isOfOlderQuery).toBe(false);
    await source.current();
    source.setQuery(found);
    expect(source.getState()).toMatchObject({ isOfOlderQuery: true, snapshot: { snapshotId: 's1' } });
    await source.current();
    expect(source.getState()).toMatchObject({ isOfOlderQuery: false, snapshot: { snapshotId: 's2' } });
    const again = source.reopen();
    expect(source.getState()).toMatchObject({ status: 'opening', isOfOlderQuery: false });
    await again;
  });

  it('has nothing to keep before the first snapshot exists', async () => {
    const { bridge } = makeBridge();
    const source = new ListSource(bridge, 'w');
    source.setQuery(claims);
    source.keepShown();
    expect(source.getState().status).toBe('opening');
    expect(await source.current()).toMatchObject({ snapshotId: 's1' });
  });

  it('closes the previous snapshot when another query is shown', async () => {
    const { bridge, closed } = makeBridge();
    const source = new ListSource(bridge, 'w');
    source.setQuery(claims);
    await source.current();
    source.setQuery(found);
    expect((await source.current()).snapshotId).toBe('s2');
    expect(closed).toEqual(['s1']);
  });

  it('shows the newest query even if an older one answers later', async () => {
    const { bridge, closed } = makeBridge();
    const source = new ListSource(bridge, 'w');
    source.setQuery({ entity: 'claims', search: 'slow' });
    const early = source.getWindow(0, 1);
    source.setQuery(found);
    expect((await early).rows[0]).toMatchObject({ from: 's2' });
    await vi.waitFor(() => expect(closed).toEqual(['s1']));
    expect(source.getState().snapshot?.snapshotId).toBe('s2');
  });

  it('reopens a snapshot that was closed, once', async () => {
    const { bridge, expired, open } = makeBridge();
    const source = new ListSource(bridge, 'w');
    source.setQuery(claims);
    await source.current();
    expired.add('s1');
    expect((await source.getWindow(0, 1)).rows[0]).toMatchObject({ from: 's2' });
    expired.add('s2').add('s3');
    await expect(source.getWindow(0, 1)).rejects.toMatchObject({ report: { code: 'snapshot.expired' } });
    expect(open).toHaveBeenCalledTimes(3);
  });

  it('is stale if rows changed while its snapshot was being made, so that it is opened once more', async () => {
    const { bridge } = makeBridge();
    const source = new ListSource(bridge, 'w');
    source.setQuery({ entity: 'claims', search: 'slow' });
    source.markStale();
    await source.current();
    expect(source.getState()).toMatchObject({ status: 'ready', isStale: true });
    await source.reopen();
    expect(source.getState()).toMatchObject({ status: 'ready', isStale: false });
  });

  it('keeps the rows on screen while a failed list can be tried again', async () => {
    const { bridge, open } = makeBridge();
    const source = new ListSource(bridge, 'w');
    const error = errorTable['store.damaged'];
    open.mockResolvedValueOnce({ ok: false, error } as never);
    source.setQuery(claims);
    await vi.waitFor(() => expect(source.getState().status).toBe('failed'));
    expect(source.getState().error?.code).toBe('store.damaged');
    await source.reopen();
    expect(source.getState()).toMatchObject({ status: 'ready', error: null });
  });

  it('is stale when marked so, until it is reopened', async () => {
    const { bridge } = makeBridge();
    const source = new ListSource(bridge, 'w');
    source.setQuery(claims);
    await source.current();
    source.markStale();
    expect(source.getState().isStale).toBe(true);
    await source.reopen();
    expect(source.getState().isStale).toBe(false);
  });

  it('has the first rows of a large list before the list is complete, and then its windows', async () => {
    const { bridge } = makeBridge();
    const source = new ListSource(bridge, 'w');
    await source.getFirstRows(['id']);
    source.setQuery({ entity: 'claims', search: 'large' });
    expect(await source.getFirstRows(['id'])).toEqual({
      snapshotId: 's1',
      rows: [{ id: 1, from: 'first' }],
      total: null,
    });
    expect(source.getState()).toMatchObject({ status: 'opening', snapshot: null });
    expect(await source.getWindow(0, 1)).toEqual({ rows: [{ id: 0, from: 's1' }], total: 1_000_000 });
    expect(source.getState()).toMatchObject({ status: 'ready', snapshot: { total: 1_000_000 } });
    expect(await source.getFirstRows(['id'])).toBeNull();
    source.setQuery(claims);
    expect(await source.getFirstRows(['id', 'status'])).toBeNull();
  });

  it('has the rows of a complete list immediately without requesting its window, once', async () => {
    const { bridge, getWindow } = makeBridge();
    const source = new ListSource(bridge, 'w');
    await source.getFirstRows(['id']);
    source.setQuery({ entity: 'claims', search: 'few' });
    const rows = [{ id: 1, from: 'first' }];
    expect(await source.getFirstRows(['id'])).toEqual({ snapshotId: 's1', rows, total: 10 });
    await source.current();
    expect(getWindow).not.toHaveBeenCalled();
    // Later they may have changed.
    expect(await source.getFirstRows(['id'])).toBeNull();
  });

  it('is stale when a window says that newer data exist', async () => {
    const { bridge, getWindow } = makeBridge();
    const source = new ListSource(bridge, 'w');
    source.setQuery(claims);
    await source.getWindow(0, 1);
    expect(source.getState().isStale).toBe(false);
    getWindow.mockResolvedValueOnce({ ok: true, value: { rows: [], isStale: true } } as never);
    await source.getWindow(0, 1);
    expect(source.getState().isStale).toBe(true);
  });

  it('closes its snapshot when it is closed', async () => {
    const { bridge, closed } = makeBridge();
    const source = new ListSource(bridge, 'w');
    source.setQuery(claims);
    await source.current();
    source.close();
    expect(closed).toEqual(['s1']);
    expect(source.getState().snapshot).toBeNull();
  });
});
