import { RouterProvider } from '@tanstack/react-router';
import { fireEvent, screen, waitFor } from '@testing-library/dom';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { onTestFinished } from 'vitest';
import type { DeskBridge } from '../../src/contract/bridge.ts';
import { type ErrorCode, errorTable } from '../../src/contract/error-codes.ts';
import type { EventName, EventPayload } from '../../src/contract/events.ts';
import { type Input, type Output, type ProcedureName, procedures } from '../../src/contract/procedures.ts';
import { defaultSettings } from '../../src/contract/settings.ts';
import { Providers } from '../../src/renderer/app/providers.tsx';
import { createDeskRouter } from '../../src/renderer/app/router.tsx';
import { ListMemory } from '../../src/renderer/domain/list/list-memory.tsx';
import { createDeskCache } from '../../src/renderer/lib/desk-query.ts';
import { keepCacheLive } from '../../src/renderer/lib/live-cache.ts';
import { WorkspaceProvider } from '../../src/renderer/lib/workspace-context.tsx';
import { answerOf, type Part } from './contract-values.ts';

export type Reply<P extends ProcedureName> = Part<Output<P>> | { readonly failedWith: ErrorCode };
/**
 * Replies of the backend, by procedure; a function is called each time. Properties that a reply leaves out are blank.
 */
export type Answers = {
  readonly [P in ProcedureName]?: Reply<P> | ((input: Input<P>) => Reply<P> | Promise<Reply<P>>);
};

/** A reply that never arrives. */
export const pending = () => new Promise<never>(() => undefined);
export const requestId = 'req-20261120-7351';
export const failed = (code: ErrorCode) => ({ failedWith: code });

export const workspace = {
  ...{ id: 'w', name: 'Front desk', baseUrl: 'https://service.example', email: 'desk@example.com' },
  ...{ header: 'Authorization', scheme: 'SSH-JWT', color: 'blue' as const, isSample: false, keyId: 'k' },
  createdAt: '2026-11-01T09:00:00.000Z',
};

const ofReceipt = { startedAt: workspace.createdAt, finishedAt: workspace.createdAt };

/** Replies to the calls of the frame around every screen. */
const ofFrame: Answers = {
  'settings:get': defaultSettings,
  'workspaces:list': { workspaces: [workspace], activeId: workspace.id },
  'app:getInfo': { version: '0.0.0', shell: 'browser', secrets: { kind: 'keychain', state: 'ready' } },
  'keys:list': { keys: [{ id: 'k', provenAt: workspace.createdAt, workspaceIds: ['w'] }] },
  'sync:getStatus': {
    lastReceipt: { ...ofReceipt, outcome: 'complete' },
    lastComplete: { ...ofReceipt, outcome: 'complete' },
    isServiceReachable: true,
  },
  'store:getState': {},
  'backup:getState': {},
  'records:getSummary': {},
  'worklists:counts': { isCurrent: true, hasReadAll: true },
  'connect:getSettings': {},
  'views:list': {},
  'views:save': {},
  'reviews:getUndo': {},
  'team:getStatus': null,
  'team:getSettings': { settings: null },
  'team:listMembers': {},
  'lock:noteActivity': {},
  'rules:list': {},
  'rules:explain': { proposal: null, decided: null },
};

/** Replies to the calls of a record's screen: a blank record, its claims, figures, names in filters. */
export const noRecords: Answers = {
  'worklists:open': {},
  'worklists:owed': {},
  'worklists:ledger': {},
  'accumulators:family': {},
  'worklists:why': {},
  'records:getClaim': ({ id }) => ({ claim: { id } }),
  'records:getMember': {},
  'records:begin': { total: 0, snapshotId: 's' },
  'records:readFirst': {},
  'records:open': { snapshotId: 's' },
  'records:getTotals': {},
  'records:getCount': ({ snapshotId }) => ({ snapshotId }),
  'records:getWindow': {},
  'records:close': {},
  'records:group': {},
  'records:listEmployers': {},
  'records:listValues': {},
  'records:auditOpened': {},
  'reviews:get': {},
  'reviews:listEvents': {},
  'reviews:listPapers': { papers: [], isWhole: true },
  'leases:list': {},
  'leases:show': {},
};

