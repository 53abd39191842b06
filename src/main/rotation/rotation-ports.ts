import type { DeskState } from '../desk/desk-state.ts';
import type { Space } from '../desk/spaces.ts';
import type { RotationJournal } from '../keys/rotation-journal.ts';
import type { RotationPorts } from '../keys/run-rotation.ts';
import type { RotationEvent } from '../keys/stored-rotation.ts';
import { DeskError } from '../lib/errors.ts';

/** Creates the ports of a rotation: a space's journal, keys, workspaces, and requests by the engine. */
export function createRotationPorts(
  state: DeskState,
  space: Space,
  journal: RotationJournal,
): RotationPorts & { readonly events: readonly RotationEvent[] } {
  const { keyRing, book, signer } = space;
  const events: RotationEvent[] = [];
  return {
    events,
    journal: {
      ...journal,
      record(id, event) {
        events.push(event);
        return journal.record(id, event);
      },
    },
    keyRing: {
      list: keyRing.list,
      listDamaged: keyRing.listDamaged,
      async generate(input) {
        const rotation = (await journal.list()).find(({ newKeyId }) => newKeyId === input.id);
        const old = rotation === undefined ? null : await keyRing.get(rotation.oldKeyId).catch(() => null);
        // The service is stored together with the key: after a crash, a key without its service could not be used.
        const baseUrl = rotation && (await book.get(rotation.workspaceId)).baseUrl;
        return keyRing.generate({
          ...input,
          baseUrl,
          name: nameSuccessor(old?.name, state.ports.clock.now()),
        });
      },
      async remove(keyId) {
        signer.forget(keyId);
        await keyRing.remove(keyId);
        if (!space.isSample)
          await state.audit({ action: 'key.retired', workspaceId: null, details: { keyId } });
      },
    },
    getWorkspaceKeyId: async (workspaceId) => (await book.list()).find(({ id }) => id === workspaceId)?.keyId,
    async setWorkspaceKey(workspaceId, keyId) {
      await book.setKey(workspaceId, keyId);
    },
    isUsedElsewhere: async (workspaceId, keyId) =>
      (await book.list()).some((other) => other.id !== workspaceId && other.keyId === keyId),
    async isAccepted(workspaceId, keyId) {
      try {
        const { provenAt } = await (await state.getEngine()).probe({ workspaceId, keyId });
        await keyRing.recordProven(keyId, Date.parse(provenAt));
        return true;
      } catch (thrown) {
        if (thrown instanceof DeskError && thrown.code === 'service.unauthorized') return false;
        throw thrown;
      }
    },
  };
}

const maxLetters = 80;

/** Names the new key after the old one with a new date: `Front desk 2025-03-01` → `Front desk 2026-03-01`. */
export function nameSuccessor(oldName: string | undefined, nowMs: number): string {
  const day = new Date(nowMs).toISOString().slice(0, 10);
  const base = (oldName ?? 'Claimdesk').replace(/(\s+\d{4}-\d{2}-\d{2}(\s\(\d+\))?)+$/, '').trim();
  return `${base.slice(0, maxLetters - day.length - 1).trim()} ${day}`.trim();
}
