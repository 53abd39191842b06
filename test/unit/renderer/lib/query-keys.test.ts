import { describe, expect, it } from 'vitest';
import type { AnyEvent } from '../../../../src/contract/events.ts';
import { type ProcedureName, procedures } from '../../../../src/contract/procedures.ts';
import { domainOf, keyOf, keyPrefixes, prefixesMadeOldBy } from '../../../../src/renderer/lib/query-keys.ts';

/** Compares as the query cache does: by a prefix, element by element. */
function isMadeOld(event: AnyEvent, procedure: ProcedureName, input: object): boolean {
  const key = keyOf(procedure, input);
  return prefixesMadeOldBy(event).some((prefix) => prefix.every((part, index) => part === key[index]));
}

describe('keyOf', () => {
  it('contains domain, workspace, procedure and input', () => {
    const input = { workspaceId: 'w', id: 7 };
    expect(keyOf('records:getClaim', input)).toEqual(['records', 'w', 'records:getClaim', input]);
    expect(keyOf('settings:get', {})).toEqual(['settings', null, 'settings:get', {}]);
  });

  it('finds a domain in every name of the contract', () => {
    for (const name of Object.keys(procedures) as ProcedureName[]) expect(domainOf(name)).toMatch(/^[a-z]+$/);
  });

  it('is the key under which the progress of a sync is written', () => {
    expect(keyPrefixes.syncStatus('w')).toEqual(keyOf('sync:getStatus', { workspaceId: 'w' }));
  });
});

describe('prefixesMadeOldBy', () => {
  it('outdates only the records of that workspace', () => {
    const event: AnyEvent = { name: 'records:changed', payload: { workspaceId: 'w' } };
    expect(isMadeOld(event, 'records:getClaim', { workspaceId: 'w', id: 1 })).toBe(true);
    expect(isMadeOld(event, 'records:getClaim', { workspaceId: 'other', id: 1 })).toBe(false);
    expect(isMadeOld(event, 'sync:getStatus', { workspaceId: 'w' })).toBe(false);
  });

  it('asks for the team’s state when its members or state change, and after an act, which will be sent', () => {
    const payload = { workspaceId: 'w', claimIds: [1] };
    const acted: AnyEvent = { name: 'reviews:changed', payload };
    const changed: AnyEvent = { name: 'team:changed', payload: { workspaceId: 'w' } };
    for (const event of [acted, changed])
      expect(isMadeOld(event, 'team:getStatus', { workspaceId: 'w' })).toBe(true);
    expect(isMadeOld(changed, 'team:listMembers', { workspaceId: 'w' })).toBe(true);
    expect(isMadeOld(acted, 'team:listMembers', { workspaceId: 'w' })).toBe(false);
    expect(isMadeOld(changed, 'team:getStatus', { workspaceId: 'other' })).toBe(false);
  });

  it('asks for rules and their trials again after acts, and for rules if their view changed', () => {
    const acted: AnyEvent = { name: 'reviews:changed', payload: { workspaceId: 'w', claimIds: [1] } };
    const counted: AnyEvent = { name: 'worklists:changed', payload: { workspaceId: 'w' } };
    const stored: AnyEvent = { name: 'views:changed', payload: { workspaceId: 'w' } };
    for (const event of [acted, counted]) {
      for (const procedure of ['rules:list', 'rules:try', 'rules:explain'] as const)
        expect(isMadeOld(event, procedure, { workspaceId: 'w' })).toBe(true);
    }
    expect(isMadeOld(stored, 'rules:list', { workspaceId: 'w' })).toBe(true);
    expect(isMadeOld(stored, 'rules:try', { workspaceId: 'w' })).toBe(false);
  });

  it('outdates the rotation of that workspace, and what it may have changed', () => {
    const event: AnyEvent = { name: 'rotation:changed', payload: { workspaceId: 'w' } };
    expect(isMadeOld(event, 'rotation:get', { workspaceId: 'w' })).toBe(true);
    expect(isMadeOld(event, 'rotation:get', { workspaceId: 'other' })).toBe(false);
    expect(isMadeOld(event, 'keys:list', {})).toBe(true);
    expect(isMadeOld(event, 'workspaces:list', {})).toBe(true);
  });

  it('outdates workspaces and keys together, because each names the other', () => {
    for (const name of ['workspaces:changed', 'keys:changed'] as const) {
      const event = { name, payload: { activeId: null } } as AnyEvent;
      expect(isMadeOld(event, 'workspaces:list', {})).toBe(true);
      expect(isMadeOld(event, 'keys:list', {})).toBe(true);
    }
  });
});
