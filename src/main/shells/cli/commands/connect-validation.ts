import type { PatientAccess, Validation } from '../../../../contract/carrier-connections.ts';
import { terminalValidationStates } from '../../../../contract/carrier-connections.ts';
import type { Input } from '../../../../contract/procedures.ts';
import { DeskError } from '../../../lib/errors.ts';
import { fillCarrierForm } from '../fill-carrier-form.ts';
import type { Printer } from '../output.ts';
import { type Command, parseWhole } from '../parse-command.ts';
import { readPassphrase } from '../read-passphrase.ts';
import { inWorkspace } from '../run-in-session.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage.ts';
import { readPayerId, wantEmail } from './connect-members.ts';

type CarrierFields = Input<'connect:submit'>['fields'];

/**
 * `connect submit`: submits a login and ends as soon as its state is known; `connect watch ID` follows it further.
 * With --connection it corrects the login of that connection.
 */
export async function runConnectSubmit(command: Command, output: Printer): Promise<number> {
  const { options } = command;
  const email = wantEmail(command);
  const payerId = readPayerId(command);
  const policyHolderId = parseWhole(options.connection, '--connection', 1);
  if (payerId === undefined) throw new UsageError('--payer is required');
  if (policyHolderId === undefined) wantConsent(command);
  const fields = Object.fromEntries((options.field ?? []).map(parseField));
  const secret = options['password-stdin'] === true ? await readPassphrase(command.stdin) : null;
  if (secret === '') throw new UsageError('no password on stdin');
  return inWorkspace(command, true, async (session, workspaceId) => {
    const { form, known } = await session.call('connect:getPayer', { workspaceId, email, payerId });
    const submission = {
      workspaceId,
      email,
      payerId,
      fields: fillCarrierForm(form, { username: options.username, secret, fields, known }),
      consents: await consentsFor(command, session, { workspaceId, email, policyHolderId }),
    };
    const sent = await (policyHolderId === undefined
      ? session.call('connect:submit', submission)
      : session.call('connect:correct', { ...submission, policyHolderId }));
    // A carrier may decide at once; then its decision is printed.
    const isPrinted = (current: Validation): boolean =>
      (current.watchedBy !== null || current.interruption !== null) &&
      !terminalValidationStates.includes(current.state);
    const validation = await follow(
      session,
      { workspaceId, policyHolderId: sent.policyHolderId, email },
      isPrinted,
    );
    await output.json(validation);
    if (validation.phase === 'ended') return exitCodeOf(validation);
    output.info(`Next: claimdesk connect watch ${validation.policyHolderId} --email ${email}`);
  });
}

/** `connect status ID`: prints the current state of a validation. */
export async function runConnectStatus(command: Command, output: Printer): Promise<number> {
  const validationRef = readValidationRef(command);
  return inWorkspace(command, false, async (session, workspaceId) => {
    const validation = await follow(
      session,
      { workspaceId, ...validationRef },
      (current) => current.watchedBy !== null,
    );
    await output.json(validation);
  });
}

/**
 * `connect watch ID`: prints a line at each change until the validation ends; exit 0 where the carrier accepted the
 * login.
 */
export async function runConnectWatch(command: Command, output: Printer): Promise<number> {
  const validationRef = readValidationRef(command);
  return inWorkspace(command, false, async (session, workspaceId) => {
    let lastText = '';
    const validation = await follow(session, { workspaceId, ...validationRef }, (current) => {
      const { changedAt: _changedAt, ...facts } = current;
      const text = JSON.stringify(facts);
      if (text !== lastText) void output.json(current);
      lastText = text;
      return false;
    });
    return exitCodeOf(validation);
  });
}

/** 0 where the carrier accepted the login. */
const exitCodeOf = ({ outcome }: Validation): number =>
  outcome === 'connected' || outcome === 'provisional' ? 0 : 1;

/** `connect code ID C`; the code also as an option, so that --input can have it. */
export async function runConnectCode(command: Command, output: Printer): Promise<number> {
  const validationRef = readValidationRef(command);
  const code = command.words[3] ?? command.options.code ?? '';
  return inWorkspace(command, false, async (session, workspaceId) => {
    await output.json(await session.call('connect:sendCode', { workspaceId, ...validationRef, code }));
  });
}

/**
 * `connect interop`: with --payer begins a sign-in at the carrier's page, prints its address and waits until it has
 * ended; without --payer, prints the state of the last one. Exit 0 where the carrier is connected.
 */
