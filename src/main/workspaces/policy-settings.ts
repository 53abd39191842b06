import type { Policy } from '../../contract/policy.ts';
import type { Settings } from '../../contract/settings.ts';
import { DeskError } from '../lib/errors.ts';
import type { SettingsFile } from './settings-file.ts';

/**
 * Limits the settings to the policy, whatever the file holds: the user may have chosen a setting before the
 * policy existed. `set` throws `policy.setByOrganization` for a value that the policy does not allow.
 */
export function limitSettings(file: SettingsFile, policy: Policy): SettingsFile {
  const { maxLockMinutes, minAuditYears, backupFolder } = policy;
  const mayUpdate = policy.allowUpdates !== false;
  const limit = (settings: Settings): Settings => ({
    ...settings,
    lockAfterMinutes: Math.min(settings.lockAfterMinutes, maxLockMinutes ?? settings.lockAfterMinutes),
    installsUpdates: settings.installsUpdates && mayUpdate,
    backupFolder: backupFolder ?? settings.backupFolder,
    auditYears: Math.max(settings.auditYears, minAuditYears ?? settings.auditYears),
  });
  return {
    get: async () => limit(await file.get()),
    async set(changes) {
      const isBeyond =
        (changes.installsUpdates === true && !mayUpdate) ||
        (backupFolder !== undefined && (changes.backupFolder ?? backupFolder) !== backupFolder) ||
        (maxLockMinutes !== undefined && (changes.lockAfterMinutes ?? 0) > maxLockMinutes) ||
        (minAuditYears !== undefined && (changes.auditYears ?? minAuditYears) < minAuditYears);
      if (isBeyond) throw new DeskError('policy.setByOrganization');
      return limit(await file.set(changes));
    },
  };
}
