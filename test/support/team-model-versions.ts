import fc from 'fast-check';
import { expect } from 'vitest';
import { readTeamSettings } from '../../src/main/engine/team/hold-team-settings.ts';
import { workspaceId } from './review-computer.ts';
import { decisionOf } from './review-files.ts';
import type { Member } from './team-member.ts';

const [oldProgram, newProgram] = ['0.3.0', '0.4.0'];

/** The version of a program that is updated or not. */
export const versionOf = (isUpdated: boolean): string => (isUpdated ? newProgram : oldProgram);

/** The admin's change after which only new programs send to the team. */
export const requireNew = { setting: 'minVersion', value: newProgram } as const;

/** A computer with a newer program does what others do not know yet; the admin requires that program; one is updated. */
export const stepOfVersions = (on: fc.Arbitrary<number>, claim: fc.Arbitrary<number>) =>
  fc.oneof(
    fc.record({ kind: fc.constant('newer' as const), on, claim }),
    fc.record({ kind: fc.constant('require' as const) }),
    fc.record({ kind: fc.constant('update' as const), on }),
  );

export const eventsOf = ({ operations }: Pick<Member, 'operations'>, claimId: number) =>
  operations.listReviewEvents({ workspaceId, claimId, offset: 0, limit: 500 }).events;

/** Writes an event of a kind that this version does not know; false where its claim is not on the computer. */
export function actAsNewer(member: Member, id: string, claimId: number): boolean {
  const here = member.opened.database.prepare('SELECT 1 FROM claims WHERE id=?').get(claimId);
  if (here === undefined) return false;
  member.operations.appendReview({
    ...{ workspaceId, id, author: member.email, nowMs: member.ports.clock.now() },
    ...{ filter: null, undoes: null, receipt: null, isStaged: false },
    fact: { kind: 'vote' } as never,
    claims: [{ claimId, reviewed: null, digest: null }],
  });
  return true;
}

/** Checks that a claim with an event of a newer program can't be decided. */
export async function expectLocked(member: Member, claimIds: readonly number[]): Promise<void> {
  for (const claimId of claimIds)
    if (eventsOf(member, claimId).some(({ event }) => event.fact.kind === 'newer' && !event.isUndone))
      await expect(member.act([claimId], decisionOf('eligible')), member.name).rejects.toMatchObject({
        code: 'review.newer',
      });
}

/** Checks that a program that is too old reports it. Returns whether there was one. */
export async function expectTooOld(
  members: readonly Member[],
  updated: ReadonlySet<string>,
): Promise<boolean> {
  let isAny = false;
  for (const member of members) {
    const least = (await readTeamSettings(member.ports, workspaceId))?.settings.minVersion;
    if (least === undefined || updated.has(member.name)) continue;
    isAny = true;
    await expect(member.exchange(), member.name).rejects.toMatchObject({ code: 'team.updateNeeded' });
  }
  return isAny;
}