export async function runConnectInterop(command: Command, output: Printer): Promise<number> {
  const email = wantEmail(command);
  const payerId = readPayerId(command);
  if (payerId !== undefined) wantConsent(command);
  return inWorkspace(command, payerId !== undefined, async (session, workspaceId) => {
    if (payerId === undefined) {
      const flow = await session.call('connect:getPatientAccess', { workspaceId, email });
      if (flow === null) throw new DeskError('connect.noPatientAccess');
      await output.json(flow);
      return flow.phase === 'connected' ? 0 : 1;
    }
    const consents = await consentsOf(session, workspaceId, email);
    const begun = await session.call('connect:startPatientAccess', { workspaceId, email, payerId, consents });
    await output.json(begun);
    output.info(`Open ${begun.host} in a browser and let the member sign in: ${begun.authorizationUrl}`);
    await session.call('connect:openPatientAccess', { workspaceId, email });
    const ended = await changes<PatientAccess>(
      session,
      'patientAccess',
      async () => (await session.call('connect:getPatientAccess', { workspaceId, email })) ?? begun,
      ({ phase }) => phase !== 'ready' && phase !== 'waiting',
    );
    await output.json(ended);
    return ended.phase === 'connected' ? 0 : 1;
  });
}

/** Parses `name=value`, or `name:=JSON` for values that are not text. @throws UsageError */
function parseField(text: string): [string, CarrierFields[string]] {
  const [, name, sign, value] = /^([\w.-]+)(:?=)(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError(`write a field as name=value, not ${text.split('=')[0]}`);
  if (name === 'password') throw new UsageError('send the password on stdin, with --password-stdin');
  if (sign === '=') return [name, value];
  try {
    return [name, JSON.parse(value) as CarrierFields[string]];
  } catch {
    throw new UsageError(`--field ${name}:= takes JSON`);
  }
}

function wantConsent({ options }: Command): void {
  if (options['accept-terms'] !== true)
    throw new UsageError('--accept-terms is required: the member has read the terms and agrees');
}

/** The consents of a submit: those of --accept-terms or, for a correction, earlier ones that are still valid. */
async function consentsFor(
  command: Command,
  session: Session,
  request: { workspaceId: string; email: string; policyHolderId: number | undefined },
) {
  const { workspaceId, email, policyHolderId } = request;
  if (policyHolderId !== undefined && command.options['accept-terms'] !== true) {
    const { consents } = await session.call('connect:beginCorrection', { workspaceId, policyHolderId });
    if (consents !== null) return consents;
    wantConsent(command);
  }
  return consentsOf(session, workspaceId, email);
}

/** --accept-terms gives both consents: to the terms, and to the member's tenant. */
async function consentsOf(session: Session, workspaceId: string, email: string) {
  const { members } = await session.call('connect:listMembers', { workspaceId });
  const member = members.find((candidate) => candidate.email.toLowerCase() === email.trim().toLowerCase());
  if (member === undefined) throw new DeskError('connect.memberUnknown');
  return { terms: true as const, tenantIds: [member.tenant.id] };
}

const readValidationRef = ({ words, options: { email } }: Command) => ({
  policyHolderId: parseWhole(words[2], 'the connection', 1) as number,
  email,
});

/** Reports a validation at each change, until it has ended or `isEnough` returns true. */
const follow = (
  session: Session,
  request: { workspaceId: string; policyHolderId: number; email: string | undefined },
  isEnough: (validation: Validation) => boolean,
): Promise<Validation> =>
  changes(
    session,
    'validation',
    () => session.call('connect:watch', request),
    (validation) => isEnough(validation) || validation.phase === 'ended',
  );

/** Calls `ask` again at each change of this kind, until `isEnough` returns true. */
async function changes<T>(
  session: Session,
  what: string,
  ask: () => Promise<T>,
  isEnough: (latest: T) => boolean,
): Promise<T> {
  const engine = await session.getEngine();
  let wake = (): void => undefined;
  let isNew = false;
  const unsubscribe = engine.subscribe((event) => {
    if (event.name !== 'connect:changed' || event.payload.what !== what) return;
    isNew = true;
    wake();
  });
  try {
    for (;;) {
      isNew = false;
      const latest = await ask();
      if (isEnough(latest)) return latest;
      if (!isNew) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    unsubscribe();
  }
}
