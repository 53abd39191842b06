import { randomInt } from 'node:crypto';
import { z } from 'zod';
import {
  type Workspace,
  type WorkspaceTeam,
  workspaceColors,
  workspaceSchema,
} from '../../contract/workspace.ts';
import type { Clock } from '../lib/clock.ts';
import { DeskError } from '../lib/errors.ts';
import { openJsonFile } from '../lib/json-file.ts';
import { profilePaths } from '../lib/paths.ts';
import { normalizeBaseUrl, normalizeEmail } from './workspace-address.ts';
import { cleanWorkspaceName, findWorkspace, makeFreeName } from './workspace-lookup.ts';

type Changeable = { [Name in 'name' | 'color' | 'header' | 'scheme']?: Workspace[Name] | undefined };
type NewWorkspace = Changeable &
  Pick<Workspace, 'baseUrl' | 'email'> & { isSample?: boolean | undefined; awaitsTeam?: true | undefined };
/** `awaitsTeam` false: it is used without a team. */
type WorkspaceChanges = Changeable & { awaitsTeam?: false | undefined };

/** The workspaces of a profile. Every method reads the file again; all reject with `profile.damaged`. */
export interface WorkspaceBook {
  list(): Promise<Workspace[]>;
  /** @throws DeskError `workspace.unknown` */
  get(id: string): Promise<Workspace>;
  /** @throws DeskError `workspace.missing`, `workspace.ambiguous` (`details.names`), `workspace.unknown` */
  resolve(nameOrId?: string): Promise<Workspace>;
  /** @throws DeskError `workspace.badUrl`, `.insecureUrl`, `.badEmail`, `.duplicate`, `.nameTaken`; `disk.full` */
  add(input: NewWorkspace): Promise<Workspace>;
  /** Changes the given facts. @throws DeskError `workspace.unknown`, `workspace.nameTaken` */
  update(id: string, changes: WorkspaceChanges): Promise<Workspace>;
  /** Accepts for a day that a service's clock is off by this much. @throws DeskError `workspace.unknown` */
  acceptClock(id: string, offsetSeconds: number): Promise<Workspace>;
  /**
   * Stores how many records a page of this service has; null: no limit is known.
   * @throws DeskError `workspace.unknown`
   */
  keepPageSize(id: string, perPage: number | null): Promise<Workspace>;
  /** Sets the SSH key that signs; null: none. @throws DeskError `workspace.unknown` */
  setKey(id: string, keyId: string | null): Promise<Workspace>;
  /** Sets the team that shares its reviews; null: none. @throws DeskError `workspace.unknown` */
  setTeam(id: string, team: WorkspaceTeam | null): Promise<Workspace>;
  /** @throws DeskError `workspace.unknown` */
  activate(id: string): Promise<Workspace>;
  /**
   * Removes the workspace from the book; its folder and its secrets are removed before.
   * @throws DeskError `workspace.unknown`
   */
  remove(id: string): Promise<void>;
  getActiveId(): Promise<string | null>;
}

const bookSchema = z
  .object({ version: z.literal(1), activeId: z.string().nullable(), workspaces: z.array(workspaceSchema) })
  .refine((book) => new Set(book.workspaces.map(({ id }) => id)).size === book.workspaces.length)
  .refine((book) => book.activeId === null || book.workspaces.some(({ id }) => id === book.activeId));
type Book = z.infer<typeof bookSchema>;

/** How a token is sent by default (docs/service.md, "SSH-JWT"). */
const defaultHeader = 'Authorization';
const defaultScheme = 'SSH-JWT';

const acceptedMs = 24 * 3_600_000;

/** The accepted offset of the service's clock that is still in effect; null: none. Seconds. */
export const readAcceptedOffset = ({ acceptedClock }: Workspace, nowMs: number): number | null =>
  acceptedClock !== undefined && Date.parse(acceptedClock.until) > nowMs ? acceptedClock.offsetSeconds : null;

