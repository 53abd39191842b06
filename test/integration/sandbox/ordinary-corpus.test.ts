import { afterAll, beforeAll, expect, test } from 'vitest';
import { genderOfName } from '../../../src/sandbox/data/names.ts';
import { PROVIDER_KINDS } from '../../../src/sandbox/data/visits.ts';
import { givenSandbox } from './given-sandbox.ts';

// New users see this first: nothing here may look like a test.

type Record_ = Readonly<Record<string, unknown>>;
const sandbox = givenSandbox('--members', '60', '--claims', '600', '--corpus', 'ordinary');
let claims: Record_[];
let members: Record_[];

beforeAll(async () => {
  [claims, members] = await Promise.all([
    sandbox.truth<Record_>('claims'),
    sandbox.truth<Record_>('members'),
  ]);
});
afterAll(() => sandbox.stop());

test('names are those of ordinary people', () => {
  const names = [
    ...claims.flatMap(({ patient_name, service_provider }) => [patient_name, service_provider]),
    ...members.flatMap(({ first_name, last_name }) => [first_name, last_name]),
  ].filter((name) => name !== null);
  expect(names.length).toBeGreaterThan(1000);
  expect(
    names.filter((name) => !/^[\p{Script=Latin}][\p{Script=Latin} .,'’&-]*$/u.test(String(name))),
  ).toEqual([]);
});

test('amounts are whole cents and add up', () => {
  const cents = (value: unknown) =>
    value === null || value === undefined ? null : Math.round(Number(value) * 100);
  for (const claim of claims) {
    for (const [field, value] of Object.entries(claim)) {
      if (/amount|discount|responsib|reduction|copay|coins/.test(field) && typeof value === 'number') {
        expect(Math.abs(value * 100 - Math.round(value * 100))).toBeLessThan(1e-6);
      }
    }
    const [billed, discount, allowed] = [claim.amount_billed, claim.discount, claim.amount_allowed].map(
      cents,
    );
    if (claim.status === 'Processed' && discount !== null && claim.is_incomplete !== true) {
      // Special claims whose lines do not add up are ten dollars off.
      expect([0, 1000, 1]).toContain((billed ?? 0) - (discount ?? 0) - (allowed ?? 0));
    }
  }
});

/** The kind of the provider, which its name ends in; undefined where the claim has no provider. */
const kindOf = ({ service_provider }: Record_): string | undefined =>
  Object.values(PROVIDER_KINDS)
    .flat()
    .toSorted((a, b) => b.length - a.length)
    .find((kind) => String(service_provider).endsWith(kind));

const dayBefore = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);

test('rejected claims have a reason, and no date is in the future', () => {
  const rejected = claims.filter(({ status }) => status === 'Rejected');
  const reasons = rejected.filter(({ remarks }) => typeof remarks === 'string' && remarks !== '');
  expect(rejected.length).toBeGreaterThan(20);
  expect(reasons.length / rejected.length).toBeGreaterThan(0.8);
  for (const { processed_on, eob_date, check_date, createddate, date_of_service } of claims) {
    for (const day of [processed_on, eob_date, check_date, createddate]) {
      if (typeof day === 'string') expect(day.slice(0, 10) <= '2026-11-20').toBe(true);
    }
    // A claim is made when the stay is over.
    const lastDay = dayBefore((date_of_service as { end: string }).end);
    expect(lastDay <= String(createddate).slice(0, 10)).toBe(true);
  }
});

test('there are three employers, two plan years, and an archived member', () => {
  const employers = new Set(members.map(({ employer }) => (employer as { name: string } | null)?.name));
  expect(employers).toEqual(new Set(['Harbor Freight Lines', 'Maple Grove Schools', 'Riverside Foods']));
  const years = new Set(
    claims.map(({ date_of_service }) => (date_of_service as { start: string }).start.slice(0, 4)),
  );
  expect(years).toContain('2025');
  expect(years).toContain('2026');
  expect(members.some(({ archived }) => archived === true)).toBe(true);
});

test('families are plausible: ages, relationships, names by gender, email addresses', () => {
  type Person = { first_name: string; middle_name: string | null; date_of_birth: string; gender: string };
  type Dependent = Person & { relationship: string };
  const yearsAfter = (older: string, younger: string) =>
    (Date.parse(younger) - Date.parse(older)) / (365.25 * 24 * 3_600_000);
  const dependents = members.flatMap((member) =>
    (member.dependents as Dependent[]).map((dependent) => ({
      member: member as unknown as Person,
      dependent,
    })),
  );
  const children = dependents.filter(({ dependent }) => /child/.test(dependent.relationship));
  expect(children.length).toBeGreaterThan(20);
  for (const { member, dependent } of children) {
    expect(yearsAfter(member.date_of_birth, dependent.date_of_birth)).toBeGreaterThan(18);
  }
  const stepchildren = children.filter(({ dependent }) => dependent.relationship === 'stepchild');
  expect(stepchildren.length / children.length).toBeLessThan(0.15);
  const people = [...(members as unknown as Person[]), ...dependents.map(({ dependent }) => dependent)];
  expect(people.filter(({ gender }) => gender === 'X').length / people.length).toBeLessThan(0.05);
  for (const { dependent } of dependents) {
    const { first_name, middle_name } = dependent;
    if (middle_name !== null) expect(genderOfName(middle_name)).toBe(genderOfName(first_name));
  }
  expect(['Mary', 'Łukasz', 'Zoë', 'John'].map(genderOfName)).toEqual(['F', 'M', 'F', 'M']);
});

test('a family uses one or two of three providers of a kind; the deductible ends at $1,500 a year', () => {
  const byFamily = new Map<string, Set<unknown>>();
  const byKind = new Map<string, Set<unknown>>();
  const deductibles = new Map<string, number>();
  for (const claim of claims) {
    const type = (claim.type as { name: string }).name;
    const [member] = claim.members as { id: number; employer: { name: string } }[];
    if (member === undefined) continue;
    const kind = kindOf(claim);
    if (kind === undefined) continue;
    const family = `${member.id} ${type} ${kind}`;
    byFamily.set(family, (byFamily.get(family) ?? new Set()).add(claim.service_provider_npi_number));
    byKind.set(kind, (byKind.get(kind) ?? new Set()).add(claim.service_provider_npi_number));
    const name = String(claim.patient_name).toLowerCase().split(/[ ,]+/).sort().join(' ');
    const months = (claim.date_of_service as { start: string }).start.slice(0, 7);
    // Plan years begin in January or July: half-years are in exactly one of either.
    const half = `${months.slice(0, 4)} ${Number(months.slice(5)) > 6}`;
    const key = `${member.id} ${name} ${half}`;
    if (!Number.isFinite(claim.reduction as number)) continue;
    deductibles.set(key, (deductibles.get(key) ?? 0) + (claim.reduction as number));
  }
  expect(Math.max(...[...byFamily.values()].map(({ size }) => size))).toBeLessThanOrEqual(2);
  expect(Math.max(...[...byKind.values()].map(({ size }) => size))).toBeLessThanOrEqual(3);
  expect(Math.max(...deductibles.values())).toBeGreaterThan(0);
  expect(Math.max(...deductibles.values())).toBeLessThanOrEqual(1500);
});

test('nothing is named after a test, and each procedure has its own code', () => {
  expect(JSON.stringify(members)).not.toContain('Test Carrier');
  const codes = claims.flatMap(({ claim_medical_lines }) =>
    ((claim_medical_lines ?? []) as { procedure_code: string | null }[]).map(
      ({ procedure_code }) => procedure_code,
    ),
  );
  expect(codes.filter((code) => code?.includes(' - '))).toEqual([]);
  for (const { email } of members) expect(String(email)).toMatch(/^[a-z]+\.[a-z]+\d+@mail\.example$/);
});

type Line = { procedure_code: string | null; procedure_name: string | null; amount_billed: number };
const linesOf = (claim: Record_): Line[] => (claim.claim_medical_lines ?? []) as Line[];

test('services match each other and the patient, without licensed codes', () => {
  const services = new Set(
    claims.flatMap((claim) => linesOf(claim).map(({ procedure_code }) => procedure_code)),
  );
  expect(services.size).toBeGreaterThan(30);
  // CPT codes are five digits, CDT codes begin with D.
  expect([...services].filter((code) => code !== null && !/^[A-CE-Z]\d{4}$/.test(code))).toEqual([]);
  for (const claim of claims) {
    const names = linesOf(claim).map(({ procedure_name }) => procedure_name);
    if (names.includes('Well-child visit')) expect([undefined, 'Pediatrics']).toContain(kindOf(claim));
    if (names.includes('Delivery room')) expect(names).toContain('Hospital room, per day');
    if (names.includes('Knee arthroscopy, removal of loose body')) expect(names).toContain('Operating room');
    for (const { amount_billed, procedure_name } of linesOf(claim)) {
      if (procedure_name === 'Office visit, established patient' && amount_billed > 0) {
        expect(amount_billed).toBeGreaterThanOrEqual(110);
        expect(amount_billed).toBeLessThanOrEqual(235);
      }
    }
  }
});

test('patients have episodes: one with knee surgery has other claims for that knee', () => {
  const isOfKnee = (claim: Record_) => /M17\.11|M23\.91|M25\.561/.test(JSON.stringify(linesOf(claim)));
  const nameOf = ({ patient_name }: Record_) =>
    String(patient_name).toLowerCase().trim().split(/[ ,]+/).sort().join(' ');
  const ofKnee = claims.filter((claim) => isOfKnee(claim) && claim.patient_name !== null);
  const people = Map.groupBy(ofKnee, nameOf);
  expect(people.size).toBeGreaterThan(2);
  expect(ofKnee.length / people.size).toBeGreaterThan(1.5);
});
