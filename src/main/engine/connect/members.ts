import type { z } from 'zod';
import type {
  bootstrapInputSchema,
  ConnectionView,
  ConnectMember,
  ConnectPayer,
  PayerForm,
} from '../../../contract/connect-views.ts';
import type { Clock } from '../../lib/clock.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';
import type { ConnectionReply, PayerReply } from '../service/connect/connect-replies.ts';
import type { ConnectFile, StoredConnection } from './connect-file.ts';
import type { IntegrationRoom } from './integration.ts';
import { compareConnections, judgeConnection, maskUsername } from './judge-connection.ts';

export type BootstrapInput = z.output<typeof bootstrapInputSchema>;

/** Members asked at once, where all of a workspace are. */
const membersAtOnce = 4;

export const isSameEmail = (a: string, b: string): boolean =>
  a.trim().toLowerCase() === b.trim().toLowerCase();

/** The members that were brought in, their carriers and their connections. */
export function createMembers(ports: {
  readonly integration: IntegrationRoom;
  readonly file: ConnectFile;
  readonly clock: Clock;
}) {
  const { integration, file, clock } = ports;
  const nowText = (): string => new Date(clock.now()).toISOString();

  /** @throws DeskError `connect.memberUnknown` where nobody was brought in under this email */
  const find = async (email: string, employerId?: number): Promise<ConnectMember> => {
    const { scope } = await integration.open();
    const { members } = await file.read();
    const found = members
      .filter((one) => one.scope === scope && isSameEmail(one.email, email))
      .filter((one) => employerId === undefined || one.employer.id === employerId)
      .sort((a, b) => b.bootstrappedAt.localeCompare(a.bootstrappedAt))[0];
    if (found === undefined) throw new DeskError('connect.memberUnknown');
    return withoutScope(found);
  };

  const bootstrap = async (input: BootstrapInput) => {
    const { api, scope } = await integration.open();
    const { dateOfBirth, phone, memberSystemKey } = input;
    const { data } = await api.bootstrap({
      system_key: input.systemKey,
      vendor: input.vendor,
      employer_name: input.employerName,
      user_email: input.email,
      user_first_name: input.firstName,
      user_last_name: input.lastName,
      ...(dateOfBirth === undefined ? {} : { date_of_birth: dateOfBirth }),
      ...(phone === undefined ? {} : { phone_number: phone }),
      ...(memberSystemKey === undefined ? {} : { member_system_key: memberSystemKey }),
    });
    const member: ConnectMember = {
      email: data.user.email ?? input.email,
      firstName: data.user.first_name ?? input.firstName,
      lastName: data.user.last_name ?? input.lastName,
      employer: { id: data.employer.id, name: data.employer.name || input.employerName },
      tenant: { id: data.tenant.id, name: data.tenant.name },
      systemKey: input.systemKey,
      vendor: input.vendor,
      memberSystemKey: memberSystemKey ?? null,
      bootstrappedAt: nowText(),
    };
    const payers = data.payers.map(({ id, name }) => ({ id, name }));
    const rows = data.user.policy_holders.map((one) => toStored(one, scope, member.email, nowText()));
    await file.update((known) => ({
      ...known,
      members: [
        ...known.members.filter(
          (one) =>
            !(
              one.scope === scope &&
              isSameEmail(one.email, member.email) &&
              one.employer.id === member.employer.id
            ),
        ),
        { ...member, scope },
      ],
      payers: [...known.payers.filter((one) => one.scope !== scope), { scope, payers }],
      connections: [...connectionsOfOthers(known.connections, scope, member.email), ...rows],
    }));
    return { member, payers, connections: await listStored(member.email) };
  };

  /** As last read. */
  const listStored = async (email?: string): Promise<ConnectionView[]> => {
    const { scope } = await integration.open();
    const { connections, members } = await file.read();
    return connections
      .filter((one) => one.scope === scope && (email === undefined || isSameEmail(one.email, email)))
      .map((one) => {
        const owner = members
          .filter((member) => member.scope === scope && isSameEmail(member.email, one.email))
          .at(-1);
        return toView(one, owner, clock.now());
      })
      .sort(compareConnections);
  };

  const readAnew = async (email: string): Promise<void> => {
    const { api, scope } = await integration.open();
    const { data } = await api.readConnections(email);
    const rows = data.map((one) => toStored(one, scope, email, nowText()));
    await file.update((known) => ({
      ...known,
      connections: [...connectionsOfOthers(known.connections, scope, email), ...rows],
    }));
  };

  return {
    find,
    bootstrap,
    listStored,
    async list(): Promise<ConnectMember[]> {
      const { scope } = await integration.open();
      return (await file.read()).members
        .filter((one) => one.scope === scope)
        .map(withoutScope)
        .sort((a, b) => b.bootstrappedAt.localeCompare(a.bootstrappedAt));
    },
    async forget(email: string): Promise<void> {
      await file.update((known) => ({
        ...known,
        members: known.members.filter((one) => !isSameEmail(one.email, email)),
        connections: known.connections.filter((one) => !isSameEmail(one.email, email)),
        validations: known.validations.filter((one) => !isSameEmail(one.email, email)),
        patientAccess: known.patientAccess.filter((one) => !isSameEmail(one.email, email)),
      }));
    },
    /** The carriers that the last bootstrap named; where none is remembered, the member is bootstrapped again. */
    async listPayers(email: string, employerId?: number): Promise<ConnectPayer[]> {
      const { scope } = await integration.open();
      const member = await find(email, employerId);
      const known = (await file.read()).payers.find((one) => one.scope === scope);
      if (known !== undefined) return known.payers;
      const { payers } = await bootstrap({
        email: member.email,
        firstName: member.firstName,
        lastName: member.lastName,
        systemKey: member.systemKey,
        vendor: member.vendor,
        employerName: member.employer.name,
        ...(member.memberSystemKey === null ? {} : { memberSystemKey: member.memberSystemKey }),
      });
      return payers;
    },
    async readPayer(email: string, payerId: number, employerId?: number): Promise<PayerForm> {
      const { api } = await integration.open();
      const member = await find(email, employerId);
      const { data } = await api.readPayer({ email: member.email, employerId: member.employer.id, payerId });
      return toForm(data);
    },
    async readTerms(email: string): Promise<string> {
      const { api } = await integration.open();
      return (await api.readTerms((await find(email)).email)).data;
    },
    /** Reads the connections of one member, or of all, anew; who cannot be read keeps what was known. */
    async refresh(email?: string): Promise<{ email: string; code: string }[]> {
      const { hasSecret } = await integration.open();
      if (!hasSecret) throw new DeskError('connect.secretMissing');
      const { scope } = await integration.open();
      if (email !== undefined) {
        await readAnew((await find(email)).email);
        return [];
      }
      const { members } = await file.read();
      const emails = [
        ...new Set(members.filter((one) => one.scope === scope).map((one) => one.email.toLowerCase())),
      ];
      const failures: { email: string; code: string }[] = [];
      const work = async (): Promise<void> => {
        for (let next = emails.shift(); next !== undefined; next = emails.shift()) {
          const asked = next;
          await readAnew(asked).catch((thrown: unknown) => {
            failures.push({ email: asked, code: toDeskError(thrown).code });
          });
        }
      };
      await Promise.all(Array.from({ length: membersAtOnce }, work));
      return failures;
    },
  };
}

