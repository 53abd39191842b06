import { olderNode } from '../../support/older-node.ts';
import { commandEntry, testDescriptors } from '../../support/passphrase-descriptors.ts';

testDescriptors('this Node', [process.execPath, commandEntry]);
testDescriptors('an older Node', [...olderNode(), commandEntry]);
testDescriptors('npm run', ['npm', 'run', '-s', 'claimdesk', '--']);
