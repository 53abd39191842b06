import type { ConnectMember } from '../../../contract/connect-members.ts';
import { DeskError } from '../../lib/errors.ts';
import { isSameEmail, membersWith } from './find-stored.ts';
import type { WorkspaceConnect } from './workspace-connect.ts';

/** @throws DeskError `connect.memberUnknown` where no member was added with this email */
export async function findMember(
  { integration, file }: WorkspaceConnect,
  email: string,
  employerId?: number,
): Promise<ConnectMember> {
  const { scope } = await integration.open();
  const member = membersWith(await file.read(), scope, email).find(
    ({ employer }) => employerId === undefined || employer.id === employerId,
  );
  if (member === undefined) throw new DeskError('connect.memberUnknown');
  return withoutScope(member);
}

/** Members, newest first. */
export async function listMembers({ integration, file }: WorkspaceConnect): Promise<ConnectMember[]> {
  const { scope } = await integration.open();
  return (await file.read()).members
    .filter((member) => member.scope === scope)
    .map(withoutScope)
    .sort((a, b) => b.bootstrappedAt.localeCompare(a.bootstrappedAt));
}

/** Ends the watches of a member and removes the stored data about them, including in every backup. */
export async function forgetMember(connect: WorkspaceConnect, email: string): Promise<void> {
  for (const entries of [connect.validations, connect.signIns])
    for (const [key, { stored, watch }] of entries) {
      if (!isSameEmail(stored.email, email)) continue;
      entries.delete(key);
      await watch.stop();
    }
  const isOther = (entry: { readonly email: string }): boolean => !isSameEmail(entry.email, email);
  await connect.file.forget((current) => ({
    ...current,
    members: current.members.filter(isOther),
    connections: current.connections.filter(isOther),
    validations: current.validations.filter(isOther),
    patientAccess: current.patientAccess.filter(isOther),
  }));
  await connect.audit('connect.memberForgotten', {});
  connect.emit('members');
}

/** Removes the stored data about a member; without any, only the backups are removed, which may still have some. */
export async function forgetIfKnown(connect: WorkspaceConnect, email: string): Promise<void> {
  const { members, connections, validations, patientAccess } = await connect.file.read();
  const stored = [...members, ...connections, ...validations, ...patientAccess];
  if (stored.some((entry) => isSameEmail(entry.email, email))) await forgetMember(connect, email);
  else await connect.file.forget((current) => current);
}

const withoutScope = <T extends { scope: string }>({ scope: _scope, ...rest }: T): Omit<T, 'scope'> => rest;
