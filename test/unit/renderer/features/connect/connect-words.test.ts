import { describe, expect, it } from 'vitest';
import {
  describeDuration,
  describeTurn,
  findCarriers,
  findNamed,
  isAsking,
  mayCorrect,
} from '../../../../../src/renderer/features/connect/connect-words.ts';
import {
  describeConnections,
  findConnections,
} from '../../../../../src/renderer/features/connect/connection-words.ts';
import { readWizardPlace } from '../../../../../src/renderer/features/connect/wizard-place.ts';

describe('what stands beside a validation', () => {
  it('says whose turn it is, and how it ended', () => {
    expect(describeTurn({ phase: 'chooseMethod', outcome: null }).words).toBe('The carrier asks how');
    expect(describeTurn({ phase: 'enterCode', outcome: null }).words).toBe('The carrier asks for a code');
    expect(describeTurn({ phase: 'working', outcome: null }).tone).toBe('busy');
    const ends = (['connected', 'provisional', 'attention', 'failed', 'unknown'] as const).map(
      (outcome) => describeTurn({ phase: 'ended', outcome }).words,
    );
    expect(new Set(ends).size).toBe(5);
    expect(isAsking({ phase: 'enterCode' })).toBe(true);
    expect(isAsking({ phase: 'ended' })).toBe(false);
  });
  it('leads to a correction only where one helps', () => {
    const fine = { severity: 'fine', needsCorrection: false } as const;
    const broken = { severity: 'critical', needsCorrection: true } as const;
    expect(mayCorrect(fine, null)).toBe(false);
    expect(mayCorrect(broken, null)).toBe(true);
    expect(mayCorrect(broken, { phase: 'working', outcome: null })).toBe(false);
    expect(mayCorrect(fine, { phase: 'ended', outcome: 'failed' })).toBe(true);
    expect(mayCorrect(fine, { phase: 'ended', outcome: 'connected' })).toBe(false);
  });
  it('spells durations', () => {
    expect([describeDuration(0), describeDuration(999), describeDuration(1440)]).toEqual([
      '0 ms',
      '999 ms',
      '1.4 s',
    ]);
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
  it('a connection by member, carrier or employer, and counts those that want something', () => {
    const one = { memberName: 'Dana Reyes', email: 'd@x.example', employerName: 'Newco', payerName: null };
    expect(findConnections([one], 'reyes newco')).toEqual([one]);
    expect(findConnections([one], 'null')).toEqual([]);
    const of = (...severities: ('critical' | 'warning' | 'fine')[]) =>
      describeConnections(severities.map((severity) => ({ severity })));
    expect(of('fine')).toBe('1 connection');
    expect(of('critical', 'warning', 'warning')).toBe('3 connections, 1 does not work, 2 need a look');
  });
});

describe('the wizard’s address', () => {
  it('takes ids and a time, and nothing that could be a person', () => {
    expect(readWizardPlace({ memberId: 3, broughtIn: '2026-11-21T20:01:02.123Z', payerId: 16 })).toEqual({
      memberId: 3,
      broughtIn: '2026-11-21T20:01:02.123Z',
      payerId: 16,
    });
    expect(readWizardPlace({ memberId: '3', broughtIn: 'dana@example.com', payerId: 1.5 })).toEqual({});
  });
});
