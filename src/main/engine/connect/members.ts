import type { ConnectMember, ConnectPayer, PayerForm } from '../../../contract/connect-members.ts';
import { DeskError } from '../../lib/errors.ts';
import type { ConnectFile } from './connect-file.ts';
import type { WorkspaceIntegration } from './integration.ts';
import { toPayerForm } from './payer-form.ts';

/** Emails are compared without regard to case. */
export const emailKey = (email: string): string => email.trim().toLowerCase();

export const isSameEmail = (a: string, b: string): boolean => emailKey(a) === emailKey(b);

/** The members that were added, and their carriers. */
export function createMembers(ports: {
  readonly integration: WorkspaceIntegration;
  readonly file: ConnectFile;
  /** Bootstraps a member again with the same data. */
  readonly addAgain: (member: ConnectMember) => Promise<{ payers: ConnectPayer[] }>;
}) {
  const { integration, file } = ports;

  /** @throws DeskError `connect.memberUnknown` where no member was added with this email */
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

  return {
    find,
    async list(): Promise<ConnectMember[]> {
      const { scope } = await integration.open();
      return (await file.read()).members
        .filter((one) => one.scope === scope)
        .map(withoutScope)
        .sort((a, b) => b.bootstrappedAt.localeCompare(a.bootstrappedAt));
    },
    /** Also in every backup. */
    async forget(email: string): Promise<void> {
      await file.forget((known) => ({
        ...known,
        members: known.members.filter((one) => !isSameEmail(one.email, email)),
        connections: known.connections.filter((one) => !isSameEmail(one.email, email)),
        validations: known.validations.filter((one) => !isSameEmail(one.email, email)),
        patientAccess: known.patientAccess.filter((one) => !isSameEmail(one.email, email)),
      }));
    },
    /** The carriers of the last bootstrap; where none are stored, the member is bootstrapped again. */
    async listPayers(email: string, employerId?: number): Promise<ConnectPayer[]> {
      const { scope } = await integration.open();
      const member = await find(email, employerId);
      const known = (await file.read()).payers.find((one) => one.scope === scope);
      if (known !== undefined) return known.payers.map(({ id, name }) => ({ id, name }));
      const { payers } = await ports.addAgain(member);
      return payers;
    },
    async readPayer(email: string, payerId: number, employerId?: number): Promise<PayerForm> {
      const { api } = await integration.open();
      const member = await find(email, employerId);
      const { data, requestId } = await api.readPayer({
        email: member.email,
        employerId: member.employer.id,
        payerId,
      });
      return toPayerForm(data, requestId);
    },
    async readTerms(email: string): Promise<string> {
      const { api } = await integration.open();
      return (await api.readTerms((await find(email)).email)).data;
    },
  };
}

export type Members = ReturnType<typeof createMembers>;

function withoutScope<T extends { scope: string }>({ scope: _scope, ...rest }: T): Omit<T, 'scope'> {
  return rest;
}
