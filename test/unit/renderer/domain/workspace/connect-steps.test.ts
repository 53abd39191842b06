import { describe, expect, it } from 'vitest';
import type { SshKey } from '../../../../../src/contract/ssh-keys.ts';
import type { SyncReceipt } from '../../../../../src/contract/sync.ts';
import type { Workspace } from '../../../../../src/contract/workspace.ts';
import {
  connectStepOf,
  unfinishedStepOf,
} from '../../../../../src/renderer/domain/workspace/connect-steps.ts';
import { answerOf } from '../../../../support/contract-values.ts';

const ready = { kind: 'keychain', state: 'ready' } as const;
const [workspace] = answerOf('workspaces:list', {
  workspaces: [{ id: 'w', name: 'W', header: 'Authorization', keyId: 'k' }],
}).workspaces as [Workspace];
const key = (provenAt: string | null) => ({ id: 'k', provenAt }) as SshKey;
const none = answerOf('sync:getStatus', {});
const receipt = (outcome: SyncReceipt['outcome']) => ({ outcome }) as SyncReceipt;
const proven = '2026-03-09T10:05:00Z';

describe('connectStepOf', () => {
  const at = (change: Partial<Parameters<typeof connectStepOf>[0]>) =>
    connectStepOf({ secrets: ready, workspace, keys: [key(proven)], status: none, ...change });

  it('follows from what exists', () => {
    expect(at({ secrets: { kind: 'vault', state: 'missing' } })).toBe('secrets');
    expect(at({ workspace: null })).toBe('address');
    expect(at({ workspace: { ...workspace, keyId: null } })).toBe('key');
    expect(at({ keys: [] })).toBe('key');
    expect(at({ keys: [key(null)] })).toBe('register');
    expect(at({})).toBe('sync');
    expect(at({ status: { ...none, lastReceipt: receipt('failed') } })).toBe('sync');
  });

  it('asks to join the team with the key that was made, before that key is registered', () => {
    const joining = { ...workspace, awaitsTeam: true as const };
    expect(at({ workspace: { ...joining, keyId: null } })).toBe('key');
    expect(at({ workspace: joining, keys: [key(null)] })).toBe('team');
    expect(at({ workspace: joining, status: { ...none, lastComplete: receipt('complete') } })).toBe('team');
  });

  it('ends with a complete sync, or with one that received everything without verification', () => {
    expect(at({ status: { ...none, lastComplete: receipt('complete') } })).toBe('done');
    expect(at({ status: { ...none, lastReceipt: receipt('notProven') } })).toBe('done');
  });

  it('never asks to finish the sample', () => {
    const facts = { secrets: ready, keys: [key(proven)], status: none };
    expect(unfinishedStepOf({ ...facts, workspace })).toBe('sync');
    expect(unfinishedStepOf({ ...facts, workspace: { ...workspace, isSample: true } })).toBeNull();
    expect(unfinishedStepOf({ ...facts, workspace: null })).toBeNull();
  });
});
