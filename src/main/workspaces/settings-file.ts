import { defaultSettings, type Settings, settingsSchema } from '../../contract/settings.ts';
import type { Workspace } from '../../contract/workspace.ts';
import { openJsonFile } from '../lib/json-file.ts';
import { profilePaths } from '../lib/paths.ts';
import { hasOldKeys, moveToServices } from './service-keys.ts';

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

/** Opens `settings.json` of a profile. `listWorkspaces`: those of the profile, for settings that version 0.2 wrote. */
export function createSettingsFile({
  profileDir,
  listWorkspaces,
}: {
  profileDir: string;
  listWorkspaces: () => Promise<readonly Workspace[]>;
}): SettingsFile {
  const file = openJsonFile<Settings>(profilePaths(profileDir).settings, fileSchema, defaultSettings);
  return {
    async get() {
      const settings = await file.read();
      return hasOldKeys(settings) ? moveToServices(settings, await listWorkspaces()) : settings;
    },
    async set(changes) {
      const workspaces = await listWorkspaces();
      return file.change((current) => {
        const next = fileSchema.parse(withDefined(moveToServices(current, workspaces), changes));
        return { next, result: next };
      });
    },
  };
}
