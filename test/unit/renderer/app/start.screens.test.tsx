import { screen } from '@testing-library/dom';
import { expect, it, onTestFinished } from 'vitest';
import type { DeskBridge } from '../../../../src/contract/bridge.ts';
import type { ProcedureName } from '../../../../src/contract/procedures.ts';
import { defaultSettings } from '../../../../src/contract/settings.ts';
import { startDesk } from '../../../../src/renderer/app/start.tsx';
import { answerOf } from '../../../support/contract-values.ts';

it('asks for the settings once, for the start and for the screens', async () => {
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
