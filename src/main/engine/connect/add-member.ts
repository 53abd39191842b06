import type { ConnectEmployer, ConnectMember } from '../../../contract/connect-members.ts';
import { DeskError } from '../../lib/errors.ts';
import type { BootstrapReply } from '../service/connect/connect-replies.ts';
import { storeReplies } from './connections.ts';
import { isSameEmail } from './find-stored.ts';
import { hasEmployerId, type KnownEmployer, mergeEmployers } from './known-employers.ts';
import {
  checkAnswer,
  type KnownMember,
  type NewMember,
  type PlannedMember,
  planMember,
} from './plan-member.ts';
import { nowText, type WorkspaceConnect } from './workspace-connect.ts';

/** A bootstrap whose employer was found. */
type PlannedInput = Omit<NewMember, 'employer' | 'confirmed' | 'systemKey' | 'vendor'> & {
  readonly systemKey: string;
  readonly vendor: string;
  readonly employerName: string;
};
type Added = Awaited<ReturnType<typeof send>>;

/** Lists the employers to choose from. Employers of demo data are not in the records. */
async function readEmployers({ integration, file, records }: WorkspaceConnect) {
  const { scope, isDemo, tenantLabel } = await integration.open();
  const kept = (await file.read()).employers.filter((employer) => employer.scope === scope);
  const employers = mergeEmployers(isDemo ? [] : await records.listEmployers(), kept, tenantLabel);
  return { employers, isTenantKnown: kept.length > 0 || tenantLabel !== null };
}

async function readKnownMembers(
  { integration, file, records }: WorkspaceConnect,
  email: string,
): Promise<KnownMember[]> {
  const { scope, isDemo } = await integration.open();
  const { members } = await file.read();
  return [
    ...(isDemo ? [] : await records.findMembers(email)),
    ...members
      .filter((member) => member.scope === scope && isSameEmail(member.email, email))
      .map(({ firstName, lastName, employer }) => ({ firstName, lastName, employerId: employer.id })),
  ].flatMap(({ firstName, lastName, employerId }) =>
    employerId === null ? [] : [{ firstName, lastName, employerId }],
  );
}

async function checkKey(
  { acceptedKeys, records }: WorkspaceConnect,
  key: PlannedMember['keyToCheck'],
): Promise<void> {
  if (key === null) return;
  const named = JSON.stringify(key);
  if (acceptedKeys.has(named)) return;
  const isThere = await records.hasEmployerKey(key);
  if (isThere === false) throw new DeskError('connect.employerKeyUnknown');
  if (isThere) acceptedKeys.add(named);
}

async function makePlan(
  connect: WorkspaceConnect,
  input: NewMember,
): Promise<{ planned: PlannedMember; employers: readonly KnownEmployer[] }> {
  const employerFacts = await readEmployers(connect);
  const planned = planMember(input, {
    ...employerFacts,
    members: await readKnownMembers(connect, input.email),
  });
  await checkKey(connect, planned.keyToCheck);
  return { planned, employers: employerFacts.employers };
}

/** Sends the bootstrap and stores its answer: the employer always, the member where the employer passes `check`. */
async function send(
  connect: WorkspaceConnect,
  input: PlannedInput,
  check: (employer: { id: number; name: string }) => void,
) {
  const { api, scope } = await connect.integration.open();
  const { dateOfBirth, phone, memberSystemKey, systemKey, vendor } = input;
  const { data } = await api.bootstrap({
    system_key: systemKey,
    vendor,
    employer_name: input.employerName,
    user_email: input.email,
    user_first_name: input.firstName,
    user_last_name: input.lastName,
    ...(dateOfBirth === undefined ? {} : { date_of_birth: dateOfBirth }),
    ...(phone === undefined ? {} : { phone_number: phone }),
    ...(memberSystemKey === undefined ? {} : { member_system_key: memberSystemKey }),
  });
  const employer = { id: data.employer.id, name: data.employer.name || input.employerName };
  const tenant = { id: data.tenant.id, name: data.tenant.name };
  await connect.file.update((current) => ({
    ...current,
    employers: [
      ...current.employers.filter((entry) => entry.scope !== scope || entry.id !== employer.id),
      { scope, ...employer, tenant, systemKey, vendor },
    ],
  }));
  check(data.employer);
  const member: ConnectMember = {
    email: data.user.email ?? input.email,
    firstName: data.user.first_name ?? input.firstName,
    lastName: data.user.last_name ?? input.lastName,
    employer,
    tenant,
    systemKey,
    vendor,
    memberSystemKey: memberSystemKey ?? null,
    supportEmail: data.employer.support_email_derived,
    bootstrappedAt: nowText(connect),
  };
  await storeMember(connect, scope, member, data.payers);
  await storeReplies(connect, member.email, data.user.policy_holders);
  return { member, payers: data.payers.map(({ id, name }) => ({ id, name })) };
}

