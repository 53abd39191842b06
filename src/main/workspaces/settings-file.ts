import { defaultSettings, type Settings, settingsSchema } from '../../contract/settings.ts';
import type { Workspace } from '../../contract/workspace.ts';
import { employerKeyOf, serviceOf } from '../../rules/money/reimbursement.ts';
import { openJsonFile } from '../lib/json-file.ts';
import { profilePaths } from '../lib/paths.ts';

export interface SettingsFile {
  /** @throws DeskError `profile.damaged` */
  get(): Promise<Settings>;
  /**
   * Changes the given settings and keeps the others.
   * @throws DeskError `profile.damaged`, `disk.full`, `profile.unwritable`
   */
  set(changes: Changes): Promise<Settings>;
}

/**
 * A setting that an older version did not write gets its default; a value out of range means that the file is damaged.
 */
const fileSchema = settingsSchema
  .partial()
  .transform((stored): Settings => withDefined(defaultSettings, stored));

type Changes = { [K in keyof Settings]?: Settings[K] | undefined };

function withDefined(settings: Settings, changes: Changes): Settings {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...settings, ...(Object.fromEntries(given) as Partial<Settings>) };
}

/**
 * Opens `settings.json` of a profile. `listWorkspaces` returns its workspaces, needed to convert settings of version
 * 0.2.
 */
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
 * Converts these settings to be stored by service. Where workspaces of one service differ, the one that was added
 * first decides; settings of a removed workspace are dropped.
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
