import { describe, expect, it } from 'vitest';
import {
  columnsOnShow,
  describeWhatLeaves,
  inFileOrder,
  startColumns,
  suggestFileName,
} from '../../../../src/renderer/features/export/export-columns.ts';
import { type ExportState, reduceExport } from '../../../../src/renderer/features/export/use-export.ts';

describe('columns of an export', () => {
  it('begin without anything sensitive', () => {
    const columns = startColumns('members');
    expect(columns).toContain('last_name');
    expect(columns).not.toContain('ssn');
    expect(columns).not.toContain('date_of_birth');
    expect(describeWhatLeaves('members', new Set(columns))).toBeNull();
  });

  it('say what would leave', () => {
    expect(describeWhatLeaves('members', new Set(['id', 'ssn']))).toBe('Social Security numbers');
    expect(describeWhatLeaves('members', new Set(['ssn', 'date_of_birth']))).toBe(
      'dates of birth and Social Security numbers',
    );
    expect(describeWhatLeaves('lines', new Set(['diagnosis_code']))).toBe('diagnoses');
  });

  it('as in the list leave sensitive ones out, though the list shows them', () => {
    expect(columnsOnShow('members', ['ssn', 'last_name', 'id'])).toEqual(['id', 'last_name']);
  });

  it('are written in the order of the fields', () => {
    expect(inFileOrder('members', new Set(['email', 'id']))).toEqual(['id', 'email']);
  });

  it('go to a file whose name the contract takes and that names no person', () => {
    expect(suggestFileName('claims', 'xlsx', new Date(2026, 2, 9))).toBe('claims-2026-03-09.xlsx');
  });
});

describe('reduceExport', () => {
  const running: ExportState = { step: 'running', exportId: 'e', path: 'p', progress: null };
  const files = [{ path: '/p', rows: 2, bytes: 9, sha256: 's' }];
  const result = { exportId: 'e', rows: 2, files, seconds: 1 };
  const error = { code: 'disk.full', message: 'm', nextStep: 'n' } as const;

  it('goes from choosing to running to done', () => {
    const begun = reduceExport({ step: 'choosing', error: null }, { type: 'begun', path: 'p' });
    expect(reduceExport(begun, { type: 'started', exportId: 'e' })).toEqual(running);
    expect(reduceExport(running, { type: 'done', result })).toEqual({ step: 'done', path: '/p', result });
  });

  it('goes back to choosing, with the reason, where it fails', () => {
    expect(reduceExport(running, { type: 'failed', error })).toEqual({ step: 'choosing', error });
  });

  it('does not begin to run by late news', () => {
    const idle: ExportState = { step: 'choosing', error: null };
    const progress = { exportId: 'e', rows: 1, total: 2, rowsPerSecond: 1, secondsLeft: null };
    expect(reduceExport(idle, { type: 'progress', progress })).toBe(idle);
    expect(reduceExport(idle, { type: 'started', exportId: 'e' })).toBe(idle);
  });
});
