import { describe, expect, it } from 'vitest';
import type { DeskBridge } from '../../../../src/contract/bridge.ts';
import { errorTable } from '../../../../src/contract/error-codes.ts';
import {
  ask,
  DeskError,
  describeForSupport,
  reportOf,
  reportOfCode,
} from '../../../../src/renderer/lib/desk-error.ts';
import { cleanValue, readPageValues } from '../../../../src/renderer/lib/page-values.ts';
import { areSingleKeysOn, setSingleKeys, spellKeys } from '../../../../src/renderer/lib/shortcuts.ts';

const report = { ...errorTable['service.fault'], requestId: 'req_1' } as const;

it('returns the value of a good answer, and throws the report of a bad one', async () => {
  const answer = async (input: object) =>
    'bad' in input ? { ok: false, error: report } : { ok: true, value: { isDone: true } };
  const bridge = { call: { 'lock:lock': answer } } as unknown as DeskBridge;
  expect(await ask(bridge, 'lock:lock', {})).toEqual({ isDone: true });
  await expect(ask(bridge, 'lock:lock', { bad: 1 } as never)).rejects.toMatchObject({ report });
});

describe('reports', () => {
  it('never show the text of an exception', () => {
    expect(reportOf(new TypeError('row of Ada Lovelace'))).toEqual(errorTable['internal.fault']);
    expect(reportOf(new DeskError(report))).toBe(report);
  });

  it('are found again by the code of a receipt', () => {
    expect(reportOfCode('service.fault', 'req_1')).toEqual(report);
    expect(reportOfCode('no.such', null).code).toBe('internal.fault');
    expect(reportOfCode('toString', null).code).toBe('internal.fault');
  });

  it('are copied with code, request id and time', () => {
    expect(describeForSupport(report, new Date('2026-03-09T10:00:00Z'))).toBe(
      'Claimdesk error service.fault\nThe service had an error.\nRequest ID: req_1\nTime: 2026-03-09T10:00:00.000Z',
    );
  });
});

describe('values in the page', () => {
  it('are absent if no host wrote them', () => {
    expect(cleanValue('__CLAIMDESK_NONCE__')).toBe('');
    expect(cleanValue(null)).toBe('');
    expect(cleanValue('abc')).toBe('abc');
  });

  it('are the address of the engine, the nonce, and whether there is a workspace', () => {
    const values: Record<string, string> = {
      'claimdesk-engine': 'http://localhost:1',
      'csp-nonce': 'n',
      'claimdesk-workspace': '__CLAIMDESK_WORKSPACE__',
    };
    const page = {
      querySelector: (selector: string) => {
        const name = /name="([^"]+)"/.exec(selector)?.[1] ?? '';
        return name in values ? { getAttribute: () => values[name] } : null;
      },
    } as unknown as Document;
    expect(readPageValues(page)).toEqual({
      engineUrl: 'http://localhost:1',
      nonce: 'n',
      hasWorkspace: false,
    });
    values['claimdesk-workspace'] = 'active';
    expect(readPageValues(page).hasWorkspace).toBe(true);
  });
});

it('spells keys as the computer does, and stores that single letters are off', () => {
  expect(spellKeys('Ctrl Shift L', 'MacIntel')).toBe('⌘ ⇧ L');
  expect(spellKeys('Ctrl Shift L', 'Linux x86_64')).toBe('Ctrl Shift L');
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  expect(areSingleKeysOn(storage)).toBe(true);
  setSingleKeys(storage, false);
  expect(areSingleKeysOn(storage)).toBe(false);
});
