import { expect, it } from 'vitest';
import { findPatient } from '../../../../../src/renderer/domain/member/find-patient.ts';

const member = {
  id: 7,
  first_name: 'José',
  last_name: 'Edwards',
  dependents: [
    { id: 71, first_name: 'Ann', last_name: 'Edwards', relationship: 'child' },
    { id: 72, first_name: 'Mary Lou', last_name: 'Edwards', relationship: 'spouse' },
  ],
};

it.each([
  ['EDWARDS, JOSE', { kind: 'member', id: 7, relationship: null }],
  ['Edwards, Ann M', { kind: 'dependent', id: 71, relationship: 'child' }],
  ['mary lou edwards', { kind: 'dependent', id: 72, relationship: 'spouse' }],
  ['Edwards, Mary', null],
  ['', null],
  [null, null],
])('%s is %j', (name, patient) => {
  expect(findPatient(name, member)).toEqual(patient);
});

it('chooses the member if a dependent has the same name, and says so', () => {
  const dependents = [...member.dependents, { id: 73, first_name: 'José', last_name: 'Edwards' }];
  expect(findPatient('EDWARDS, JOSE', { ...member, dependents })).toEqual({
    kind: 'member',
    id: 7,
    relationship: null,
    sharesName: true,
  });
});

it('chooses no one if two dependents have the name', () => {
  const dependents = [...member.dependents, { id: 74, first_name: 'Ann', last_name: 'Edwards' }];
  expect(findPatient('EDWARDS, ANN', { ...member, dependents })).toBeNull();
});

it('ignores a person without a first name', () => {
  expect(findPatient('Edwards', { id: 8, last_name: 'Edwards' })).toBeNull();
});
