import { isLoopbackHost } from '../../contract/service-address.ts';
import type { Rotation } from './rotation.ts';

/**
 * The origin that a key is bound to, of a workspace's address. All of this computer is one, without the port: a
 * sample service chooses another at every start.
 */
export function toKeyOrigin(baseUrl: string): string {
  const { hostname, origin } = new URL(baseUrl);
  return isLoopbackHost(hostname) ? 'http://localhost' : origin;
}

/** The origins of the workspaces that use a key, or are about to by a rotation: those of a key that was bound to none. */
export function deriveKeyOrigins(
  keyId: string,
  workspaces: readonly { id: string; baseUrl: string; keyId: string | null }[],
  rotations: readonly Pick<Rotation, 'workspaceId' | 'oldKeyId' | 'newKeyId'>[],
): string[] {
  const isRotating = (workspaceId: string): boolean =>
    rotations.some(
      (one) => one.workspaceId === workspaceId && (one.oldKeyId === keyId || one.newKeyId === keyId),
    );
  const users = workspaces.filter((workspace) => workspace.keyId === keyId || isRotating(workspace.id));
  return [...new Set(users.map(({ baseUrl }) => toKeyOrigin(baseUrl)))];
}
