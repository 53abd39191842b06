import { removeRecords } from '../../src/main/engine/store/maintenance/remove-records.ts';

// Removes old claims from a file and prints when it begins and ends; for tests that kill it at any moment.
const [filePath = '', keyHex = '', date = ''] = process.argv.slice(2);
process.stdout.write('begun\n');
removeRecords({ filePath, key: Buffer.from(keyHex, 'hex'), removal: { kind: 'claimsBefore', date } });
process.stdout.write('done\n');
