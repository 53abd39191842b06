import type { ConnectMember } from '../../../contract/connect-members.ts';
import type { ConnectData } from './connect-file.ts';

/** The form of an email for comparisons, which ignore case. */
export const emailKey = (email: string): string => email.trim().toLowerCase();

export const isSameEmail = (a: string, b: string): boolean => emailKey(a) === emailKey(b);

/** A carrier connection, or data that belongs to one, under one integration. */
interface OfConnection {
  readonly scope: string;
  readonly policyHolderId: number;
}

/** Makes a test for data that belongs to one connection. */
export const isOfConnection =
  ({ scope, policyHolderId }: OfConnection) =>
  (connection: OfConnection): boolean =>
    connection.scope === scope && connection.policyHolderId === policyHolderId;

/** A member under each of their employers, the one added last first. */
export const membersWith = (
  { members }: Pick<ConnectData, 'members'>,
  scope: string,
  email: string,
): (ConnectMember & { scope: string })[] =>
  members
    .filter((member) => member.scope === scope && isSameEmail(member.email, email))
    .sort((a, b) => b.bootstrappedAt.localeCompare(a.bootstrappedAt));
