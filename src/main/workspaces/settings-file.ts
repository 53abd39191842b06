import { type Settings, settingsSchema } from '../../contract/workspace.ts';
import { openJsonFile } from '../lib/json-file.ts';
import { profilePaths } from '../lib/paths.ts';

export const defaultSettings: Settings = {
  theme: 'system',
  lockAfterMinutes: 10,
  density: 'compact',
  keyReminderDays: 365,
  autoRefreshMinutes: 0,
  isDeskMode: false,
  planYearStart: 1,
};

/** The settings of a profile. */
export interface SettingsFile {
  /** @throws DeskError `profile.damaged` */
  get(): Promise<Settings>;
  /** Changes what is given and keeps the rest. @throws DeskError `profile.damaged`, `disk.full`, `profile.unwritable` */
  set(changes: { [K in keyof Settings]?: Settings[K] | undefined }): Promise<Settings>;
}

/** A setting that an older Claimdesk did not write yet has its default; one out of range is damage. */
const fileSchema = settingsSchema.partial().transform(
  (stored): Settings => ({
    theme: stored.theme ?? defaultSettings.theme,
    lockAfterMinutes: stored.lockAfterMinutes ?? defaultSettings.lockAfterMinutes,
    density: stored.density ?? defaultSettings.density,
    keyReminderDays: stored.keyReminderDays ?? defaultSettings.keyReminderDays,
    autoRefreshMinutes: stored.autoRefreshMinutes ?? defaultSettings.autoRefreshMinutes,
    isDeskMode: stored.isDeskMode ?? defaultSettings.isDeskMode,
    planYearStart: stored.planYearStart ?? defaultSettings.planYearStart,
  }),
);

/** Opens `settings.json` of a profile. */
export function createSettingsFile({ profileDir }: { profileDir: string }): SettingsFile {
  const file = openJsonFile<Settings>(profilePaths(profileDir).settings, fileSchema, defaultSettings);
  return {
    get: () => file.read(),
    set: (changes) =>
      file.change((current) => {
        const next = fileSchema.parse({
          theme: changes.theme ?? current.theme,
          lockAfterMinutes: changes.lockAfterMinutes ?? current.lockAfterMinutes,
          density: changes.density ?? current.density,
          keyReminderDays: changes.keyReminderDays ?? current.keyReminderDays,
          autoRefreshMinutes: changes.autoRefreshMinutes ?? current.autoRefreshMinutes,
          isDeskMode: changes.isDeskMode ?? current.isDeskMode,
          planYearStart: changes.planYearStart ?? current.planYearStart,
        });
        return { next, result: next };
      }),
  };
}
