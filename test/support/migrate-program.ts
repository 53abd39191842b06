import { openRecordsFile } from '../../src/main/engine/store/record/open-records.ts';

// Opens a file, which migrates it, and prints when it begins and ends; for tests that kill it at any moment.
const [filePath = '', keyHex = ''] = process.argv.slice(2);
process.stdout.write('begun\n');
openRecordsFile(filePath, Buffer.from(keyHex, 'hex')).close();
process.stdout.write('done\n');
