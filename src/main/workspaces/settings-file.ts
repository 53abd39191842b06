import { employerKeyOf, serviceOf } from '../../contract/reimbursement.ts';
import { defaultSettings, type Settings, settingsSchema } from '../../contract/settings.ts';
import type { Workspace } from '../../contract/workspace.ts';
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

/** Settings that version 0.2 stored by `workspace ID/employer ID`, or by workspace ID. An ID has no colon, an address has. */
type ByService = Pick<Settings, 'planYearStarts' | 'reimbursementRules'>;

const hasOldKeys = ({ planYearStarts, reimbursementRules }: ByService): boolean =>
  [planYearStarts, reimbursementRules].some((values) =>
    Object.keys(values).some((key) => !key.includes(':')),
  );

/**
 * Stores them by service. Where workspaces of one service say different things, the first that a person added does; what a
 * workspace said that is no longer there goes.
 */
function moveToServices<S extends ByService>(settings: S, workspaces: readonly Workspace[]): S {
  const move = <T>(values: Readonly<Record<string, T>>): Record<string, T> => {
    const moved = Object.fromEntries(Object.entries(values).filter(([key]) => key.includes(':')));
    for (const workspace of workspaces) {
      for (const [key, value] of Object.entries(values)) {
        const [id, employerId] = key.split('/');
        if (id !== workspace.id) continue;
        const newKey = employerKeyOf(
          serviceOf(workspace),
          employerId === undefined ? null : Number(employerId),
        );
        moved[newKey] ??= value;
      }
    }
    return moved;
  };
  return {
    ...settings,
    planYearStarts: move(settings.planYearStarts),
    reimbursementRules: move(settings.reimbursementRules),
  };
}
