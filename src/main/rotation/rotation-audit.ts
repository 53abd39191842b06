import type { AuditAction, AuditRecord } from '../../contract/audit.ts';
import type { RotationJournal } from '../keys/rotation-journal.ts';
import type { RotationEvent, StoredRotation } from '../keys/stored-rotation.ts';

/**
 * The audit action of each event of a rotation. The removal of an unneeded new key has no event: it is recorded where
 * it happens.
 */
const actionOf: Partial<Record<RotationEvent, AuditAction>> = {
  keyMade: 'key.made',
  proven: 'key.proven',
  switched: 'key.chosen',
};
/** The audit action that must have happened where a rotation is found at a later step than its journal says. */
const actionOfStep: Partial<Record<StoredRotation['step'], AuditAction>> = {
  made: 'key.made',
  switched: 'key.chosen',
  retired: 'key.retired',
};

/**
 * A journal whose events are also written to the audit log. The audit entry is written first: if Claimdesk is killed
 * between the two writes, the action is recorded twice rather than not at all.
 */
export function auditRotation(
  journal: RotationJournal,
  audit: (record: AuditRecord) => Promise<void>,
): RotationJournal {
  const find = async (id: string) => (await journal.list()).find((rotation) => rotation.id === id);
  const auditKey = async (id: string, action: AuditAction | undefined): Promise<void> => {
    const rotation = await find(id);
    if (rotation === undefined || action === undefined) return;
    const keyId = action === 'key.retired' ? rotation.oldKeyId : rotation.newKeyId;
    await audit({ action, workspaceId: rotation.workspaceId, details: { keyId, rotationId: id } });
  };
  return {
    ...journal,
    async begin(input) {
      const rotation = await journal.begin(input);
      const { id, workspaceId, oldKeyId, newKeyId, newKeyType } = rotation;
      await audit({
        action: 'rotation.begun',
        workspaceId,
        details: { rotationId: id, oldKeyId, newKeyId, type: newKeyType },
      });
      return rotation;
    },
    async record(id, event) {
      await auditKey(id, actionOf[event]);
      return journal.record(id, event);
    },
    async correct(id, step) {
      await auditKey(id, actionOfStep[step]);
      return journal.correct(id, step);
    },
    async close(id) {
      const rotation = await find(id);
      if (rotation !== undefined) {
        const details = { rotationId: id, end: rotation.step };
        await audit({ action: 'rotation.ended', workspaceId: rotation.workspaceId, details });
      }
      await journal.close(id);
    },
  };
}
