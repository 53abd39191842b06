import { randomBytes } from 'node:crypto';
import { computerIdOf } from '../../../team-protocol/entry.ts';
import { sealGrant } from '../../../team-protocol/grant.ts';
import { findMember, listMembers, type MembershipAct } from '../../../team-protocol/membership.ts';
import type { MainCalls } from '../../lib/engine-protocol.ts';
import { DeskError } from '../../lib/errors.ts';
import type { TeamMembers } from './team-members.ts';

/** The public halves of a recovery key, as base64url. */
interface RecoveryHalves {
  readonly signingKey: string;
  readonly sealingKey: string;
}

/** The next team key, sealed for all members and the recovery key; a new recovery key also gets the earlier keys. */
export function renewTeamKey(state: TeamMembers, replacement?: RecoveryHalves): MembershipAct {
  const { members } = state;
  if (members === null) throw new DeskError('team.notMember');
  const { team } = members;
  const generation = members.generation + 1;
  const next = randomBytes(32);
  const { signingKey, sealingKey } = replacement ?? members.recovery;
  const computer = computerIdOf(Buffer.from(signingKey, 'base64url'));
  return {
    ...{ act: 'renewKey', generation },
    grants: listMembers(members).map((member) => ({
      computer: member.computer,
      grant: sealGrant({
        ...{ team, generation, key: next },
        ...{ computer: member.computer, sealingKey: member.sealingKey },
      }),
    })),
    recovery: {
      ...{ signingKey, sealingKey },
      grant: sealRecovery({ team, generation, key: next, computer, sealingKey }),
      ...(replacement && { earlier: sealAll(state, { team, computer, sealingKey }) }),
    },
  };
}

/** Returns null if nothing can be sealed for it: others still get the team key, and the team reports this. */
function sealRecovery(grantInput: Parameters<typeof sealGrant>[0]): string | null {
  try {
    return sealGrant(grantInput);
  } catch {
    return null;
  }
}

/** All team keys, sealed for a computer or a recovery key. @throws DeskError `team.notMember` if one is missing here */
export function sealAll(
  { members, keys }: TeamMembers,
  recipient: { readonly team: string; readonly computer: string; readonly sealingKey: string },
): string[] {
  return Array.from({ length: members?.generation ?? 0 }, (_none, index) => {
    const key = keys.get(index + 1);
    if (key === undefined) throw new DeskError('team.notMember');
    return sealGrant({ ...recipient, generation: index + 1, key });
  });
}

/**
 * The membership that makes the next team key, if a former member knows the newest one and this computer is an admin's.
 * It is also due if another admin's computer removed a member and ended before it made the key.
 */
export function renewDueKey(state: TeamMembers, computer: string): MembershipAct[] {
  const { members } = state;
  const isDue = members?.isRenewalDue === true && findMember(members, computer)?.role === 'admin';
  return isDue ? [renewTeamKey(state)] : [];
}

/** This computer's certificate, if its user has another SSH key than the one the members know. */
export async function certifyNewSshKey(
  main: Pick<MainCalls, 'certifyComputer' | 'checkCertificate'>,
  { workspaceId, team, computer }: { workspaceId: string; team: string; computer: string },
  { certificates }: TeamMembers,
): Promise<MembershipAct[]> {
  const certificate = await main.certifyComputer({ workspaceId, team });
  const fingerprint = await main.checkCertificate(certificate);
  const isKnown = certificates.get(computer)?.signer.fingerprint === fingerprint;
  return isKnown ? [] : [{ act: 'certify', certificate }];
}
