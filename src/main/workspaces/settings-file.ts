import { defaultSettings, type Settings, settingsSchema } from '../../contract/workspace.ts';
import { openJsonFile } from '../lib/json-file.ts';
import { profilePaths } from '../lib/paths.ts';

/** The settings of a profile. */
export interface SettingsFile {
  /** @throws DeskError `profile.damaged` */
  get(): Promise<Settings>;
  /** Changes what is given and keeps the rest. @throws DeskError `profile.damaged`, `disk.full`, `profile.unwritable` */
  set(changes: Changes): Promise<Settings>;
}

/** A setting that an older Claimdesk did not write yet has its default; one out of range is damage. */
const fileSchema = settingsSchema
  .partial()
  .transform((stored): Settings => withDefined(defaultSettings, stored));

type Changes = { [K in keyof Settings]?: Settings[K] | undefined };

/** The settings with those that are given in place of the old ones. */
function withDefined(settings: Settings, changes: Changes): Settings {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...settings, ...(Object.fromEntries(given) as Partial<Settings>) };
}

/** Opens `settings.json` of a profile. */
export function createSettingsFile({ profileDir }: { profileDir: string }): SettingsFile {
  const file = openJsonFile<Settings>(profilePaths(profileDir).settings, fileSchema, defaultSettings);
  return {
    get: () => file.read(),
    set: (changes) =>
      file.change((current) => {
        const next = fileSchema.parse(withDefined(current, changes));
        return { next, result: next };
      }),
  };
}
