import type { ConnectEmployer, ConnectMember, ConnectPayer } from '../../../contract/connect-members.ts';
import type { Clock } from '../../lib/clock.ts';
import { DeskError } from '../../lib/errors.ts';
import type { EmployerChoice, MemberWithEmail } from '../store/query/employer-choices.ts';
import type { ConnectFile } from './connect-file.ts';
import type { Connections } from './connections.ts';
import type { WorkspaceIntegration } from './integration.ts';
import { hasEmployerId, mergeEmployers } from './known-employers.ts';
import { isSameEmail } from './members.ts';
import {
  type BootstrapInput,
  checkAnswer,
  type KnownMember,
  type PlannedMember,
  planMember,
} from './plan-member.ts';

/** What the records of the workspace contain about employers and members. */
export interface ConnectRecords {
  listEmployers(): Promise<readonly EmployerChoice[]>;
  findMembers(email: string): Promise<readonly MemberWithEmail[]>;
  /** Whether the data API knows an employer's key; null where it cannot be asked now. */
  hasEmployerKey(key: NonNullable<PlannedMember['keyToCheck']>): Promise<boolean | null>;
}

/** Adds members through Connect, only under the employer that was chosen. */
export function createAddMember(ports: {
  readonly integration: WorkspaceIntegration;
  readonly connections: Connections;
  readonly file: ConnectFile;
  readonly clock: Clock;
  readonly records: ConnectRecords;
}) {
  const { integration, connections, file, clock } = ports;
  /**
   * Employers' keys that the data API knows, so that the bootstrap does not check them a second time after the plan.
   */
  const knownKeys = new Set<string>();

  /** Demo data has employers of its own, which are in no record. */
  const readEmployers = async () => {
    const { scope, isDemo, tenantLabel } = await integration.open();
    const kept = (await file.read()).employers.filter((one) => one.scope === scope);
    const employers = mergeEmployers(isDemo ? [] : await ports.records.listEmployers(), kept, tenantLabel);
    return { employers, isTenantKnown: kept.length > 0 || tenantLabel !== null };
  };

  const readMembers = async (email: string): Promise<KnownMember[]> => {
    const { scope, isDemo } = await integration.open();
    const { members } = await file.read();
    return [
      ...(isDemo ? [] : await ports.records.findMembers(email)),
      ...members
        .filter((one) => one.scope === scope && isSameEmail(one.email, email))
        .map(({ firstName, lastName, employer }) => ({ firstName, lastName, employerId: employer.id })),
    ].flatMap(({ firstName, lastName, employerId }) =>
      employerId === null ? [] : [{ firstName, lastName, employerId }],
    );
  };

  const checkKey = async (key: PlannedMember['keyToCheck']): Promise<void> => {
    if (key === null) return;
    const named = JSON.stringify(key);
    if (knownKeys.has(named)) return;
    const isThere = await ports.records.hasEmployerKey(key);
    if (isThere === false) throw new DeskError('connect.employerKeyUnknown');
    if (isThere) knownKeys.add(named);
  };

  const makePlan = async (input: BootstrapInput) => {
    const known = await readEmployers();
    const planned = planMember(input, { ...known, members: await readMembers(input.email) });
    await checkKey(planned.keyToCheck);
    return { planned, employers: known.employers };
  };

  /** Sends the bootstrap and stores its answer: the employer always, the member where it passes `check`. */
  const send = async (
    input: Omit<BootstrapInput, 'employer' | 'confirmed' | 'systemKey' | 'vendor'> & {
      systemKey: string;
      vendor: string;
      employerName: string;
    },
    check: (employer: { id: number; name: string }) => void,
  ): Promise<{ member: ConnectMember; payers: ConnectPayer[] }> => {
    const { api, scope } = await integration.open();
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
    await file.update((known) => ({
      ...known,
      employers: [
        ...known.employers.filter((one) => one.scope !== scope || one.id !== employer.id),
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
      bootstrappedAt: new Date(clock.now()).toISOString(),
    };
    const payers = data.payers.map(({ id, name }) => ({ id, name }));
    const stored = data.payers.map(({ id, name, payer_group_id }) => ({ id, name, groupId: payer_group_id }));
    const isReplaced = (one: ConnectMember & { scope: string }): boolean =>
      one.scope === scope && isSameEmail(one.email, member.email) && one.employer.id === employer.id;
    await file.update((known) => ({
      ...known,
      members: [...known.members.filter((one) => !isReplaced(one)), { ...member, scope }],
      payers: [...known.payers.filter((one) => one.scope !== scope), { scope, payers: stored }],
    }));
    await connections.takeOver(member.email, data.user.policy_holders);
    return { member, payers };
  };

  return {
    async listEmployers(): Promise<ConnectEmployer[]> {
      const { employers } = await readEmployers();
      return employers
        .filter(({ isOfOtherTenant }) => !isOfOtherTenant)
        .map(({ isOfOtherTenant: _other, memberKeys: _keys, ...employer }) => employer);
    },
    /** @throws DeskError as `planMember`, and `connect.employerKeyUnknown` */
    plan: async (input: BootstrapInput) => (await makePlan(input)).planned.plan,
    /** @throws DeskError as `plan`, `connect.employerMismatch`, and what the service refuses */
    async add(input: BootstrapInput) {
      const { planned, employers } = await makePlan(input);
      const { systemKey, vendor, employer } = planned.plan;
      return send({ ...input, systemKey, vendor, employerName: employer.name }, (answered) =>
        checkAnswer(planned, answered, employers),
      );
    },
    /** With the keys stored for the employer now. */
    async addAgain(member: ConnectMember) {
      const { employers } = await readEmployers();
      const kept = employers.find((one) => hasEmployerId(one, member.employer.id));
      const { email, firstName, lastName, memberSystemKey } = member;
      return send(
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
          if (id !== member.employer.id) {
            throw new DeskError('connect.employerMismatch', { details: { employerId: id } });
          }
        },
      );
    },
  };
}
