import {
  defaultReimbursementRules,
  employerKeyOf,
  serviceOf,
  usualCauses,
} from '../rules/money/reimbursement.ts';
import { changesOfRules, type TeamChange, type TeamSettings } from '../rules/review/team-settings.ts';
import { defaultSettings, type Settings } from './settings.ts';
import type { Workspace } from './workspace.ts';

type Of = Pick<Workspace, 'id' | 'baseUrl' | 'isSample' | 'team'>;

/** The settings of the workspace's team; null: it has its own. */
export const teamSettingsOf = ({ ofTeams }: Settings, { id, team }: Of): TeamSettings | null =>
  (team === undefined ? undefined : ofTeams[id]) ?? null;

/** Settings with these values under the key instead of those that are there. */
function replace<T>(
  all: Readonly<Record<string, T>>,
  isReplaced: (key: string) => boolean,
  values: Readonly<Record<string, T>>,
): Record<string, T> {
  return { ...Object.fromEntries(Object.entries(all).filter(([key]) => !isReplaced(key))), ...values };
}

/**
 * The settings that apply in a workspace: those of its team where it has any, so that all computers of the team count
 * the same, else its own. Only this function decides that.
 */
export function settingsOf(settings: Settings, workspace: Of): Settings {
  const team = teamSettingsOf(settings, workspace);
  return team === null ? settings : { ...settings, ...toOwn(settings, workspace, team) };
}

/** The settings of a team in the form of own ones, which a workspace keeps when it leaves the team. */
export function toOwn(
  settings: Settings,
  workspace: Of,
  team: TeamSettings,
): Pick<
  Settings,
  | 'planYearStart'
  | 'planYearStarts'
  | 'reimbursementRules'
  | 'planRules'
  | 'runLayouts'
  | 'reviewsFrom'
  | 'declineCauses'
> {
  const service = serviceOf(workspace);
  const isOfService = (key: string): boolean => key === service || key.startsWith(`${service}#`);
  const byKey = <T>(values: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(
      Object.entries(values).map(([employer, value]) => [
        employerKeyOf(service, employer === '' ? null : Number(employer)),
        value,
      ]),
    );
  const { '': general = defaultSettings.planYearStart, ...starts } = team.planYearStarts;
  const forAll = { ...defaultReimbursementRules, ...definedOf(team.rules[''] ?? {}) };
  const rules = Object.fromEntries(
    Object.entries({ '': {}, ...team.rules }).map(([employer, employerRules]) => [
      employer,
      { ...forAll, ...definedOf(employerRules) },
    ]),
  );
  const isWorkspace = (key: string): boolean => key === workspace.id;
  const byWorkspace = <T>(value: T | undefined): Record<string, T> =>
    value === undefined ? {} : { [workspace.id]: value };
  return {
    planYearStart: general,
    planYearStarts: replace(settings.planYearStarts, isOfService, byKey(starts)),
    reimbursementRules: replace(settings.reimbursementRules, isOfService, byKey(rules)),
    planRules: replace(settings.planRules, isOfService, byKey(team.planRules ?? {})),
    runLayouts: replace(settings.runLayouts, isOfService, byKey(team.runLayouts ?? {})),
    reviewsFrom: replace(settings.reviewsFrom, isWorkspace, byWorkspace(team.reviewsFrom)),
    declineCauses: replace(settings.declineCauses, isWorkspace, byWorkspace(team.declineCauses)),
  };
}

/** An object without properties that are undefined, which would replace values. */
const definedOf = <T extends object>(
  values: T,
): { [K in keyof T]?: NonNullable<T[K]> | Extract<T[K], null> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;

/** The changes that give a new team the settings of its workspace. */
export function changesOfOwn(settings: Settings, workspace: Of): TeamChange[] {
  const service = serviceOf(workspace);
  const employerOf = (key: string): number | null | undefined =>
    key === service
      ? null
      : key.startsWith(`${service}#`)
        ? Number(key.slice(service.length + 1))
        : undefined;
  const perEmployer = <T>(
    values: Readonly<Record<string, T>>,
    toChanges: (employerId: number | null, value: T) => TeamChange[],
  ): TeamChange[] =>
    Object.entries(values).flatMap(([key, value]) => {
      const employerId = employerOf(key);
      return employerId === undefined ? [] : toChanges(employerId, value);
    });
  const reviewsFrom = settings.reviewsFrom[workspace.id];
  const causes = settings.declineCauses[workspace.id];
  return [
    { setting: 'planYearStart', employerId: null, value: settings.planYearStart },
    ...perEmployer(settings.planYearStarts, (employerId, value) => [
      { setting: 'planYearStart', employerId, value },
    ]),
    ...perEmployer(settings.reimbursementRules, (employerId, rules) => changesOfRules(employerId, rules)),
    ...perEmployer(settings.planRules, (employerId, value) => [{ setting: 'planRules', employerId, value }]),
    ...perEmployer(settings.runLayouts, (employerId, value) => [{ setting: 'runLayout', employerId, value }]),
    ...(reviewsFrom === undefined ? [] : [{ setting: 'reviewsFrom' as const, value: reviewsFrom }]),
    ...(causes === undefined || causes.join('\n') === usualCauses.join('\n')
      ? []
      : [{ setting: 'declineCauses' as const, value: causes }]),
  ];
}
