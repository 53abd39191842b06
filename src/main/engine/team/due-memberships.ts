import { randomBytes } from 'node:crypto';
import { sealGrant } from '../../../team-protocol/grant.ts';
import {
  findMember,
  listMembers,
  type Members,
  type MembershipAct,
} from '../../../team-protocol/membership.ts';
import type { EngineHost } from '../../lib/engine-protocol.ts';
import type { TeamMembers } from './team-members.ts';

/**
 * The membership that makes the next team key, where a former member knows the newest one and this computer is an
 * admin's. It can also be due because another admin's computer removed a member and ended before it made the key.
 */
export function renewDueKey(members: Members | null, computer: string): MembershipAct[] {
  if (members?.isRenewalDue !== true || findMember(members, computer)?.role !== 'admin') return [];
  const { team, recovery } = members;
  const generation = members.generation + 1;
  const key = randomBytes(32);
  const sealFor = (of: { readonly computer: string; readonly sealingKey: string }): string =>
    sealGrant({ team, generation, key, computer: of.computer, sealingKey: of.sealingKey });
  return [
    {
      ...{ act: 'renewKey', generation },
      grants: listMembers(members).map((one) => ({ computer: one.computer, grant: sealFor(one) })),
      recovery: {
        ...{ signingKey: recovery.signingKey, sealingKey: recovery.sealingKey },
        grant: sealFor(recovery),
      },
    },
  ];
}

/** This computer's certificate, where its person has another SSH key than the members know. */
export async function certifyNewSshKey(
  host: Pick<EngineHost, 'certifyComputer' | 'checkCertificate'>,
  { workspaceId, team, computer }: { workspaceId: string; team: string; computer: string },
  { certificates }: TeamMembers,
): Promise<MembershipAct[]> {
  const certificate = await host.certifyComputer({ workspaceId, team });
  const fingerprint = await host.checkCertificate(certificate);
  const isKnown = certificates.get(computer)?.signer.fingerprint === fingerprint;
  return isKnown ? [] : [{ act: 'certify', certificate }];
}
