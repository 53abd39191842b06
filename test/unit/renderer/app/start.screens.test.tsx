import { screen } from '@testing-library/dom';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { DeskBridge } from '../../../../src/contract/bridge.ts';
import type { ProcedureName } from '../../../../src/contract/procedures.ts';
import { defaultSettings } from '../../../../src/contract/settings.ts';
import { startDesk } from '../../../../src/renderer/app/start.tsx';
import { answerOf } from '../../../support/contract-values.ts';

it('requests the settings once, for the start and for the screens', async () => {
  const calls: ProcedureName[] = [];
  const answer = async (name: ProcedureName) => {
    calls.push(name);
    const replies: Partial<Record<ProcedureName, object>> = {
      'settings:get': defaultSettings,
      'lock:getState': { isLocked: true },
    };
    return { ok: true, value: answerOf(name, replies[name] ?? {}) };
  };
  const bridge: DeskBridge = {
    shell: 'browser',
    call: new Proxy({} as DeskBridge['call'], {
      get: (_none, name: ProcedureName) => () => answer(name),
    }),
    subscribe: () => () => undefined,
  };
  Object.defineProperty(document, 'fonts', {
    configurable: true,
    value: { load: async () => [] },
  });
  onTestFinished(() => void Reflect.deleteProperty(document, 'fonts'));
  const container = document.body.appendChild(document.createElement('div'));
  onTestFinished(() => container.remove());
  await startDesk(container, { bridge, reload: async () => undefined }, '');
  await screen.findAllByRole('heading');
  expect(calls.filter((name) => name === 'settings:get')).toHaveLength(1);
});

it('loads the page once after an unlock, and the lock screen stays until then', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const replies: Partial<Record<ProcedureName, object>> = {
    'settings:get': defaultSettings,
    'lock:getState': { isLocked: true, opensBy: 'sample' },
  };
  const listeners: ((payload: object) => void)[] = [];
  const bridge = {
    shell: 'browser',
    call: new Proxy(
      {},
      {
        get: (_none, name: ProcedureName) => async () => {
          if (name === 'lock:unlock') for (const listener of listeners) listener({ isLocked: false });
          return { ok: true, value: answerOf(name, replies[name] ?? {}) };
        },
      },
    ),
    subscribe(name: string, listener: (payload: object) => void) {
      if (name === 'lock:changed') listeners.push(listener);
      return () => undefined;
    },
  } as unknown as DeskBridge;
  Object.defineProperty(document, 'fonts', { configurable: true, value: { load: async () => [] } });
  onTestFinished(() => void Reflect.deleteProperty(document, 'fonts'));
  const container = document.body.appendChild(document.createElement('div'));
  onTestFinished(() => container.remove());
  const reload = vi.fn(async () => undefined);
  await startDesk(container, { bridge, reload }, '');
  (await screen.findByRole('button', { name: 'Unlock' })).click();
  // The time goes on while it waits.
  await vi.waitFor(() => expect(screen.getByRole('status').textContent).toBe('Opening your records…'));
  expect(reload).toHaveBeenCalledTimes(1);
  expect(screen.getByRole('heading', { name: 'Claimdesk is locked' })).toBeDefined();
});
