/** The facts that decide whether a key may be removed without typing its name. */
export type KeyUse = {
  readonly id: string;
  readonly provenAt: string | null;
  readonly workspaceIds: readonly string[];
};

/** Whether a key is used by a workspace, or was accepted by the service at least once. */
const isWorking = (key: KeyUse): boolean => key.workspaceIds.length > 0 || key.provenAt !== null;

/**
 * Whether the name of a key must be typed to remove it: a workspace uses it, or it is the last working key of the
 * profile. `keys` holds all keys of the profile, including this one.
 */
export function needsTypedName(keyId: string, keys: readonly KeyUse[]): boolean {
  const key = keys.find(({ id }) => id === keyId);
  if (key === undefined || !isWorking(key)) return false;
  return key.workspaceIds.length > 0 || !keys.some((other) => other.id !== keyId && isWorking(other));
}

/** Whether a typed name matches; surrounding blanks are ignored. */
export const isTypedName = (typed: string | undefined, name: string): boolean =>
  typed !== undefined && typed.trim() === name.trim();
