import type { Output } from '../output.ts';
import { type Command, parseWhole } from '../parse-command.ts';
import { inWorkspace } from '../run-in-session.ts';

/** `connect show ID`: one connection, read again: its status, the carrier's reason, its claims. */
export async function runConnectShow(command: Command, output: Output): Promise<number> {
  const policyHolderId = readConnectionId(command);
  return inWorkspace(command, false, async (session, workspaceId) => {
    await output.json(await session.call('connect:readConnection', { workspaceId, policyHolderId }));
  });
}

/** `connect new-carrier ID`: the carrier that a migrating one's members go to; `connect submit` connects them there. */
export async function runConnectNewCarrier(command: Command, output: Output): Promise<number> {
  const policyHolderId = readConnectionId(command);
  return inWorkspace(command, false, async (session, workspaceId) => {
    const { email } = await session.call('connect:readConnection', { workspaceId, policyHolderId });
    const payer = await session.call('connect:findNewCarrier', { workspaceId, policyHolderId });
    await output.json(payer);
    output.info(`Next: claimdesk connect submit --email ${email} --payer ${payer.id} …`);
  });
}

/** @throws UsageError */
function readConnectionId({ words }: Command): number {
  return parseWhole(words[2], 'the connection', 1) as number;
}