/**
 * The bridge to the backend: the contract parses inputs and replies. `faults` gets each call without a reply, and each
 * one that does not fit the contract. It sends the events that `tell` is given.
 */
function createBridge(answers: Answers, faults: string[], calls: string[]) {
  const answer = async (name: ProcedureName, input: unknown) => {
    calls.push(name);
    try {
      procedures[name].input.parse(input);
      const declared = answers[name] as ((input: unknown) => unknown) | object | undefined;
      if (declared === undefined) throw new Error('no answer is declared');
      const reply = await (typeof declared === 'function' ? declared(input) : declared);
      const { failedWith: code } = (reply ?? {}) as { failedWith?: ErrorCode };
      if (code !== undefined) return { ok: false, error: { ...errorTable[code], requestId } };
      return { ok: true, value: answerOf(name, reply as object) };
    } catch (thrown) {
      faults.push(`${name}: ${thrown}`);
      return { ok: false, error: errorTable['internal.fault'] };
    }
  };
  const listeners = new Map<(payload: never) => void, string>();
  const bridge: DeskBridge = {
    shell: 'browser',
    call: new Proxy({} as DeskBridge['call'], {
      get: (_none, name: ProcedureName) => (input: unknown) => answer(name, input),
    }),
    subscribe: (name, listener) => {
      listeners.set(listener, name);
      return () => void listeners.delete(listener);
    },
  };
  const tell = <E extends EventName>(name: E, payload: EventPayload<E>): void => {
    for (const [listener, heard] of listeners) if (heard === name) listener(payload as never);
  };
  return { bridge, tell };
}

/**
 * Renders a part of the window with the providers of the app and a backend with the replies that the test declares. The
 * test fails where a call has no declared reply, or does not fit the contract.
 */
export function renderPart(part: ReactNode, answers: Answers = {}) {
  const [faults, calls]: [string[], ProcedureName[]] = [[], []];
  const { bridge, tell } = createBridge({ ...ofFrame, ...answers }, faults, calls);
  const cache = createDeskCache();
  const endLive = keepCacheLive(bridge, cache);
  document.body.innerHTML = '<div></div>';
  const root = createRoot(document.body.firstElementChild as Element);
  const foundation = { bridge, cache, lists: new ListMemory(bridge), nonce: '', theme: 'light' as const };
  root.render(
    <Providers foundation={foundation}>
      <WorkspaceProvider workspace={workspace}>{part}</WorkspaceProvider>
    </Providers>,
  );
  onTestFinished(() => {
    root.unmount();
    endLive();
    cache.clear();
    if (faults.length > 0) throw new Error(faults.join('\n'));
  });
  return { calls, tell };
}

/** Renders the window at an address ("/members/7"). */
export function renderScreen(address: string, answers: Answers = {}) {
  window.location.hash = address;
  return renderPart(<RouterProvider router={createDeskRouter()} />, answers);
}

/** Waits until a press acts: the claim of a page and its review are on screen, and the last act was long enough ago. */
export async function whenReady(): Promise<void> {
  await waitFor(() => {
    const waiting = '[data-resting], [aria-busy="true"], [aria-label="Review panel"] fieldset[disabled]';
    const isReady = document.querySelector(waiting) === null;
    if (!isReady) throw new Error('Presses don’t act yet.');
  });
}

/** Presses a key where the focus is, once a press acts. */
export async function pressKey(key: string): Promise<void> {
  await whenReady();
  fireEvent.keyDown(document.activeElement ?? document.body, { key });
}

export const press = async (name: string | RegExp) =>
  fireEvent.click(await screen.findByRole('button', { name }));
