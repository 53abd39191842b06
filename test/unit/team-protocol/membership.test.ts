import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCertificateBody } from '../../../src/team-protocol/certificate.ts';
import { type EntryHeader, readHeader } from '../../../src/team-protocol/entry.ts';
import {
  applyMembership,
  findMember,
  listMembers,
  type Members,
  type MembershipAct,
  membershipActSchema,
  readMembership,
} from '../../../src/team-protocol/membership.ts';
import { writeOpenHead } from '../../../src/team-protocol/open-head.ts';
import { foldMembers } from '../../support/fold-members.ts';
import { fuzzRuns } from '../../support/seeds.ts';
import {
  certificateOf,
  makeComputer,
  makeMembership,
  makeTeamId,
  nextBytes,
  recoveryOf,
  type TestComputer,
  testGrant,
} from '../../support/team-computer.ts';

const team = makeTeamId();
const [ada, ben, cleo, ...others] = ['ada', 'ben', 'cleo', 'ada', 'ben'].map((name) =>
  makeComputer(`${name}@acme.example`),
) as [TestComputer, TestComputer, TestComputer, ...TestComputer[]];
const computers = [ada, ben, cleo, ...others];
const recovery = makeComputer('recovery');
const createAct: MembershipAct = {
  ...{ act: 'create', certificate: certificateOf(ada, team), grant: testGrant },
  recovery: recoveryOf(recovery),
};
const admitAct = (
  computer: TestComputer,
  role: 'admin' | 'reviewer' | 'reader',
  generations = 1,
): MembershipAct => ({
  ...{ act: 'admit', certificate: certificateOf(computer, team), role },
  grants: Array.from({ length: generations }, () => testGrant),
});
const renewAct = (generation: number, granted: readonly string[]): MembershipAct => ({
  ...{ act: 'renewKey', generation, recovery: recoveryOf(recovery) },
  grants: granted.map((computer) => ({ computer, grant: testGrant })),
});
const at = '2026-11-20T12:00:00.000Z';
const step = (members: Members | null, number: number, author: TestComputer, act: MembershipAct) =>
  applyMembership(members, { number, header: { team, computer: author.id, at }, act });
/** Applies acts that have to be accepted. */
const build = (...acts: readonly (readonly [TestComputer, MembershipAct])[]): Members => {
  let members: Members | null = null;
  for (const [index, [author, act]] of acts.entries()) {
    const next: Members | string = step(members, index + 1, author, act);
    if (typeof next === 'string') throw new Error(next);
    members = next;
  }
  return members as Members;
};
const pair = build([ada, createAct], [ada, admitAct(ben, 'reviewer')]);

