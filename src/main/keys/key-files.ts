import { mkdir, readdir, readFile, unlink } from 'node:fs/promises';
import { z } from 'zod';
import { sshKeySchema } from '../../contract/ssh-keys.ts';
import { writeFileAtomic, writeFileIfAbsent } from '../lib/atomic-file.ts';
import { DeskError, toDeskError } from '../lib/errors.ts';
import { idPattern, profilePaths } from '../lib/paths.ts';
import { wrappedKeySchema } from './key-wrapping.ts';

/** The public facts of a stored key. Times are ISO date-times. */
const storedKeySchema = sshKeySchema.omit({ workspaceIds: true, isSample: true }).extend({
  id: z.string().regex(idPattern),
  name: z.string().min(1).max(80),
  bits: z.number().int().positive(),
  fingerprint: z.string().startsWith('SHA256:'),
  /** The services that it may sign for; null in files of versions that did not bind keys. */
  origins: z.array(z.string()).nullable().default(null),
});
export type StoredKey = z.infer<typeof storedKeySchema>;

/** Version 1 did not seal `origins`. */
const keyFileSchema = z.object({
  version: z.literal([1, 2]),
  key: storedKeySchema,
  wrapped: wrappedKeySchema,
});
export type KeyFile = z.infer<typeof keyFileSchema>;

/** The files `keys/<id>.json` of a profile. */
export interface KeyFiles {
  listIds(): Promise<string[]>;
  /** @throws DeskError `key.unknown`, `key.damaged` */
  read(id: string): Promise<KeyFile>;
  /** False if a key with this ID exists already. @throws DeskError `disk.full`, `profile.unwritable` */
  add(file: KeyFile): Promise<boolean>;
  /** @throws DeskError `disk.full`, `profile.unwritable` */
  replace(file: KeyFile): Promise<void>;
  /** @throws DeskError `key.unknown`, `profile.unwritable` */
  remove(id: string): Promise<void>;
}

/** Gives access to the key files of a profile; their content is checked each time they are read. */
export function createKeyFiles(profileDir: string): KeyFiles {
  const paths = profilePaths(profileDir);
  const toText = (file: KeyFile) => `${JSON.stringify(file, null, 2)}\n`;
  const pathOf = (id: string) => {
    if (!idPattern.test(id)) throw new DeskError('key.unknown');
    return paths.keyFile(id);
  };
  return {
    listIds: async () => {
      const names = await readdir(paths.keysDir).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw toDeskError(error);
      });
      return names
        .filter((name) => name.endsWith('.json'))
        .map((name) => name.slice(0, -'.json'.length))
        .filter((id) => idPattern.test(id))
        .sort();
    },
    read: async (id) => {
      const text = await readFile(pathOf(id), 'utf8').catch(rejectAsUnknown);
      try {
        const file = keyFileSchema.parse(JSON.parse(text));
        if (file.key.id !== id) throw new Error('Key file name and content disagree.');
        return file;
      } catch (error) {
        throw new DeskError('key.damaged', { details: { keyId: id }, cause: error });
      }
    },
    add: async (file) => {
      try {
        await mkdir(paths.keysDir, { recursive: true, mode: 0o700 });
        return await writeFileIfAbsent(pathOf(file.key.id), toText(file));
      } catch (error) {
        throw toDeskError(error);
      }
    },
    replace: async (file) => {
      await writeFileAtomic(pathOf(file.key.id), toText(file)).catch((error: unknown) => {
        throw toDeskError(error);
      });
    },
    remove: async (id) => {
      await unlink(pathOf(id)).catch(rejectAsUnknown);
    },
  };
}

function rejectAsUnknown(error: unknown): never {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new DeskError('key.unknown');
  throw toDeskError(error);
}