async function storeMember(
  { file }: WorkspaceConnect,
  scope: string,
  member: ConnectMember,
  payers: BootstrapReply['payers'],
): Promise<void> {
  const stored = payers.map(({ id, name, payer_group_id }) => ({ id, name, groupId: payer_group_id }));
  const isReplaced = (entry: ConnectMember & { scope: string }): boolean =>
    entry.scope === scope &&
    isSameEmail(entry.email, member.email) &&
    entry.employer.id === member.employer.id;
  await file.update((current) => ({
    ...current,
    members: [...current.members.filter((entry) => !isReplaced(entry)), { ...member, scope }],
    payers: [...current.payers.filter((entry) => entry.scope !== scope), { scope, payers: stored }],
  }));
}

/** The employers that a member can be added under. */
export async function listEmployers(connect: WorkspaceConnect): Promise<ConnectEmployer[]> {
  const { employers } = await readEmployers(connect);
  return employers
    .filter(({ isOfOtherTenant }) => !isOfOtherTenant)
    .map(({ isOfOtherTenant: _other, memberKeys: _keys, ...employer }) => employer);
}

/** @throws DeskError as `planMember`, and `connect.employerKeyUnknown` */
export const planNewMember = async (connect: WorkspaceConnect, input: NewMember) =>
  (await makePlan(connect, input)).planned.plan;

/**
 * Adds a member, only under the employer that was chosen. If the service added the member under another employer, that
 * is recorded in the audit log, and the employer is stored.
 * @throws DeskError as `planNewMember`, `connect.employerMismatch`, and what the service refuses
 */
export async function addMember(connect: WorkspaceConnect, input: NewMember): Promise<Added> {
  const { planned, employers } = await makePlan(connect, input);
  const { systemKey, vendor, employer } = planned.plan;
  const added = await send(
    connect,
    { ...input, systemKey, vendor, employerName: employer.name },
    (answered) => checkAnswer(planned, answered, employers),
  ).catch(async (thrown: unknown) => {
    if (thrown instanceof DeskError && thrown.code === 'connect.employerMismatch') {
      const employerId = thrown.details?.employerId ?? null;
      await connect.audit('connect.memberBroughtIn', { employerId, isAsChosen: false });
      connect.emit('members');
    }
    throw thrown;
  });
  await connect.audit('connect.memberBroughtIn', {
    employerId: added.member.employer.id,
    tenantId: added.member.tenant.id,
  });
  connect.emit('members');
  return added;
}

/** Bootstraps a member again with the same data, and with the keys stored for the employer now. */
export async function addAgain(connect: WorkspaceConnect, member: ConnectMember): Promise<Added> {
  const { employers } = await readEmployers(connect);
  const kept = employers.find((employer) => hasEmployerId(employer, member.employer.id));
  const { email, firstName, lastName, memberSystemKey } = member;
  return send(
    connect,
    {
      email,
      firstName,
      lastName,
      systemKey: kept?.systemKey ?? member.systemKey,
      vendor: kept?.vendor ?? member.vendor,
      employerName: member.employer.name,
      ...(memberSystemKey === null ? {} : { memberSystemKey }),
    },
    ({ id }) => {
      if (id !== member.employer.id)
        throw new DeskError('connect.employerMismatch', { details: { employerId: id } });
    },
  );
}