describe('memberships', () => {
  it('are read from their heads, only as the header commits to them', () => {
    const entry = makeMembership(ada, createAct, { team });
    const header = readHeader(entry.header);
    if (header === null) throw new Error('no header');
    expect(readMembership(header, entry.head)).toEqual(createAct);
    const other = Buffer.from(entry.head);
    other[20] = (other[20] ?? 0) ^ 1;
    expect(readMembership(header, other)).toBeNull();
    expect(readMembership(header, entry.head.subarray(0, -1))).toBeNull();
    expect(readMembership({ ...header, kind: 'event' }, entry.head)).toBeNull();
    expect(readMembership(header, Buffer.alloc(5_000_000))).toBeNull();
  });

  it('show who is a member with which role at each number', () => {
    const { at: membersAt, refused } = foldMembers([
      { number: 1, header: { team, computer: ada.id, at }, act: createAct },
      { number: 4, header: { team, computer: ada.id, at }, act: admitAct(ben, 'reader') },
      { number: 5, header: { team, computer: ben.id, at }, act: admitAct(cleo, 'reader') },
      { number: 7, header: { team, computer: ada.id, at }, act: { act: 'revoke', of: { computer: ben.id } } },
      { number: 9, header: { team, computer: ada.id, at }, act: renewAct(2, [ada.id]) },
    ]);
    expect(membersAt(0)).toBeNull();
    expect(findMember(membersAt(3), ben.id)).toBeNull();
    expect(findMember(membersAt(6), ben.id)?.role).toBe('reader');
    expect(findMember(membersAt(7), ben.id)).toBeNull();
    expect(membersAt(8)).toMatchObject({ generation: 1, isRenewalDue: true });
    expect(membersAt(9)).toMatchObject({ generation: 2, isRenewalDue: false });
    expect([...refused]).toEqual([[5, 'member.notAdmin']]);
  });

  it.each<[string, Members | null, TestComputer, MembershipAct, string]>([
    ['an act before the team', null, ada, { act: 'leave' }, 'member.unknown'],
    ['a second team', pair, ada, createAct, 'team.exists'],
    ['an act of a stranger', pair, cleo, admitAct(cleo, 'admin'), 'member.unknown'],
    ['an act of a reviewer', pair, ben, admitAct(cleo, 'reader'), 'member.notAdmin'],
    ['the key renewed by a reviewer', pair, ben, renewAct(2, [ada.id, ben.id]), 'member.notAdmin'],
    ['the certificate of another computer', null, ben, createAct, 'certificate.invalid'],
    ['the same computer twice', pair, ada, admitAct(ben, 'reviewer'), 'member.known'],
    [
      'another role of a known person',
      pair,
      ada,
      admitAct(others[1] as TestComputer, 'reader'),
      'member.otherRole',
    ],
    [
      'too few grants',
      build([ada, createAct], [ada, renewAct(2, [ada.id])]),
      ada,
      admitAct(ben, 'reader'),
      'generation.wrong',
    ],
    [
      'a revoked stranger',
      pair,
      ada,
      { act: 'revoke', of: { email: 'eve@acme.example' } },
      'member.notThere',
    ],
    ['the last admin revoked', pair, ada, { act: 'revoke', of: { email: ada.email } }, 'member.lastAdmin'],
    ['the last admin leaving', pair, ada, { act: 'leave' }, 'member.lastAdmin'],
    [
      'the last admin as a reader',
      pair,
      ada,
      { act: 'role', email: ada.email, role: 'reader' },
      'member.lastAdmin',
    ],
    ['a key for too few', pair, ada, renewAct(2, [ada.id]), 'grants.incomplete'],
    ['a key for a stranger', pair, ada, renewAct(2, [ada.id, cleo.id]), 'grants.incomplete'],
    ['a key twice for one', pair, ada, renewAct(2, [ada.id, ada.id]), 'grants.incomplete'],
    ['a generation left out', pair, ada, renewAct(3, [ada.id, ben.id]), 'generation.wrong'],
    [
      'a certificate of another person',
      pair,
      ben,
      { act: 'certify', certificate: certificateOf({ ...ben, email: ada.email }, team) },
      'certificate.invalid',
    ],
    [
      'a certificate for another service',
      pair,
      ada,
      {
        ...admitAct(cleo, 'reader'),
        certificate: certificateOf(cleo, team, 'https://other.example'),
      } as MembershipAct,
      'certificate.invalid',
    ],
    [
      'a certificate for another team',
      pair,
      ada,
      { ...admitAct(cleo, 'reader'), certificate: certificateOf(cleo, makeTeamId()) } as MembershipAct,
      'certificate.invalid',
    ],
    [
      'a revocation by the recovery key',
      pair,
      recovery,
      { act: 'revoke', of: { computer: ben.id } },
      'member.notAdmin',
    ],
  ])('refuse %s', (_what, members, author, act, code) => {
    expect(step(members, 3, author, act)).toBe(code);
  });

  it('replace the recovery key only with all earlier team keys sealed for the new one, and never by a former one', () => {
    const next = makeComputer('next');
    const replace = (by: TestComputer, generation: number, earlier: number): MembershipAct => {
      const renewed = renewAct(generation, [ada.id, ben.id]) as Extract<MembershipAct, { act: 'renewKey' }>;
      const grants = Array.from({ length: earlier }, () => testGrant);
      return { ...renewed, recovery: { ...recoveryOf(by), ...(earlier === 0 ? {} : { earlier: grants }) } };
    };
    expect(step(pair, 3, ada, replace(next, 2, 0))).toBe('grants.incomplete');
    expect(step(pair, 3, ada, replace(next, 2, 2))).toBe('grants.incomplete');
    expect(step(pair, 3, ada, replace(recovery, 2, 1))).toBe('grants.incomplete');
    expect(step(pair, 3, recovery, replace(next, 2, 1))).toBe('member.notAdmin');
    const replaced = step(pair, 3, ada, replace(next, 2, 1)) as Members;
    expect(replaced).toMatchObject({ generation: 2, recovery: { computer: next.id } });
    const laptop = others[0] as TestComputer;
    expect(step(replaced, 4, recovery, admitAct(laptop, 'admin', 2))).toBe('member.unknown');
    expect(step(replaced, 4, ada, admitAct({ ...recovery, email: 'new@acme.example' }, 'reader', 2))).toBe(
      'member.known',
    );
    expect(step(replaced, 4, ada, replace(recovery, 3, 2))).toBe('member.known');
    expect(typeof step(replaced, 4, next, admitAct(laptop, 'admin', 2))).not.toBe('string');
  });

  it('let the recovery key admit a computer, and a revoked one never come back', () => {
    const recovered = step(pair, 3, recovery, admitAct(others[0] as TestComputer, 'admin')) as Members;
    expect(listMembers(recovered)).toHaveLength(3);
    const without = step(recovered, 4, ada, { act: 'revoke', of: { email: ben.email } }) as Members;
    expect(step(without, 5, ada, admitAct(ben, 'reviewer'))).toBe('member.known');
    expect(step(without, 5, ben, { act: 'leave' })).toBe('member.unknown');
  });

  it('accept a certificate by another SSH key of the same person', () => {
    const certificate = { ...certificateOf(ben, team), signature: 'other' };
    const next = step(pair, 3, ben, { act: 'certify', certificate }) as Members;
    expect(findMember(next, ben.id)?.certificate.signature).toBe('other');
    expect(step(next, 4, ben, { act: 'certify', certificate })).toBe('certificate.invalid');
  });

  it('accept a limited number of changes of roles and certificates from a computer, and still its removal', () => {
    const acts = Array.from({ length: 1_001 }, (_none, index): [TestComputer, MembershipAct] => [
      ada,
      { act: 'role', email: ben.email, role: index % 2 === 0 ? 'reader' : 'reviewer' },
    ]);
    const { refused, at: membersAt } = foldMembers(
      [[ada, createAct] as const, [ada, admitAct(ben, 'reviewer')] as const, ...acts].map(
        ([{ id }, act], index) => ({ number: index + 1, header: { team, computer: id, at }, act }),
      ),
    );
    expect([...refused]).toEqual([[1_003, 'team.full']]);
    const revoke: MembershipAct = { act: 'revoke', of: { email: ben.email } };
    expect(typeof step(membersAt(1_003) as Members, 1_004, ada, revoke)).not.toBe('string');
  });

  it('have no key of small order, no grant to one, and no key of a text twice', () => {
    const zero = Buffer.alloc(32).toString('base64url');
    const one = Buffer.from(`01${'00'.repeat(30)}80`, 'hex').toString('base64url');
    const prime = Buffer.from(`ed${'ff'.repeat(31)}`, 'hex').toString('base64url');
    for (const key of [zero, one, prime]) {
      for (const name of ['signingKey', 'sealingKey'])
        expect(readCertificateBody(certificateOf({ ...ben, [name]: key }, team).body)).toBeNull();
      const act = { ...createAct, recovery: { ...createAct.recovery, sealingKey: key } };
      expect(membershipActSchema.safeParse(act).success).toBe(false);
    }
    const grant = Buffer.concat([Buffer.alloc(32), nextBytes(48)]).toString('base64url');
    expect(membershipActSchema.safeParse({ ...createAct, grant }).success).toBe(false);
    expect(membershipActSchema.safeParse(createAct).success).toBe(true);
    const { head, commitment } = writeOpenHead('{"act":"leave","act":"leave"}');
    const header = readHeader(makeMembership(ada, createAct, { team }).header) as EntryHeader;
    expect(readMembership({ ...header, head: commitment }, head)).toBeNull();
  });

  const index = fc.nat(computers.length - 1);
  const author = fc.oneof(fc.constant(0), index);
  const role = fc.constantFrom('admin', 'reviewer', 'reader');
  const actArbitrary = fc.oneof(
    fc.record({ act: fc.constant('admit'), of: index, role }),
    fc.record({ act: fc.constant('role'), of: index, role }),
    fc.record({ act: fc.constant('revoke'), of: index, isPerson: fc.boolean() }),
    fc.record({ act: fc.constant('renewKey'), of: index }),
    fc.record({ act: fc.constant('leave'), of: index }),
  );

  it('keep an admin, one interval for each computer, and count only acts of members', () => {
    let [accepted, refused] = [0, 0];
    fc.assert(
      fc.property(fc.array(fc.tuple(author, actArbitrary), { minLength: 10, maxLength: 40 }), (acts) => {
        let members: Members = build([ada, createAct]);
        for (const [position, [by, drawn]] of acts.entries()) {
          const author = computers[by] as TestComputer;
          const meant = computers[drawn.of] as TestComputer;
          const make: Record<string, () => MembershipAct> = {
            admit: () => admitAct(meant, (drawn as { role: 'admin' }).role, members.generation),
            role: () => ({ act: 'role', email: meant.email, role: (drawn as { role: 'admin' }).role }),
            revoke: () => ({
              act: 'revoke',
              of: (drawn as { isPerson: boolean }).isPerson ? { email: meant.email } : { computer: meant.id },
            }),
            renewKey: () =>
              renewAct(
                members.generation + 1,
                listMembers(members).map(({ computer }) => computer),
              ),
            leave: () => ({ act: 'leave' }),
          };
          const act = (make[drawn.act] as () => MembershipAct)();
          const before = members;
          const next = step(members, position + 2, author, act);
          if (typeof next === 'string') {
            refused += 1;
            continue;
          }
          accepted += 1;
          members = next;
          const member = findMember(before, author.id);
          expect(member).not.toBeNull();
          if (act.act !== 'leave') expect(member?.role).toBe('admin');
          expect(listMembers(members).some((one) => one.role === 'admin')).toBe(true);
          for (const [id, one] of before.computers) {
            const now = members.computers.get(id);
            expect(now?.from).toBe(one.from);
            if (one.until !== null) expect(now).toEqual(one);
          }
          for (const email of new Set(listMembers(members).map((one) => one.email)))
            expect(
              new Set(
                listMembers(members)
                  .filter((one) => one.email === email)
                  .map((one) => one.role),
              ).size,
            ).toBe(1);
        }
      }),
      { numRuns: fuzzRuns(150) },
    );
    expect(accepted).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(100);
  });
});
