import { readFileSync } from 'node:fs';
import { openSession } from '../../src/main/shells/cli/session.ts';

// Attaches a document to a claim, removes one, or removes a member with their documents, and prints when it begins and ends; for
// tests that kill it at every step.
const [profileDir = '', step = '', what = '', id = '', path = ''] = process.argv.slice(2);
process.env.CLAIMDESK_KILL_STEP = step;
const session = await openSession({ options: { yes: true }, writes: true, profileDir });
const workspaceId = (await session.findWorkspace()).id;
process.stdout.write('begun\n');
if (what === 'attach')
  await session.call('documents:attach', {
    workspaceId,
    claimId: Number(id),
    document: 'receipt',
    name: 'receipt.txt',
    file: readFileSync(path, 'base64'),
  });
else if (what === 'erase')
  await session.call('documents:remove', { workspaceId, claimId: Number(id), sha256: path });
else
  await session.call('data:remove', {
    workspaceId,
    removal: { kind: 'member', memberId: Number(id) },
    typed: id,
  });
process.stdout.write('done\n');
await session.close();
