import type { Log } from '../../lib/log.ts';
import { logFailure } from '../../lib/log-failure.ts';
import type { Store } from '../store/threads/store.ts';
import type { ConnectData, ConnectFile } from './connect-file.ts';

/**
 * Writes the carriers of the stored connections into the claims, after the file is first read and after each change. A
 * failure is only logged: no call of Connect fails because claims could not be updated.
 */
export function withCarriers(
  file: ConnectFile,
  ports: { readonly isReadOnly: boolean; readonly log: Log; getStore(): Promise<Store> },
): ConnectFile {
  let isWritten = false;
  const write = async ({ connections }: ConnectData): Promise<void> => {
    if (ports.isReadOnly) return;
    const carriers = connections
      .toSorted((a, b) => a.readAt.localeCompare(b.readAt))
      .flatMap(({ policyHolderId, payerName }) =>
        payerName === null ? [] : [{ policyHolderId, carrier: payerName }],
      );
    try {
      await (await ports.getStore()).write('writeCarriers', carriers);
      isWritten = true;
    } catch (thrown) {
      logFailure(ports.log, 'store.carriersFailed', thrown);
    }
  };
  const writing =
    (act: ConnectFile['update']): ConnectFile['update'] =>
    async (change) => {
      let before: ConnectData['connections'] = [];
      const data = await act((known) => {
        before = known.connections;
        return change(known);
      });
      if (before.length + data.connections.length > 0 && before !== data.connections) await write(data);
      return data;
    };
  return {
    ...file,
    async read() {
      const data = await file.read();
      // Without a connection the record store is not opened, because it may not exist yet.
      if (!isWritten && data.connections.length > 0) await write(data);
      return data;
    },
    update: writing(file.update),
    forget: writing(file.forget),
  };
}
