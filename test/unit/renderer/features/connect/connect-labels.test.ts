import { describe, expect, it } from 'vitest';
import type { ConnectMember } from '../../../../../src/contract/connect-members.ts';
import {
  describeTurn,
  findCarriers,
  findNamed,
  isAsking,
  mayCorrect,
} from '../../../../../src/renderer/features/connect/connect-labels.ts';
import {
  describeClaims,
  describeConnections,
  findConnections,
  isWrong,
  needForLogin,
  ownerOf,
} from '../../../../../src/renderer/features/connect/connection-facts.ts';
import { readWizardStep } from '../../../../../src/renderer/features/connect/wizard-step.ts';

describe('what stands beside a validation', () => {
  it('shows whose turn it is, and how it ended', () => {
    expect(describeTurn({ phase: 'chooseMethod', outcome: null }).label).toBe('Choose how to get the code');
    expect(describeTurn({ phase: 'enterCode', outcome: null }).label).toBe('Enter verification code');
    expect(describeTurn({ phase: 'working', outcome: null }).tone).toBe('busy');
    const ends = (['connected', 'provisional', 'attention', 'failed', 'unknown'] as const).map(
      (outcome) => describeTurn({ phase: 'ended', outcome }).label,
    );
    expect(new Set(ends).size).toBe(5);
    expect(isAsking({ phase: 'enterCode' })).toBe(true);
    expect(isAsking({ phase: 'ended' })).toBe(false);
  });
  it('leads to a correction only if one helps', () => {
    const fine = { severity: 'fine', needsCorrection: false, loginProblem: 'valid' } as const;
    const broken = { severity: 'critical', needsCorrection: true, loginProblem: 'invalid' } as const;
    const migrating = { severity: 'warning', needsCorrection: true, loginProblem: 'migrating' } as const;
    expect(mayCorrect(migrating, null)).toBe(false);
    expect(mayCorrect(fine, null)).toBe(false);
    expect(mayCorrect(broken, null)).toBe(true);
    expect(mayCorrect(broken, { phase: 'working', outcome: null })).toBe(false);
    expect(mayCorrect(fine, { phase: 'ended', outcome: 'failed' })).toBe(true);
    expect(mayCorrect(fine, { phase: 'ended', outcome: 'connected' })).toBe(false);
    expect(mayCorrect(fine, { phase: 'ended', outcome: 'unknown' })).toBe(false);
  });
});

describe('finding', () => {
  it('a carrier by parts of its name, in any order and case', () => {
    const carriers = [{ name: 'Test Two Factor Carrier' }, { name: 'Lakeshore Health Plan' }];
    expect(findCarriers(carriers, ' factor TEST')).toEqual([carriers[0]]);
    expect(findCarriers(carriers, '')).toHaveLength(2);
    expect(findCarriers(carriers, 'dental')).toEqual([]);
    expect(findNamed(carriers, ' lakeshore health plan ')).toBe(carriers[1]);
    expect(findNamed(carriers, 'lakeshore')).toBeUndefined();
  });
  it('a connection by member, carrier or employer, and counts those that need something', () => {
    const one = { memberName: 'Dana Reyes', email: 'd@x.example', employerName: 'Newco', payerName: null };
    expect(findConnections([one], 'reyes newco')).toEqual([one]);
    expect(findConnections([one], 'null')).toEqual([]);
    const of = (...severities: ('critical' | 'warning' | 'running' | 'fine')[]) =>
      describeConnections(
        severities.map((severity) => ({
          severity,
          newestClaimOn: severity === 'running' ? '2026-09-20' : '2026-11-01',
          lastSuccessAt: null,
          createdAt: null,
        })),
        '2026-11-20',
      );
    expect(of('fine')).toBe('1 connection');
    expect(of('critical', 'warning', 'warning')).toBe('3 connections, 1 requires action, 2 need attention');
    expect(of('running', 'fine')).toBe('2 connections, 1 without new claims for 60 days');
  });
});

describe('what is told of a connection', () => {
  it.each([
    [null, null, null],
    [0, null, 'No claims synced yet'],
    [1, '2026-02-24', '1 claim synced, newest 02/24/2026'],
    [1234, null, '1,234 claims synced'],
  ])('%s claims, newest %s: %s', (claimsSynced, newestClaimOn, words) => {
    expect(describeClaims({ claimsSynced, newestClaimOn })).toBe(words);
  });
  it('is wrong if someone has to do something', () => {
    const severities = ['critical', 'warning', 'unknown', 'running', 'fine'] as const;
    expect(severities.filter((severity) => isWrong({ severity }))).toEqual(['critical', 'warning']);
  });
  it('belongs to the member at the employer with which it is shown', () => {
    const at = (name: string) => ({ email: 'Dana@x.example', employer: { id: 1, name } }) as ConnectMember;
    const members = [at('First'), at('Second')];
    const connection = { email: 'dana@X.example', employerName: 'Second' };
    expect(ownerOf(connection, members)).toBe(members[1]);
    expect(ownerOf({ ...connection, employerName: 'Third' }, members)).toBe(members[0]);
    expect(ownerOf(undefined, members)).toBeUndefined();
  });
  it('asks for the answers to security questions only if there are any', () => {
    expect(needForLogin({ name: 'Lakeshore', hasSecurityQuestions: true })).toBe(
      'Have the member’s Lakeshore username, password, and the answers to their security questions at hand.',
    );
    expect(needForLogin({ name: 'Lakeshore', hasSecurityQuestions: false })).not.toContain('security');
  });
});

describe('the wizard’s address', () => {
  it('contains IDs and a time, and nothing that could identify a person', () => {
    expect(readWizardStep({ memberId: 3, addedAt: '2026-11-21T20:01:02.123Z', payerId: 16 })).toEqual({
      memberId: 3,
      addedAt: '2026-11-21T20:01:02.123Z',
      payerId: 16,
    });
    expect(readWizardStep({ memberId: '3', addedAt: 'dana@example.com', payerId: 1.5 })).toEqual({});
  });
});
