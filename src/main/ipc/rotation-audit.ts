import type { AuditAction, AuditRecord } from '../../contract/audit.ts';
import type { Rotation, RotationEvent } from '../keys/rotation.ts';
import type { RotationJournal } from '../keys/rotation-journal.ts';

/** That a key was removed is written down where it happens: an unneeded new one goes without an event. */
const actionOf: Partial<Record<RotationEvent, AuditAction>> = {
  keyMade: 'key.made',
  proven: 'key.proven',
  switched: 'key.chosen',
};
/** What must have been done where a rotation is found further than was noted. */
const actionOfStep: Partial<Record<Rotation['step'], AuditAction>> = {
  made: 'key.made',
  switched: 'key.chosen',
  retired: 'key.retired',
};

/**
 * A journal whose events are written into the audit log too. The log comes first: if Claimdesk is killed between the
 * two, the act is written down twice rather than never.
 */
export function auditRotation(
  journal: RotationJournal,
  note: (record: AuditRecord) => Promise<void>,
): RotationJournal {
  const find = async (id: string) => (await journal.list()).find((rotation) => rotation.id === id);
  const auditKey = async (id: string, action: AuditAction | undefined): Promise<void> => {
    const rotation = await find(id);
    if (rotation === undefined || action === undefined) return;
    const keyId = action === 'key.retired' ? rotation.oldKeyId : rotation.newKeyId;
    await note({ action, workspaceId: rotation.workspaceId, details: { keyId, rotationId: id } });
  };
  return {
    ...journal,
    async begin(input) {
      const rotation = await journal.begin(input);
      const { id, workspaceId, oldKeyId, newKeyId, newKeyType } = rotation;
      await note({
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
        await note({ action: 'rotation.ended', workspaceId: rotation.workspaceId, details });
      }
      await journal.close(id);
    },
  };
}
