import { expect, test } from 'vitest';
import { toExportError } from '../../../../../src/main/engine/export/export-error.ts';
import { DeskError } from '../../../../../src/main/lib/errors.ts';

test.each([
  ['ENOENT', 'export.targetMissing'],
  ['ENOTDIR', 'export.targetMissing'],
  ['EBUSY', 'export.targetBusy'],
  ['EPERM', 'export.unwritable'],
  ['EIO', 'export.driveFailed'],
  ['ESTALE', 'export.driveFailed'],
  ['EHOSTDOWN', 'export.driveFailed'],
  ['ECONNRESET', 'export.driveFailed'],
  ['EACCES', 'export.unwritable'],
  ['EROFS', 'export.unwritable'],
  ['EISDIR', 'export.unwritable'],
  ['ENAMETOOLONG', 'export.nameTooLong'],
  ['ENOSPC', 'disk.full'],
  ['EDQUOT', 'disk.full'],
  ['SQLITE_CORRUPT', 'store.damaged'],
  ['EWHATEVER', 'internal.fault'],
])('%s is %s, and the path is not shown', (code, expected) => {
  const error = toExportError(Object.assign(new Error('/home/ann/claims.csv'), { code }));
  expect(error.code).toBe(expected);
  expect(JSON.stringify([error.message, error.details])).not.toContain('ann');
});

test.each(['EPERM', 'EACCES', 'EBUSY'])('%s when the target is replaced: it is open elsewhere', (code) => {
  const held = Object.assign(new Error('held'), { code, syscall: 'rename' });
  expect(toExportError(held).code).toBe('export.targetBusy');
});

test('errors with a code of ours keep it', () => {
  const error = new DeskError('export.canceled');
  expect(toExportError(error)).toBe(error);
  expect(toExportError(null).code).toBe('internal.fault');
});
