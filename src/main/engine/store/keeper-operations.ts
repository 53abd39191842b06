import type { Removal, StoreFile } from '../../../contract/store.ts';
import { checkFile } from './check.ts';
import { openConnection } from './connection.ts';
import { repairOurs } from './recover-ours.ts';
import { liftRetention, planRemoval, removeRecords } from './remove-records.ts';
import { repairRecords } from './repair.ts';
import { writeMarks } from './side-files.ts';

/** What is done to a file as a whole, each with a connection of its own. */
export function createKeeperOperations(filePath: string, key: Uint8Array) {
  return {
    check: ({ file, isFull }: { file: StoreFile; isFull: boolean }) => {
      const connection = openConnection(filePath, key, { isReadOnly: true });
      try {
        const check = checkFile(connection, file, isFull);
        writeMarks(filePath, { lastCheck: check });
        return check;
      } finally {
        connection.close();
      }
    },
    repair: ({ file, mayLose }: { file: StoreFile; mayLose: boolean }) =>
      file === 'ours' ? repairOurs({ filePath, key, mayLose }) : repairRecords({ filePath, key, mayLose }),
    planRemoval: (input: {
      removal: Removal;
      noted: readonly { target: string; recordId: number; count: number }[];
    }) => planRemoval({ filePath, key, ...input }),
    removeRecords: ({ removal }: { removal: Removal }) => removeRecords({ filePath, key, removal }),
    liftRetention: (_input: null) => liftRetention({ filePath, key }),
  };
}

export type KeeperOperations = ReturnType<typeof createKeeperOperations>;
