import { openFile } from '../../src/main/engine/store/open-file.ts';

// Opens a file, which migrates it, and says so: to be killed at any moment.
const [filePath = '', keyHex = ''] = process.argv.slice(2);
process.stdout.write('begun\n');
openFile(filePath, Buffer.from(keyHex, 'hex'), 'theirs').close();
process.stdout.write('done\n');
