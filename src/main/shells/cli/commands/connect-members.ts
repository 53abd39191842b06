import type { Confirmation, EmployerPick } from '../../../../contract/connect-members.ts';
import type { Printer } from '../output.ts';
import { type Command, parseReason } from '../parse-command.ts';
import { inWorkspace } from '../run-in-session.ts';
import { UsageError } from '../usage.ts';

const confirmations: Readonly<Record<string, Confirmation>> = {
  'same-name': 'sameName',
  'other-employer': 'otherEmployer',
  'unknown-key': 'unknownKey',
};

/** `connect bootstrap`: prints what it will create, then the member with the carriers they can choose. */
export async function runAddMember(command: Command, output: Printer): Promise<number> {
  const names = ['first-name', 'last-name'] as const;
  const { options } = command;
  const [firstName, lastName] = names.map((name) => {
    const value = options[name];
    if (value === undefined) throw new UsageError(`--${name} is required`);
    return value;
  }) as [string, string];
  const { 'date-of-birth': dateOfBirth, phone, 'member-key': memberSystemKey } = options;
  const { 'system-key': systemKey, vendor } = options;
  const member = {
    email: wantEmail(command),
    firstName,
    lastName,
    employer: readEmployer(command),
    confirmed: readConfirmed(command),
    systemKey,
    vendor,
    dateOfBirth,
    phone,
    memberSystemKey,
  };
  return inWorkspace(command, options.plan !== true, async (session, workspaceId) => {
    const plan = await session.call('connect:planMember', { workspaceId, ...member });
    output.info(plan.sentence);
    if (plan.warning !== null) output.info(plan.warning);
    if (options.json === true || options.plan === true) await output.json({ event: 'plan', ...plan });
    if (options.plan === true) return 0;
    await output.json(await session.call('connect:addMember', { workspaceId, ...member }));
  });
}

/** Reads --employer: digits are an ID, anything else the exact name of a known employer. @throws UsageError */
function readEmployer({ options }: Command): EmployerPick {
  const { employer, 'new-employer': created } = options;
  if ((employer === undefined) === (created === undefined))
    throw new UsageError('one of --employer and --new-employer is required');
  if (created !== undefined) return { kind: 'new', name: created };
  const named = employer ?? '';
  return /^\d{1,15}$/.test(named) ? { kind: 'known', id: Number(named) } : { kind: 'named', name: named };
}

/** @throws UsageError */
const readConfirmed = ({ options }: Command): Confirmation[] =>
  (options.confirm ?? []).map((word) => {
    const confirmation = Object.hasOwn(confirmations, word) ? confirmations[word] : undefined;
    if (confirmation === undefined)
      throw new UsageError(`--confirm takes ${Object.keys(confirmations).join(', ')}`);
    return confirmation;
  });

/** `connect payers`: one line a carrier; with --payer, its form. */
export async function runConnectPayers(command: Command, output: Printer): Promise<number> {
  const email = wantEmail(command);
  const payerId = readPayerId(command);
  return inWorkspace(command, false, async (session, workspaceId) => {
    if (payerId !== undefined) {
      await output.json(await session.call('connect:getPayer', { workspaceId, email, payerId }));
      return 0;
    }
    const { payers } = await session.call('connect:listPayers', { workspaceId, email });
    for (const payer of payers) await output.json(payer);
  });
}

/** `connect terms`: prints the HTML as the service sent it. It is not sanitized: sanitize it before displaying it. */
export async function runConnectTerms(command: Command, output: Printer): Promise<number> {
  const email = wantEmail(command);
  return inWorkspace(command, false, async (session, workspaceId) => {
    const terms = await session.call('connect:getTerms', { workspaceId, email });
    if (command.options.json === true) await output.json(terms);
    else await output.line(terms.untrustedHtml);
  });
}

/** `connect fix`: lists connections, those that need attention first; `--email`: one member's, else all. */
export async function runConnectFix(command: Command, output: Printer): Promise<number> {
  const { email } = command.options;
  const reason = parseReason(command.options);
  return inWorkspace(command, false, async (session, workspaceId) => {
    const { connections, failures } = await session.call('connect:listConnections', {
      workspaceId,
      email,
      isFresh: true,
    });
    const source = { kind: 'connections' } as const;
    await (await session.getEngine()).auditListed({ workspaceId, source, rows: connections.length, reason });
    for (const connection of connections) await output.json(connection);
    for (const failure of failures) await output.json({ event: 'unread', ...failure });
    return failures.length === 0 ? 0 : 1;
  });
}

/** @throws UsageError */
export function readPayerId({ options }: Command): number | undefined {
  if (options.payer === undefined) return undefined;
  if (!/^\d{1,12}$/.test(options.payer)) throw new UsageError('--payer takes a carrier’s number');
  return Number(options.payer);
}

/** @throws UsageError */
export function wantEmail({ options }: Command): string {
  if (options.email === undefined) throw new UsageError('--email is required');
  return options.email;
}
