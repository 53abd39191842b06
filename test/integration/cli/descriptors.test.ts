import { commandEntry, testDescriptors } from '../../support/passphrase-descriptors.ts';

testDescriptors('this Node', [process.execPath, commandEntry]);
