import type { Workspace } from '../../contract/workspace.ts';
import { DeskError } from '../lib/errors.ts';

/**
 * Finds a workspace by ID, by exact name, then by name without case; without a name, the only workspace.
 * @throws DeskError `workspace.missing`, `workspace.unknown`, `workspace.ambiguous` with the names in `details`
 */
export function findWorkspace(workspaces: readonly Workspace[], nameOrId: string | undefined): Workspace {
  if (nameOrId === undefined) {
    const [first, second] = workspaces;
    if (first === undefined) throw new DeskError('workspace.missing');
    if (second !== undefined) throw ambiguous(workspaces);
    return first;
  }
  const typed = nameOrId.trim();
  const exact =
    workspaces.find(({ id }) => id === typed) ?? workspaces.find(({ name }) => name === typed) ?? null;
  if (exact !== null) return exact;
  const alike = workspaces.filter(({ name }) => name.toLowerCase() === typed.toLowerCase());
  const [first, second] = alike;
  if (first === undefined)
    throw new DeskError(workspaces.length === 0 ? 'workspace.missing' : 'workspace.unknown');
  if (second !== undefined) throw ambiguous(alike);
  return first;
}

/** Trimmed, one line, at most 80 characters; null if nothing is left. */
export function cleanWorkspaceName(name: string): string | null {
  const cleaned = name
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 80)
    .trim();
  return cleaned === '' ? null : cleaned;
}

/** The name, or the name with the first number that no other workspace has. */
export function makeFreeName(workspaces: readonly Workspace[], name: string): string {
  const isFree = (candidate: string) =>
    workspaces.every((other) => other.name.toLowerCase() !== candidate.toLowerCase());
  const base = name.slice(0, 70);
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? base : `${base} ${number}`;
    if (isFree(candidate)) return candidate;
  }
}

const ambiguous = (workspaces: readonly Workspace[]): DeskError =>
  new DeskError('workspace.ambiguous', {
    details: { names: workspaces.map(({ name }) => name).join(', ') },
  });
