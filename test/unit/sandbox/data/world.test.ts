import { describe, expect, it } from 'vitest';
import { SandboxClock } from '../../../../src/sandbox/clock.ts';
import { SPECIAL_KINDS, specialClaimsPerKind } from '../../../../src/sandbox/data/special-claims.ts';
import { World } from '../../../../src/sandbox/data/world.ts';
import type { Claim } from '../../../../src/sandbox/schemas/claim.ts';
import { claimSchema } from '../../../../src/sandbox/schemas/claim.ts';
import { memberSchema } from '../../../../src/sandbox/schemas/member.ts';

const TODAY = 20_777;
const make = (seed = 1, members = 300, claims = 3000) =>
  new World({ seed, members, claims, order: 'asc' }, new SandboxClock(TODAY));
const allClaims = (world: World) =>
  world.claims.slice(0, world.claims.length).map((index) => world.claimAt(index));
const units = (value: number) => Math.round(value * 10_000);

describe('generated claims', () => {
  const world = make();
  const claims = allClaims(world);

  it('match the wire schema', () => {
    // Integers beyond 2^53 are raw JSON inside and numbers once written and read.
    for (const claim of claims)
      expect(claimSchema.safeParse(JSON.parse(JSON.stringify(claim))).success).toBe(true);
  });

  it('sum their lines exactly, except special claims', () => {
    let checked = 0;
    for (const index of world.claims.slice(0, 3000)) {
      const claim = world.claimAt(index);
      const kind = world.specialClaims.get(index)?.kind;
      const lines = claim.claim_medical_lines ?? [];
      if (lines.length === 0 || kind === 'near-duplicate' || claim.amount_billed === null) continue;
      if (lines.some((line) => line.amount_billed === null)) continue;
      const sum = lines.reduce((total, line) => total + units(line.amount_billed ?? 0), 0);
      if (kind === 'lines-do-not-sum') expect(sum).not.toBe(units(claim.amount_billed));
      else expect(sum).toBe(units(claim.amount_billed));
      checked += 1;
    }
    expect(checked).toBeGreaterThan(2500);
  });

  it('are priced only once processed', () => {
    const open = claims.filter((claim) => claim.status === 'In Process');
    expect(open.length).toBeGreaterThan(20);
    for (const claim of open)
      expect([claim.amount_paid, claim.processed_on, claim.check_number]).toEqual([null, null, null]);
  });

  it('have about 2.2 lines each', () => {
    const lines = claims.reduce((total, claim) => total + (claim.claim_medical_lines?.length ?? 0), 0);
    expect(lines / claims.length).toBeGreaterThan(1.9);
    expect(lines / claims.length).toBeLessThan(2.5);
  });

  it('are created in the order of their ids', () => {
    let last = 0;
    for (const index of world.claims.slice(0, 3000)) {
      const kind = world.specialClaims.get(index)?.kind ?? '';
      const { createddate } = world.claimAt(index);
      if (kind !== '' || createddate === null) continue;
      const at = Date.parse(/Z|\+/.test(createddate) ? createddate : `${createddate}Z`);
      expect(at).toBeGreaterThanOrEqual(last);
      last = at;
    }
  });
});

describe('as time passes', () => {
  it('nothing but status, amounts, and what goes with them changes', () => {
    const world = make(2);
    const before = new Map(allClaims(world).map((claim) => [claim.id, claim]));
    world.advanceDays(30);
    const moving = new Set<string>([
      'status',
      'processed_on',
      'eob_date',
      'check_date',
      'check_number',
      'modifieddate',
      'last_updated_status',
      'remarks',
      'claim_medical_lines',
      'is_incomplete',
      'patient_name',
    ]);
    let changed = 0;
    for (const claim of allClaims(world)) {
      const old = before.get(claim.id);
      if (old === undefined) continue;
      for (const key of Object.keys(claim) as (keyof Claim)[]) {
        if (moving.has(key) || /amount|discount|reduction|copay|coins|patient_resp|incurred/.test(key))
          continue;
        expect(JSON.stringify(claim[key]), `${claim.id} ${key}`).toBe(JSON.stringify(old[key]));
      }
      if (claim.status !== old.status) changed += 1;
    }
    expect(changed).toBeGreaterThan(50);
  });

  it('advancing by ten days equals advancing ten times by one', () => {
    const [a, b] = [make(3), make(3)];
    a.advanceDays(10);
    for (let n = 0; n < 10; n += 1) b.advanceDays(1);
    expect(JSON.stringify(allClaims(a))).toBe(JSON.stringify(allClaims(b)));
  });
});

describe('generated members', () => {
  it('match the wire schema and have families', () => {
    const world = make();
    const members = world.members.slice(0, 300).map((index) => world.memberAt(index));
    for (const member of members) expect(memberSchema.safeParse(member).success).toBe(true);
    const sizes = new Set(members.map((member) => member.dependents?.length));
    for (const size of [0, 1, 2, 3, 4, 5]) expect(sizes).toContain(size);
  });

  it('use only social security numbers that are never assigned', () => {
    const world = make();
    const numbers = world.members.slice(0, 300).flatMap((index) => {
      const member = world.memberAt(index);
      return [member.ssn, ...(member.dependents ?? []).map((dependent) => dependent.ssn)];
    });
    for (const text of numbers) if (text !== null) expect(text).toMatch(/^(000|9\d\d)-\d\d-\d{4}$/);
    expect(numbers.some((text) => text?.startsWith('000'))).toBe(true);
  });
});

describe('special claims', () => {
  it('exist in each kind, as many as the size allows', () => {
    const world = make();
    for (const kind of SPECIAL_KINDS) {
      expect([...world.specialClaims.values()].filter((one) => one.kind === kind)).toHaveLength(
        specialClaimsPerKind(3000),
      );
    }
    expect(specialClaimsPerKind(50_000_000)).toBe(100);
    expect(make(1, 5, 0).specialClaims.size).toBe(0);
  });

  it('copies are of claims that are not special themselves', () => {
    const world = make();
    for (const one of world.specialClaims.values()) {
      if (one.copyOf !== undefined) expect(world.specialClaims.has(one.copyOf)).toBe(false);
    }
  });

  it('a copy belongs to the member of its original', () => {
    const world = make();
    for (const [index, one] of world.specialClaims) {
      if (one.copyOf === undefined) continue;
      expect(world.claimAt(index).members).toEqual(world.claimAt(one.copyOf).members);
    }
  });
});

it('memory does not grow with the number of claims', () => {
  const before = process.memoryUsage().heapUsed;
  const world = make(1, 5_000_000, 50_000_000);
  expect(world.claims.slice(49_999_990, 20)).toHaveLength(10);
  expect(world.claimsOfMember(4_999_999).length).toBeLessThan(60);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50e6);
});
