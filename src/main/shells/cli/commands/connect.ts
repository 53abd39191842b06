import { type Runner, row } from '../command-row.ts';
import type { Printer } from '../output.ts';
import { type Command, parseReason, parseWhole } from '../parse-command.ts';
import { readPassphrase } from '../read-passphrase.ts';
import { inWorkspace } from '../run-in-session.ts';
import { UsageError } from '../usage.ts';
import { runAddMember, runConnectFix, runConnectPayers, runConnectTerms } from './connect-members.ts';
import {
  runConnectCode,
  runConnectInterop,
  runConnectStatus,
  runConnectSubmit,
  runConnectWatch,
} from './connect-validation.ts';

/** `connect setup`: without --secret-stdin the stored secret key is kept. */
async function runSetup(command: Command, output: Printer): Promise<number> {
  const { options } = command;
  const publicToken = options['public-token'];
  if (publicToken === undefined) throw new UsageError('--public-token is required');
  const [tenantLabel, tenantKey] = [options['tenant-label'] ?? null, options['tenant-key'] ?? null];
  if ((tenantLabel === null) !== (tenantKey === null))
    throw new UsageError('--tenant-label and --tenant-key go together');
  const secretKey =
    options['secret-stdin'] === true ? (await readPassphrase(command.stdin)).trim() : undefined;
  if (secretKey === '') throw new UsageError('no secret key on stdin');
  return inWorkspace(command, true, async (session, workspaceId) => {
    const settings = await session.call('connect:saveSettings', {
      workspaceId,
      publicToken,
      tenantLabel,
      tenantKey,
      isDemo: options.demo === true,
      base: options.legacy === true ? 'legacy' : 'current',
      secretKey,
    });
    await output.json(settings);
  });
}

/** `connect show ID`: reads one connection again and prints its status, the carrier's reason, its claims. */
async function runConnectShow(command: Command, output: Printer): Promise<number> {
  const policyHolderId = parseWhole(command.words[2], 'the connection', 1) as number;
  const reason = parseReason(command.options);
  return inWorkspace(command, false, async (session, workspaceId) => {
    const connection = await session.call('connect:readConnection', { workspaceId, policyHolderId });
    const source = { kind: 'connections' } as const;
    await (await session.getEngine()).auditListed({ workspaceId, source, rows: 1, reason });
    await output.json(connection);
  });
}

/**
 * `connect new-carrier ID`: prints the carrier that replaces a migrating one; `connect submit` connects members to it.
 */
async function runConnectNewCarrier(command: Command, output: Printer): Promise<number> {
  const policyHolderId = parseWhole(command.words[2], 'the connection', 1) as number;
  return inWorkspace(command, false, async (session, workspaceId) => {
    const { email } = await session.call('connect:readConnection', { workspaceId, policyHolderId });
    const payer = await session.call('connect:findNewCarrier', { workspaceId, policyHolderId });
    await output.json(payer);
    output.info(`Next: claimdesk connect submit --email ${email} --payer ${payer.id} …`);
  });
}

/** `claimdesk connect …`: the integration, members and their carrier logins. */
export const connectCommands: Readonly<Record<string, Runner>> = {
  setup: runSetup,
  mint: row({ call: 'connect:mint', lines: (minted) => [{ event: 'minted', ...minted }] }),
  employers: row({ call: 'connect:listEmployers', lines: ({ employers }) => employers }),
  bootstrap: runAddMember,
  payers: runConnectPayers,
  terms: runConnectTerms,
  submit: runConnectSubmit,
  status: runConnectStatus,
  watch: runConnectWatch,
  method: row({ call: 'connect:chooseMethod', arguments: ['policyHolderId', 'method'] }),
  code: runConnectCode,
  fix: runConnectFix,
  show: runConnectShow,
  'new-carrier': runConnectNewCarrier,
  interop: runConnectInterop,
};
