import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { RotationStep } from '../../contract/rotation.ts';
import type { KeyType } from '../../contract/ssh-keys.ts';
import type { Clock } from '../lib/clock.ts';
import { DeskError } from '../lib/errors.ts';
import { openJsonFile } from '../lib/json-file.ts';
import { profilePaths } from '../lib/paths.ts';
import { makeKeyId } from './key-ring.ts';
import {
  isRotationOver,
  nextStepAfter,
  type RotationEvent,
  rotationSchema,
  type StoredRotation,
} from './stored-rotation.ts';

/** The unfinished rotations of a profile, at most one per workspace. All methods reject with `profile.damaged`. */
export interface RotationJournal {
  list(): Promise<StoredRotation[]>;
  find(workspaceId: string): Promise<StoredRotation | null>;
  /**
   * Records the new key's id before the key is made. @throws DeskError `key.rotationRunning` with its id in `details`
   */
  begin(input: { workspaceId: string; oldKeyId: string; newKeyType: KeyType }): Promise<StoredRotation>;
  /** @throws DeskError `key.rotationOutOfStep` if the event is impossible at this step, or there is no such rotation */
  record(id: string, event: RotationEvent): Promise<StoredRotation>;
  /** Sets the step of a rotation after it was compared with the facts. */
  correct(id: string, step: RotationStep): Promise<StoredRotation>;
  /** Removes a finished rotation. */
  close(id: string): Promise<void>;
}

const journalSchema = z.object({ version: z.literal(1), rotations: z.array(rotationSchema) });
type RotationFile = z.infer<typeof journalSchema>;

/** Opens `rotations.json` of a profile; each change is on the disk before its promise resolves. */
export function createRotationJournal({
  profileDir,
  clock,
}: {
  profileDir: string;
  clock: Clock;
}): RotationJournal {
  const empty: RotationFile = { version: 1, rotations: [] };
  const file = openJsonFile<RotationFile>(profilePaths(profileDir).rotations, journalSchema, empty);
  const now = () => new Date(clock.now()).toISOString();

  const move = (id: string, decide: (step: RotationStep) => RotationStep | null) =>
    file.change((journal) => {
      const rotation = journal.rotations.find((candidate) => candidate.id === id);
      const step = rotation === undefined ? null : decide(rotation.step);
      if (rotation === undefined || step === null) throw new DeskError('key.rotationOutOfStep');
      const result = { ...rotation, step, changedAt: now() };
      const rotations = journal.rotations.map((other) => (other.id === id ? result : other));
      return { next: { ...journal, rotations }, result };
    });

  return {
    list: async () => (await file.read()).rotations,
    find: async (workspaceId) =>
      (await file.read()).rotations.find((rotation) => rotation.workspaceId === workspaceId) ?? null,
    begin: ({ workspaceId, oldKeyId, newKeyType }) =>
      file.change((journal) => {
        const running = journal.rotations.find((rotation) => rotation.workspaceId === workspaceId);
        if (running !== undefined && !isRotationOver(running.step)) {
          throw new DeskError('key.rotationRunning', {
            details: { rotationId: running.id, step: running.step },
          });
        }
        const rotation: StoredRotation = {
          id: randomBytes(6).toString('hex'),
          workspaceId,
          oldKeyId,
          newKeyId: makeKeyId(newKeyType),
          newKeyType,
          step: 'started',
          startedAt: now(),
          changedAt: now(),
        };
        const others = journal.rotations.filter((other) => other !== running);
        return { next: { ...journal, rotations: [...others, rotation] }, result: rotation };
      }),
    record: (id, event) => move(id, (step) => nextStepAfter(step, event)),
    correct: (id, step) => move(id, () => step),
    close: (id) =>
      file.change((journal) => ({
        next: { ...journal, rotations: journal.rotations.filter((rotation) => rotation.id !== id) },
        result: undefined,
      })),
  };
}
