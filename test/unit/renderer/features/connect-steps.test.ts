import { describe, expect, it } from 'vitest';
import type { SshKey } from '../../../../src/contract/ssh-keys.ts';
import type { SyncReceipt, SyncStatus } from '../../../../src/contract/sync.ts';
import type { Workspace } from '../../../../src/contract/workspace.ts';
import { connectStepOf, isUnfinished } from '../../../../src/renderer/features/welcome/connect-steps.ts';

const ready = { kind: 'keychain', state: 'ready' } as const;
const workspace: Workspace = {
  id: 'w',
  name: 'W',
  baseUrl: 'https://claims.example.com',
  email: 'a@example.com',
  header: 'Authorization',
  scheme: 'SSH-JWT',
  color: 'blue',
  isSample: false,
  keyId: 'k',
  createdAt: '2026-03-09T10:00:00Z',
};
const key = (provenAt: string | null) => ({ id: 'k', provenAt }) as SshKey;
const none: SyncStatus = {
  running: null,
  lastReceipt: null,
  lastComplete: null,
  isResumable: false,
  isPaused: false,
  lossQuestion: null,
  quickRefresh: { isOffered: false, reason: 'No.' },
  isServiceReachable: true,
};
const receipt = (outcome: SyncReceipt['outcome']) => ({ outcome }) as SyncReceipt;
const proven = '2026-03-09T10:05:00Z';

describe('connectStepOf', () => {
  const at = (change: Partial<Parameters<typeof connectStepOf>[0]>) =>
    connectStepOf({ secrets: ready, workspace, keys: [key(proven)], status: none, ...change });

  it('follows from what is there', () => {
    expect(at({ secrets: { kind: 'vault', state: 'missing' } })).toBe('secrets');
    expect(at({ workspace: null })).toBe('address');
    expect(at({ workspace: { ...workspace, keyId: null } })).toBe('key');
    expect(at({ keys: [] })).toBe('key');
    expect(at({ keys: [key(null)] })).toBe('register');
    expect(at({})).toBe('sync');
    expect(at({ status: { ...none, lastReceipt: receipt('failed') } })).toBe('sync');
  });

  it('ends with a complete sync, or with one that brought everything without a proof', () => {
    expect(at({ status: { ...none, lastComplete: receipt('complete') } })).toBe('done');
    expect(at({ status: { ...none, lastReceipt: receipt('notProven') } })).toBe('done');
  });

  it('never asks the sample to be finished', () => {
    const facts = { secrets: ready, keys: [key(proven)], status: none };
    expect(isUnfinished({ ...facts, workspace })).toBe(true);
    expect(isUnfinished({ ...facts, workspace: { ...workspace, isSample: true } })).toBe(false);
    expect(isUnfinished({ ...facts, workspace: null })).toBe(false);
  });
});
