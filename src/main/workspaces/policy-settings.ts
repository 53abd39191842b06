import { limitRefresh, type Policy } from '../../contract/policy.ts';
import { defaultSettings, type Settings } from '../../contract/settings.ts';
import { DeskError } from '../lib/errors.ts';
import type { SettingsFile } from './settings-file.ts';

/**
 * Limits the settings to the policy, even if the file has others: the user may have chosen a setting before the policy
 * existed. `set` throws `policy.setByOrganization` for a value that the policy does not allow.
 */
export function limitSettings(file: SettingsFile, policy: Policy): SettingsFile {
  const { maxLockMinutes, minAuditYears } = policy;
  const limit = (settings: Settings): Settings => ({
    ...settings,
    lockAfterMinutes: Math.min(settings.lockAfterMinutes, maxLockMinutes ?? settings.lockAfterMinutes),
    autoRefreshMinutes: limitRefresh(settings.autoRefreshMinutes, policy),
    installsUpdates: settings.installsUpdates && policy.allowUpdates !== false,
    backupFolder: policy.backupFolder ?? settings.backupFolder,
    auditYears: Math.max(settings.auditYears, minAuditYears ?? settings.auditYears),
  });
  return {
    get: async () => limit(await file.get()),
    async set(changes) {
      const allowed = limit({ ...defaultSettings, ...changes } as Settings);
      const isBeyond = Object.entries(changes).some(
        ([name, value]) => value !== undefined && allowed[name as keyof Settings] !== value,
      );
      if (isBeyond) throw new DeskError('policy.setByOrganization');
      return limit(await file.set(changes));
    },
  };
}
