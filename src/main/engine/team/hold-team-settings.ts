import { randomUUID } from 'node:crypto';
import { letterEmployerIn } from '../../../contract/letter-settings.ts';
import { findTemplates, templatesName, toStored, usualTemplates } from '../../../contract/note-templates.ts';
import type { SavedView } from '../../../contract/store.ts';
import { findRules, toStoredRules } from '../../../contract/stored-rules.ts';
import { changesOfOwn } from '../../../contract/workspace-settings.ts';
import type { DecisionRule } from '../../../rules/decide/decision-rule.ts';
import {
  listChangedSettings,
  maxTeamChanges,
  mayChange,
  type TeamChange,
  teamChangeSchema,
} from '../../../rules/review/team-settings.ts';
import { countAdmins, findMember } from '../../../team-protocol/membership.ts';
import type { MainCalls } from '../../lib/engine-protocol.ts';
import { DeskError } from '../../lib/errors.ts';
import { foldSettingFacts } from '../store/user-data/setting-facts.ts';
import type { TeamPorts, TeamSession } from './team-ports.ts';

type Ports = Pick<TeamPorts, 'getUserData'>;
type FoldedSettings = ReturnType<typeof foldSettingFacts>;

/**
 * The settings of a workspace's team, with changes of this computer that were not sent yet; null: it has no team, or
 * the team has no settings yet.
 */
export async function readTeamSettings(
  { getUserData }: Ports,
  workspaceId: string,
): Promise<FoldedSettings | null> {
  const userData = await getUserData(workspaceId);
  if (!userData.isThere()) return null;
  const { kept, unsent } = await userData.call('readTeamFacts', { workspaceId, kind: 'teamSettings' });
  return kept.length + unsent.length === 0 ? null : foldSettingFacts({ kept, unsent });
}

interface Held {
  readonly current: readonly TeamChange[];
  /** Whether windows were notified of these settings. */
  readonly isReported: boolean;
}

const changesOf = (folded: FoldedSettings | null): TeamChange[] =>
  folded?.current.map(({ change }) => change) ?? [];

/** The settings of teams that apply on this computer, by engine and workspace. */
const heldBy = new WeakMap<MainCalls, Map<string, Held>>();
function heldOf(main: MainCalls): Map<string, Held> {
  const held = heldBy.get(main) ?? new Map<string, Held>();
  heldBy.set(main, held);
  return held;
}

/** Reads the settings of the team before its log is read, so that changes can be found. */
export async function readSettingsBefore(
  ports: Ports & Pick<TeamPorts, 'main'>,
  workspaceId: string,
): Promise<void> {
  const held = heldOf(ports.main);
  if (held.has(workspaceId)) return;
  const folded = await readTeamSettings(ports, workspaceId);
  held.set(workspaceId, { current: changesOf(folded), isReported: false });
}

/**
 * Applies the settings of the team on this computer: main stores them, what depends on them is computed again, and the
 * audit log lists those that changed. `by`: who changed them. Returns the minimum version that may send to the team;
 * null: any.
 */
export async function holdTeamSettings(
  ports: Ports & Pick<TeamPorts, 'main' | 'onSettings' | 'auditAction'>,
  workspaceId: string,
  by: 'here' | 'team' = 'team',
): Promise<string | null> {
  const folded = await readTeamSettings(ports, workspaceId);
  if (folded === null) return null;
  const { settings } = folded;
  const current = changesOf(folded);
  await ports.main.keepTeamSettings({ workspaceId, settings });
  const held = heldOf(ports.main);
  const before = held.get(workspaceId) ?? { current, isReported: false };
  const names = listChangedSettings(before.current, current);
  if (names.length > 0)
    await ports.auditAction(workspaceId, 'team.settingsChanged', { names: names.join(' '), by });
  held.set(workspaceId, { current, isReported: true });
  if (names.length > 0 || !before.isReported) ports.onSettings(workspaceId);
  return settings.minVersion ?? null;
}

/** A rule decides only where it was switched on; elsewhere it proposes until it is switched on again. */
const withoutDeciding = (rule: DecisionRule): DecisionRule =>
  rule.state === 'do' ? { ...rule, state: 'propose', confirmedBy: null } : rule;