/** Opens `workspaces.json` of a profile. The first workspace becomes the active one. */
export function createWorkspaceBook({
  profileDir,
  clock,
}: {
  profileDir: string;
  clock: Clock;
}): WorkspaceBook {
  const empty: Book = { version: 1, activeId: null, workspaces: [] };
  const file = openJsonFile<Book>(profilePaths(profileDir).workspaces, bookSchema, empty);

  const changeOne = (id: string, apply: (workspace: Workspace, all: Workspace[]) => Workspace) =>
    file.change((book) => {
      const result = apply(requireWorkspace(book.workspaces, id), book.workspaces);
      const workspaces = book.workspaces.map((workspace) => (workspace.id === id ? result : workspace));
      return { next: { ...book, workspaces }, result };
    });

  return {
    list: async () => (await file.read()).workspaces,
    get: async (id) => requireWorkspace((await file.read()).workspaces, id),
    resolve: async (nameOrId) => findWorkspace((await file.read()).workspaces, nameOrId),
    getActiveId: async () => (await file.read()).activeId,
    add: (input) =>
      file.change((book) => {
        const workspace = makeWorkspace(book.workspaces, input, clock.now());
        const activeId = book.activeId ?? workspace.id;
        return {
          next: { ...book, activeId, workspaces: [...book.workspaces, workspace] },
          result: workspace,
        };
      }),
    update: (id, changes) => changeOne(id, (workspace, all) => applyChanges(workspace, all, changes)),
    acceptClock: (id, offsetSeconds) =>
      changeOne(id, (workspace) => ({
        ...workspace,
        acceptedClock: { offsetSeconds, until: new Date(clock.now() + acceptedMs).toISOString() },
      })),
    keepPageSize: (id, perPage) =>
      changeOne(id, ({ pageSize: _before, ...workspace }) => ({
        ...workspace,
        ...(perPage === null
          ? {}
          : { pageSize: { perPage, learnedAt: new Date(clock.now()).toISOString() } }),
      })),
    setKey: (id, keyId) => changeOne(id, (workspace) => ({ ...workspace, keyId })),
    setTeam: (id, team) =>
      changeOne(id, ({ team: _before, awaitsTeam: _awaited, ...workspace }) => ({
        ...workspace,
        ...(team === null ? {} : { team }),
      })),
    activate: (id) =>
      file.change((book) => {
        const result = requireWorkspace(book.workspaces, id);
        return { next: book.activeId === id ? book : { ...book, activeId: id }, result };
      }),
    remove: (id) =>
      file.change((book) => {
        requireWorkspace(book.workspaces, id);
        const workspaces = book.workspaces.filter((workspace) => workspace.id !== id);
        // Another workspace becomes active only if it is the only one left: users must not see another tenant's data
        // without asking for it.
        const only = workspaces.length === 1 ? (workspaces[0]?.id ?? null) : null;
        const activeId = book.activeId === id ? only : book.activeId;
        return { next: { ...book, activeId, workspaces }, result: undefined };
      }),
  };
}

function requireWorkspace(workspaces: readonly Workspace[], id: string): Workspace {
  const workspace = workspaces.find((candidate) => candidate.id === id);
  if (workspace === undefined) throw new DeskError('workspace.unknown');
  return workspace;
}

/** A new workspace beside these. @throws DeskError as `add` of the book */
function makeWorkspace(workspaces: readonly Workspace[], input: NewWorkspace, nowMs: number): Workspace {
  const baseUrl = normalizeBaseUrl(input.baseUrl);
  const email = normalizeEmail(input.email);
  requireNew(workspaces, baseUrl, email);
  const name = decideName(workspaces, input.name, baseUrl);
  return {
    id: makeId(name, workspaces),
    name,
    baseUrl,
    email,
    header: input.header ?? defaultHeader,
    scheme: input.scheme ?? defaultScheme,
    color: input.color ?? pickColor(workspaces),
    isSample: input.isSample ?? false,
    keyId: null,
    createdAt: new Date(nowMs).toISOString(),
    ...(input.awaitsTeam && { awaitsTeam: true }),
  };
}

/** The workspace with these changes. @throws DeskError `workspace.nameTaken` */
function applyChanges(
  workspace: Workspace,
  all: readonly Workspace[],
  { name, color, header, scheme, awaitsTeam }: WorkspaceChanges,
): Workspace {
  const cleaned = cleanWorkspaceName(name ?? '') ?? workspace.name;
  requireFreeName(
    all.filter((other) => other.id !== workspace.id),
    cleaned,
  );
  const { awaitsTeam: awaited, ...kept } = workspace;
  return {
    ...kept,
    ...(awaited && awaitsTeam !== false && { awaitsTeam: awaited }),
    name: cleaned,
    color: color ?? workspace.color,
    header: header ?? workspace.header,
    scheme: scheme ?? workspace.scheme,
  };
}

function requireNew(workspaces: readonly Workspace[], baseUrl: string, email: string): void {
  const same = workspaces.find(
    (other) => other.baseUrl === baseUrl && other.email.toLowerCase() === email.toLowerCase(),
  );
  if (same !== undefined)
    throw new DeskError('workspace.duplicate', { details: { workspaceId: same.id, name: same.name } });
}

function requireFreeName(workspaces: readonly Workspace[], name: string): void {
  const isTaken = workspaces.some((other) => other.name.toLowerCase() === name.toLowerCase());
  if (isTaken) throw new DeskError('workspace.nameTaken', { details: { name } });
}

/** A chosen name must be unused; a name that is made from the address gets a number instead. */
function decideName(workspaces: readonly Workspace[], chosen: string | undefined, baseUrl: string): string {
  const name = cleanWorkspaceName(chosen ?? '');
  if (name === null) return makeFreeName(workspaces, new URL(baseUrl).host);
  requireFreeName(workspaces, name);
  return name;
}

function pickColor(workspaces: readonly Workspace[]): Workspace['color'] {
  const unused = workspaceColors.find((color) => workspaces.every((other) => other.color !== color));
  return unused ?? workspaceColors[workspaces.length % workspaceColors.length] ?? 'blue';
}

/** Makes an ID that is readable in a path and was never used by a removed workspace, whose files may remain. */
function makeId(name: string, workspaces: readonly Workspace[]): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 30)
    .replace(/-+$/, '');
  for (;;) {
    const id = `${slug === '' ? 'workspace' : slug}-${randomInt(36 ** 4, 36 ** 5).toString(36)}`;
    if (workspaces.every((other) => other.id !== id)) return id;
  }
}
