import type { Output } from '../output.ts';
import { allowOptions, type Command } from '../parse-command.ts';
import { UsageError } from '../usage.ts';
import { inWorkspace, wantEmail } from './connect-session.ts';

/** `connect bootstrap`: prints the member with the carriers they can choose. */
export async function runConnectBootstrap(command: Command, output: Output): Promise<number> {
  const wanted = ['first-name', 'last-name', 'system-key', 'vendor', 'employer-name'] as const;
  allowOptions(command, ['email', ...wanted, 'date-of-birth', 'phone', 'member-key'], 2);
  const { options } = command;
  const email = wantEmail(command);
  const given = Object.fromEntries(
    wanted.map((name) => {
      const value = options[name];
      if (value === undefined) throw new UsageError(`--${name} is wanted`);
      return [name, value];
    }),
  ) as Record<(typeof wanted)[number], string>;
  const { 'date-of-birth': dateOfBirth, phone, 'member-key': memberSystemKey } = options;
  return inWorkspace(command, true, async (session, workspaceId) => {
    await output.json(
      await session.call('connect:bootstrap', {
        workspaceId,
        email,
        firstName: given['first-name'],
        lastName: given['last-name'],
        systemKey: given['system-key'],
        vendor: given.vendor,
        employerName: given['employer-name'],
        ...(dateOfBirth === undefined ? {} : { dateOfBirth }),
        ...(phone === undefined ? {} : { phone }),
        ...(memberSystemKey === undefined ? {} : { memberSystemKey }),
      }),
    );
    return 0;
  });
}

/** `connect payers`: one line a carrier; with --payer, its form. */
export async function runConnectPayers(command: Command, output: Output): Promise<number> {
  allowOptions(command, ['email', 'payer'], 2);
  const email = wantEmail(command);
  const payerId = readPayerId(command);
  return inWorkspace(command, false, async (session, workspaceId) => {
    if (payerId !== undefined) {
      await output.json(await session.call('connect:getPayer', { workspaceId, email, payerId }));
      return 0;
    }
    const { payers } = await session.call('connect:listPayers', { workspaceId, email });
    for (const payer of payers) await output.json(payer);
    return 0;
  });
}

/** `connect terms`: the HTML as the service sent it; whoever shows it sanitises it first. */
export async function runConnectTerms(command: Command, output: Output): Promise<number> {
  allowOptions(command, ['email'], 2);
  const email = wantEmail(command);
  return inWorkspace(command, false, async (session, workspaceId) => {
    const terms = await session.call('connect:getTerms', { workspaceId, email });
    if (command.options.json === true) await output.json(terms);
    else await output.line(terms.untrustedHtml);
    return 0;
  });
}

/** `connect fix`: a member's connections, those that need attention first; without --email, everybody's. */
export async function runConnectFix(command: Command, output: Output): Promise<number> {
  allowOptions(command, ['email'], 2);
  const { email } = command.options;
  return inWorkspace(command, false, async (session, workspaceId) => {
    const { connections, failures } = await session.call('connect:listConnections', {
      workspaceId,
      isFresh: true,
      ...(email === undefined ? {} : { email }),
    });
    for (const connection of connections) await output.json(connection);
    for (const failure of failures) await output.json({ event: 'unread', ...failure });
    return failures.length === 0 ? 0 : 1;
  });
}

/** @throws UsageError */
export function readPayerId({ options }: Command): number | undefined {
  if (options.payer === undefined) return undefined;
  if (!/^\d{1,12}$/.test(options.payer)) throw new UsageError('--payer takes the number of a carrier');
  return Number(options.payer);
}