/** The settings of this workspace as changes, for a team that has none yet. */
async function readOwn({ main, getUserData }: Ports & Pick<TeamPorts, 'main'>, workspaceId: string) {
  const [{ workspace }, settings, userData] = await Promise.all([
    main.findWorkspace(workspaceId),
    main.getSettings(workspaceId),
    getUserData(workspaceId),
  ]);
  const views = userData.isThere() ? await userData.call('listViews', { workspaceId }) : [];
  const { texts } = findTemplates(views);
  const templates: TeamChange[] =
    texts.join('\n') === usualTemplates.join('\n') ? [] : [{ setting: 'noteTemplates', value: [...texts] }];
  const { rules } = findRules(views);
  const ofRules = rules.map(
    (rule): TeamChange => ({ setting: 'decisionRule', id: rule.id, value: withoutDeciding(rule) }),
  );
  const letters = views.flatMap(({ name, query }): TeamChange[] =>
    letterEmployerIn(name) === null ? [] : [{ setting: 'view', name, value: query }],
  );
  const order: TeamChange[] =
    rules.length > 1 ? [{ setting: 'decisionRuleOrder', value: rules.map(({ id }) => id) }] : [];
  return [...changesOfOwn(settings, workspace), ...templates, ...ofRules, ...order, ...letters];
}

/**
 * Changes settings of the team for all of its computers. The first change turns the settings of this workspace into the
 * team's.
 * @throws DeskError `team.notMember`, `team.notAdmin`, `usage.invalid`, `store.*`
 */
export async function changeTeamSettings(
  ports: TeamPorts,
  { workspaceId, log, computer }: Pick<TeamSession, 'workspaceId' | 'log' | 'computer'>,
  changes: readonly TeamChange[],
): Promise<void> {
  const { members } = log.state.members;
  const role = findMember(members, computer)?.role;
  if (role === undefined) throw new DeskError('team.notMember');
  const isFirst = (await readTeamSettings(ports, workspaceId)) === null;
  const all = isFirst ? [...(await readOwn(ports, workspaceId)), ...changes] : changes;
  if (!all.every((change) => mayChange(role, change, countAdmins(members))))
    throw new DeskError('team.notAdmin');
  // Every computer drops changes that the schema does not accept.
  if (!changes.every((change) => teamChangeSchema.safeParse(change).success))
    throw new DeskError('usage.invalid');
  for (let at = 0; at < all.length; at += maxTeamChanges)
    await ports.appendTeamFact(workspaceId, {
      kind: 'teamSettings',
      changes: all.slice(at, at + maxTeamChanges),
    });
  await holdTeamSettings(ports, workspaceId, 'here');
}

const ofTeam = (name: string, query: string, at: string): SavedView => ({
  ...{ id: `team:${name}`, name, query, createdAt: at, updatedAt: at, isOfTeam: true },
});

/** The saved views of a workspace and of its team; the team's note templates replace its own. */
export function withTeamViews(ownViews: readonly SavedView[], folded: FoldedSettings | null): SavedView[] {
  if (folded === null) return [...ownViews];
  const { views, noteTemplates } = folded;
  const at = folded.history.at(-1)?.at ?? '';
  const templates = toStored(noteTemplates ?? usualTemplates);
  return [
    ...ownViews.filter(({ name }) => name !== templatesName),
    ofTeam(templates.name, templates.query, at),
    ...[...views].map(([name, query]) => ofTeam(name, query, at)),
  ];
}

/**
 * Keeps the note templates, views and rules of the team in the workspace when it leaves the team. Its own rules that
 * the team never had stay.
 */
export async function keepTeamViews(
  { main, getUserData, now }: TeamPorts,
  workspaceId: string,
): Promise<void> {
  const folded = await readTeamSettings({ getUserData }, workspaceId);
  heldOf(main).delete(workspaceId);
  if (folded === null) return;
  const userData = await getUserData(workspaceId);
  const ownViews = await userData.call('listViews', { workspaceId });
  const at = new Date(now(workspaceId)).toISOString();
  const stored = findRules(ownViews);
  const shared = new Set(
    folded.history.flatMap(({ change }) => (change.setting === 'decisionRule' ? [change.id] : [])),
  );
  const kept = stored.rules.filter((rule) => !shared.has(rule.id));
  const rules = toStoredRules([...kept, ...folded.decisionRules].map(withoutDeciding), stored.unread);
  for (const { name, query, isOfTeam } of [
    ...withTeamViews(ownViews, folded),
    ofTeam(rules.name, rules.query, at),
  ]) {
    if (isOfTeam !== true || ownViews.some((view) => view.name === name && view.query === query)) continue;
    // Settings that are stored as views have reserved names, which lists of users can't have.
    const ownView = name.startsWith('$') ? ownViews.find((view) => view.name === name) : undefined;
    const id = ownView?.id ?? randomUUID();
    const row = { id, workspace_id: workspaceId, name, query, created_at: at, updated_at: at };
    await userData.call('saveView', row);
  }
}
