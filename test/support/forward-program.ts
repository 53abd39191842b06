import { setDefaultCACertificates } from 'node:tls';
import { openAuditTarget } from '../../src/main/engine/audit/audit-target.ts';
import { startForwarding } from '../../src/main/engine/audit/forward-audit.ts';
import { createUndiciTransport } from '../../src/main/engine/service/undici-transport.ts';
import { createUserDataStore } from '../../src/main/engine/store/threads/user-data-store.ts';
import { systemClock } from '../../src/main/lib/clock.ts';

// Forwards an audit log and prints when it begins and ends, for tests that kill it at every step.
const [filePath = '', key = '', cursorPath = '', address = '', caPem = ''] = process.argv.slice(2);
setDefaultCACertificates([caPem]);
const store = createUserDataStore({ filePath, readKey: async () => Buffer.from(key, 'hex') });
const { transport, close } = createUndiciTransport({});
process.stdout.write('begun\n');
const forwarder = startForwarding({
  ...{ address, cursorPath, store, clock: systemClock },
  target: openAuditTarget(address, { transport, readTrusted: () => [caPem], getToken: async () => null }),
  getComputer: async () => '0123456789abcdef',
  onTrouble: (thrown) => process.stderr.write(`${thrown}\n`),
});
await forwarder.check();
await forwarder.stop();
process.stdout.write('done\n');
await close();
await store.close();
