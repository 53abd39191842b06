import { findFaults } from '../../../carrier-form/check-form.ts';
import { fieldIn, isSecret } from '../../../carrier-form/form-fields.ts';
import { readOnboardForm } from '../../../carrier-form/read-form.ts';
import type { ConnectPayer, PayerForm } from '../../../contract/connect-members.ts';
import { DeskError } from '../../lib/errors.ts';
import type { PayerReply } from '../service/connect/connect-replies.ts';
import { addAgain } from './add-member.ts';
import { findConnection } from './connections.ts';
import { findMember } from './members.ts';
import type { WorkspaceConnect } from './workspace-connect.ts';

/** Names under which carriers ask for a date of birth. */
const birthDateNames = ['date_of_birth', 'birth_date', 'dob'];

/**
 * The member's values for fields of a carrier's form: the date of birth. Empty where the records of the member's
 * email disagree, and for demo data, whose members are not those of the records.
 */
export async function readKnownFields(
  { integration, records }: Pick<WorkspaceConnect, 'integration' | 'records'>,
  email: string,
  form: PayerForm['form'],
): Promise<PayerForm['known']> {
  const { isDemo } = await integration.getSettings();
  if (form === null || isDemo) return {};
  const dates = new Set((await records.findMembers(email)).map(({ dateOfBirth }) => dateOfBirth));
  const [date] = dates;
  return dates.size === 1 && date != null ? fillBirthDate(form, date) : {};
}

/** Returns the form's fields for a date of birth, each with the first spelling that it accepts. */
export function fillBirthDate(form: NonNullable<PayerForm['form']>, date: string): PayerForm['known'] {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(date) ?? [];
  if (year === undefined) return {};
  const spellings = [`${year}-${month}-${day}`, `${month}/${day}/${year}`, `${month}${day}${year}`];
  return Object.fromEntries(
    birthDateNames.flatMap((name) => {
      const field = fieldIn(form, name);
      if (field === null || isSecret(field)) return [];
      const alone = { type: 'object', properties: { [name]: field } };
      const fits = spellings.find((spelling) => findFaults(alone, { [name]: spelling }).length === 0);
      return fits === undefined ? [] : [[name, fits]];
    }),
  );
}

/** Concurrent requests for a carrier's group, and their limit. */
const carriersAtOnce = 4;
const carriersInAll = 300;

/** The carriers of the last bootstrap; where none are stored, the member is bootstrapped again. */
export async function listPayers(
  connect: WorkspaceConnect,
  email: string,
  employerId?: number,
): Promise<ConnectPayer[]> {
  const { scope } = await connect.integration.open();
  const member = await findMember(connect, email, employerId);
  const stored = (await connect.file.read()).payers.find((entry) => entry.scope === scope);
  if (stored !== undefined) return stored.payers.map(({ id, name }) => ({ id, name }));
  return (await addAgain(connect, member)).payers;
}

/** @throws DeskError as `toPayerForm`, `connect.memberUnknown`, and what the service refuses */
export async function readPayer(
  connect: WorkspaceConnect,
  email: string,
  payerId: number,
  employerId?: number,
): Promise<PayerForm> {
  const { api } = await connect.integration.open();
  const member = await findMember(connect, email, employerId);
  const query = { email: member.email, employerId: member.employer.id, payerId };
  const { data, requestId } = await api.readPayer(query);
  const form = toPayerForm(data, requestId);
  return { ...form, known: await readKnownFields(connect, member.email, form.form) };
}

/**
 * A carrier for the window and the command line.
 * @throws DeskError `connect.formUnusable` where neither its login form nor its own page can be used
 */
export function toPayerForm(reply: PayerReply, requestId: string | null): Omit<PayerForm, 'known'> {
  const registerUrl = URL.parse(reply.register_url ?? '');
  const form = readOnboardForm(reply.onboard_form, reply.onboard_ui_schema);
  const hasPatientAccess =
    reply.supports_interoperability_apis === true || (reply.interoperability_authorization_url ?? '') !== '';
  if (form.kind === 'unusable' && !hasPatientAccess)
    throw new DeskError('connect.formUnusable', { requestId: requestId ?? undefined });
  return {
    id: reply.id,
    name: reply.name,
    form: form.kind === 'form' ? (form.schema as PayerForm['form']) : null,
    uiSchema: reply.onboard_ui_schema ?? {},
    hasSecurityQuestions: reply.has_security_questions === true,
    hasPatientAccess,
    registerUrl: registerUrl?.protocol === 'https:' ? registerUrl.href : null,
    website: reply.website_home_url_netloc,
    redirectVendorName: reply.redirect_vendor_name,
    articles: reply.blogs.map(({ title, article }) => ({ title, untrustedHtml: article })),
  };
}

/**
 * Finds the carrier that the members of a migrating one move to: another one of the same `payer_group_id`
 * (docs/service.md, "Login problems"). If the service's lists contain no groups, each carrier is requested separately.
 * @throws DeskError `connect.newCarrierUnknown`, `connect.*`, `service.*`
 */
export async function findNewCarrier(
  connect: WorkspaceConnect,
  policyHolderId: number,
): Promise<ConnectPayer> {
  const { api, scope } = await connect.integration.open();
  const { email, payerId, payerGroupId, loginProblem } = await findConnection(connect, policyHolderId);
  if (loginProblem !== 'migrating' || payerId === null) throw new DeskError('connect.newCarrierUnknown');
  const member = await findMember(connect, email);
  const readGroup = async (id: number): Promise<number | null> => {
    const query = { email: member.email, employerId: member.employer.id, payerId: id };
    return (await api.readPayer(query)).data.payer_group_id;
  };
  const group = payerGroupId ?? (await readGroup(payerId));
  if (group === null) throw new DeskError('connect.newCarrierUnknown');

  // Requests a first list where none is stored.
  await listPayers(connect, email);
  const payers = (await connect.file.read()).payers.find((entry) => entry.scope === scope)?.payers ?? [];
  const others = payers.filter(({ id }) => id !== payerId);
  let newCarrier = others.find(({ groupId }) => groupId === group);
  const unread = others.every(({ groupId }) => groupId === null) ? others.slice(0, carriersInAll) : [];
  const work = async (): Promise<void> => {
    for (let next = unread.shift(); next !== undefined && newCarrier === undefined; next = unread.shift()) {
      if ((await readGroup(next.id)) === group) newCarrier ??= next;
    }
  };
  await Promise.all(Array.from({ length: carriersAtOnce }, work));
  if (newCarrier === undefined) throw new DeskError('connect.newCarrierUnknown');
  return { id: newCarrier.id, name: newCarrier.name };
}