export type Members = ReturnType<typeof createMembers>;

function connectionsOfOthers(
  connections: readonly StoredConnection[],
  scope: string,
  email: string,
): StoredConnection[] {
  return connections.filter((one) => one.scope !== scope || !isSameEmail(one.email, email));
}

/** What is remembered of a connection; of the username only its beginning. */
function toStored(reply: ConnectionReply, scope: string, email: string, readAt: string): StoredConnection {
  return {
    scope,
    policyHolderId: reply.id,
    email,
    payerId: reply.payer_id,
    payerName: reply.payer?.name ?? null,
    usernameHint: maskUsername(reply.username),
    loginProblem: reply.login_problem,
    needsCorrection: reply.login_needs_correction === true,
    lastSuccessAt: reply.last_successful_crawl_end,
    createdAt: reply.createddate,
    isRunning: reply.task_id !== null,
    readAt,
  };
}

function toView(stored: StoredConnection, owner: ConnectMember | undefined, nowMs: number): ConnectionView {
  const { scope: _scope, ...known } = stored;
  return {
    ...known,
    memberName: owner === undefined ? '' : `${owner.firstName} ${owner.lastName}`,
    employerName: owner?.employer.name ?? '',
    ...judgeConnection(stored, nowMs),
  };
}

function toForm(reply: PayerReply): PayerForm {
  const registerUrl = URL.parse(reply.register_url ?? '');
  return {
    id: reply.id,
    name: reply.name,
    form: reply.onboard_form ?? null,
    uiSchema: reply.onboard_ui_schema ?? {},
    hasSecurityQuestions: reply.has_security_questions === true,
    hasPatientAccess: reply.supports_interoperability_apis === true,
    registerUrl: registerUrl?.protocol === 'https:' ? registerUrl.href : null,
    website: reply.website_home_url_netloc,
    redirectVendorName: reply.redirect_vendor_name,
    articles: reply.blogs.map(({ title, article }) => ({ title, untrustedHtml: article })),
  };
}

function withoutScope<T extends { scope: string }>({ scope: _scope, ...rest }: T): Omit<T, 'scope'> {
  return rest;
}
