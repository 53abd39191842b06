import type { SealedSecrets } from './sealed-file.ts';
import { openContent } from './sealed-format.ts';
import type { SecretStore } from './secret-store.ts';

/**
 * The secrets of a profile, by account, stored in its sealed file. `getKey` resolves to the profile key: null where
 * the profile has no secrets yet, unless `mayMake`.
 */
export function createSealedStore(ports: {
  file: SealedSecrets;
  getKey: (request: { mayMake: boolean }) => Promise<Buffer | null>;
}): Pick<SecretStore, 'get' | 'set' | 'delete'> {
  const { file } = ports;
  const read = async (account: string): Promise<Buffer | null> => {
    const key = await ports.getKey({ mayMake: false });
    const sealed = key === null ? null : file.read();
    if (key === null || sealed === null) return null;
    const { secrets } = openContent(sealed, key);
    return Object.hasOwn(secrets, account) ? Buffer.from(secrets[account] as string, 'base64') : null;
  };
  return {
    get: read,
    async set(account, value) {
      const key = (await ports.getKey({ mayMake: true })) as Buffer;
      await file.change(key, ({ head, content }) => ({
        head,
        content: { ...content, secrets: { ...content.secrets, [account]: value.toString('base64') } },
      }));
    },
    async delete(account) {
      if ((await read(account)) === null) return;
      const key = (await ports.getKey({ mayMake: false })) as Buffer;
      await file.change(key, ({ head, content }) => {
        const { [account]: _deleted, ...secrets } = content.secrets;
        return { head, content: { ...content, secrets } };
      });
    },
  };
}
