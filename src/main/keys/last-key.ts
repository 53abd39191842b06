/** What decides whether a key may simply go. */
export type KeyUse = {
  readonly id: string;
  readonly provenAt: string | null;
  readonly workspaceIds: readonly string[];
};

/** A key that signs for a workspace, or that the service has accepted once. */
const isWorking = (key: KeyUse): boolean => key.workspaceIds.length > 0 || key.provenAt !== null;

/**
 * Whether a key goes only when its name is typed: it signs for a workspace, which would be left without one,
 * or it is the last of the profile that works. `keys` holds all keys of the profile, the one in question too.
 */
export function needsTypedName(keyId: string, keys: readonly KeyUse[]): boolean {
  const key = keys.find(({ id }) => id === keyId);
  if (key === undefined || !isWorking(key)) return false;
  return key.workspaceIds.length > 0 || !keys.some((other) => other.id !== keyId && isWorking(other));
}

/** Blanks around it are no reason to refuse a name that was typed; anything else is. */
export function isTypedName(typed: string | undefined, name: string): boolean {
  return typed !== undefined && typed.trim() === name.trim();
}
