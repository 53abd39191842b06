import { describe, expect, it } from 'vitest';
import { monthsOfPlanYear, sumByPerson } from '../../../../../src/renderer/domain/claim/person-year.ts';

const member = {
  id: 7,
  first_name: 'Jean',
  last_name: 'Edwards',
  dependents: [{ id: 71, first_name: 'Ann', last_name: 'Edwards', relationship: 'child' }],
};

describe('sumByPerson', () => {
  it('adds up by person whatever a carrier calls them, rejected claims separately, null not zero', () => {
    const people = sumByPerson(
      [
        { patient_name: 'EDWARDS, ANN', status: 'Processed', amount_billed: 1000, reduction: 50_000 },
        {
          patient_name: 'Ann Edwards',
          status: 'Processed',
          amount_billed: 2000,
          patient_responsibility: 90_000,
        },
        { patient_name: 'EDWARDS, JEAN', status: 'In Process', amount_billed: 100_000 },
        {
          patient_name: 'Jean Edwards',
          status: 'Rejected',
          amount_billed: 400_000,
          patient_responsibility: 400_000,
        },
        { patient_name: null, status: 'Processed', amount_billed: null },
      ],
      member,
    );
    expect(people.map(({ name }) => name)).toEqual(['Jean Edwards', 'Ann Edwards', 'No patient name']);
    expect(people[0]).toMatchObject({
      patient: { kind: 'member', id: 7 },
      count: 1,
      billed: 100_000,
      patientResponsibility: null,
      rejected: { count: 1, patientResponsibility: 400_000 },
    });
    expect(people[1]).toMatchObject({
      sentNames: ['EDWARDS, ANN', 'Ann Edwards'],
      count: 2,
      billed: 3000,
      patientResponsibility: 90_000,
      deductible: 50_000,
    });
    expect(people[2]).toMatchObject({ patient: null, billed: null });
  });

  it('also lists people without claims, without sums', () => {
    const people = sumByPerson([{ patient_name: 'Ann Edwards', status: 'Processed' }], member);
    expect(people.map(({ name, count, billed }) => [name, count, billed])).toEqual([
      ['Jean Edwards', 0, null],
      ['Ann Edwards', 1, null],
    ]);
  });

  it('gives a name that the member shares with a dependent to the member, and says so', () => {
    const dependents = [...member.dependents, { id: 72, first_name: 'Jean', last_name: 'Edwards' }];
    const [first] = sumByPerson([{ patient_name: 'EDWARDS, JEAN' }], { ...member, dependents });
    expect(first).toMatchObject({ count: 1, patient: { kind: 'member', id: 7, sharesName: true } });
  });
});

describe('monthsOfPlanYear', () => {
  it('is the calendar year where plan years begin in January', () => {
    const months = monthsOfPlanYear('2026-11-22', 1);
    expect([months[0], months[11], months.length]).toEqual(['2026-01', '2026-12', 12]);
  });

  it.each([
    ['2026-06-30', '2025-07', '2026-06'],
    ['2026-07-01', '2026-07', '2027-06'],
  ])('from July on, %s is in %s to %s', (today, first, last) => {
    const months = monthsOfPlanYear(today, 7);
    expect([months[0], months[11]]).toEqual([first, last]);
  });
});
