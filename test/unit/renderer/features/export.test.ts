import { describe, expect, it } from 'vitest';
import { type ExportSource, findCloudFolder } from '../../../../src/contract/export.ts';
import {
  columnsOfSet,
  describeWhatLeaves,
  findColumns,
  suggestFileName,
} from '../../../../src/renderer/features/export/column-sets.ts';
import { type ExportState, reduceExport } from '../../../../src/renderer/features/export/use-export.ts';

const members: ExportSource = { kind: 'list', query: { entity: 'members' } };
const claims: ExportSource = { kind: 'list', query: { entity: 'claims' } };
const say = (source: ExportSource, paths: string[], people: number | null = null) =>
  describeWhatLeaves(findColumns(source, new Set(paths)), people);

describe('columns of an export', () => {
  it('are those of the list in its order, without sensitive ones even if the list shows them', () => {
    expect(columnsOfSet(members, 'shown', ['ssn', 'last_name', 'id'])).toEqual(['last_name', 'id']);
    expect(columnsOfSet(claims, 'shown', ['date_of_service', 'id'])).toEqual([
      'date_of_service.first_day',
      'date_of_service.last_day',
      'id',
    ]);
  });

  it('for claims with lines are those of the list and the default ones of lines', () => {
    const both = columnsOfSet({ kind: 'claimLines', query: { entity: 'claims' } }, 'shown', ['id', 'status']);
    expect(both.slice(0, 3)).toEqual(['claim.id', 'claim.status', 'line.id']);
    expect(both).not.toContain('line.diagnosis_code');
    expect(both).toContain('line.amount_billed');
  });

  it('show what would be exported', () => {
    expect(say(members, ['archived'])).toBeNull();
    expect(say(members, ['last_name', 'ssn'], 412)).toBe(
      'identifiers of 412 people and Social Security numbers',
    );
    expect(say(members, ['ssn', 'date_of_birth'])).toBe('Social Security numbers and dates of birth');
    expect(say({ kind: 'list', query: { entity: 'lines' } }, ['diagnosis_code'])).toBe('diagnoses');
    expect(say(claims, ['review.note'])).toBe('private notes');
  });

  it('of the de-identified set identify no one', () => {
    const columns = findColumns(claims, new Set(columnsOfSet(claims, 'de-identified', [])));
    expect(columns.length).toBeGreaterThan(10);
    expect(describeWhatLeaves(columns, 412)).toBeNull();
    expect(columns.filter(({ kind }) => kind === 'date' || kind === 'dateTime' || kind === 'id')).toEqual([]);
  });

  it('are written to a file whose name the contract accepts and that names no person', () => {
    expect(suggestFileName(claims, 'xlsx', new Date(2026, 2, 9))).toBe('claims-2026-03-09.xlsx');
    const groups: ExportSource = { kind: 'groups', query: { entity: 'claims' }, by: 'status' };
    expect(suggestFileName(groups, 'csv', new Date(2026, 2, 9))).toBe('groups-2026-03-09.csv');
    const payments: ExportSource = { kind: 'payments', query: { entity: 'claims' } };
    expect(suggestFileName(payments, 'xlsx', new Date(2026, 2, 9))).toBe('payments-2026-03-09.xlsx');
    expect(say(payments, ['patient_name'])).toBe('identifiers of people');
  });
});

describe('a folder that syncs', () => {
  it.each([
    ['/home/ann/Dropbox/claims.csv', 'Dropbox'],
    ['C:\\Users\\Ann\\OneDrive - Acme Benefits\\claims.xlsx', 'OneDrive'],
    ['/Users/ann/Library/Mobile Documents/com~apple~CloudDocs/claims.csv', 'iCloud Drive'],
    ['/Users/ann/Library/CloudStorage/GoogleDrive-ann@example.com/My Drive/c.csv', 'Google Drive'],
    ['/home/ann/Downloads/Dropbox.csv', null],
    ['/home/ann/Boxes/claims.csv', null],
  ])('%s: %s', (path, cloud) => {
    expect(findCloudFolder(path)).toBe(cloud);
  });
});

describe('reduceExport', () => {
  const running: ExportState = { step: 'running', exportId: 'e', path: 'p', progress: null, row: 'row' };
  const files = [{ path: '/p', rows: 2, bytes: 9, sha256: 's', signaturePath: null }];
  const result = { exportId: 'e', rows: 2, files, seconds: 1 };
  const error = { code: 'disk.full', message: 'm', nextStep: 'n' } as const;

  it('goes from choosing to running to done', () => {
    const begun = reduceExport({ step: 'choosing', error: null }, { type: 'begun', path: 'p', row: 'row' });
    expect(reduceExport(begun, { type: 'started', exportId: 'e' })).toEqual(running);
    expect(reduceExport(running, { type: 'done', result })).toEqual({
      step: 'done',
      path: '/p',
      result,
      row: 'row',
    });
  });

  it('asks before it writes to a folder that syncs', () => {
    const chosen = { source: claims, format: 'csv' as const, columns: ['id'] };
    const question = { cloud: 'Dropbox', path: '/Dropbox/c.csv', targetId: 't', chosen };
    expect(reduceExport({ step: 'choosing', error: null }, { type: 'asked', question })).toEqual({
      step: 'asking',
      ...question,
    });
  });

  it('goes back to choosing, with the reason, if it fails', () => {
    expect(reduceExport(running, { type: 'failed', error })).toEqual({ step: 'choosing', error });
  });

  it('is not started by late events', () => {
    const idle: ExportState = { step: 'choosing', error: null };
    const progress = { exportId: 'e', rows: 1, total: 2, rowsPerSecond: 1, secondsLeft: null };
    expect(reduceExport(idle, { type: 'progress', progress })).toBe(idle);
    expect(reduceExport(idle, { type: 'started', exportId: 'e' })).toBe(idle);
  });
});
