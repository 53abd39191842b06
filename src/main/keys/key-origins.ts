import type { StoredRotation } from './stored-rotation.ts';

/** The origin of a workspace's address, as a key is bound to it. Each port of this computer is a separate service. */
export const toKeyOrigin = (baseUrl: string): string => new URL(baseUrl).origin;

/** The origins for a key that was not bound yet: those of the workspaces that use it, or will after a rotation. */
export function deriveKeyOrigins(
  keyId: string,
  workspaces: readonly { id: string; baseUrl: string; keyId: string | null }[],
  rotations: readonly Pick<StoredRotation, 'workspaceId' | 'oldKeyId' | 'newKeyId'>[],
): string[] {
  const isRotating = (workspaceId: string): boolean =>
    rotations.some(
      (rotation) =>
        rotation.workspaceId === workspaceId && (rotation.oldKeyId === keyId || rotation.newKeyId === keyId),
    );
  const users = workspaces.filter((workspace) => workspace.keyId === keyId || isRotating(workspace.id));
  return [...new Set(users.map(({ baseUrl }) => toKeyOrigin(baseUrl)))];
}
