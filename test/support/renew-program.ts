import { openStore } from '../../src/main/engine/store/threads/store.ts';

// Opens a store, which renews the digests of an older Claimdesk beside what is asked, and says so: to be killed.
const [filePath = '', keyHex = ''] = process.argv.slice(2);
const store = await openStore({ filePath, key: Buffer.from(keyHex, 'hex'), isReadOnly: false, readers: 1 });
process.stdout.write('begun\n');
while (await store.write('renewDigests', null));
process.stdout.write('done\n');
await store.close();
