import type { Handlers } from '../../../src/contract/procedures.ts';
import type { EmployerRecord, TenantRecord } from '../../../src/contract/records.ts';
import { FakeError } from './fake-desk.ts';
import { type FakeRecords, groupRows, runQuery } from './fake-records.ts';

type Names =
  | 'records:listEmployers'
  | 'records:listTenants'
  | 'records:getEmployer'
  | 'records:getTenant'
  | 'records:revealSsn';

/** Employers, tenants and whole SSNs, from the members that the fake has now. */
export function createFakeOrganizations(getRecords: () => FakeRecords): Handlers<Names> {
  const list = (kind: 'employer' | 'tenant') => {
    const records = getRecords();
    const claims = groupRows(runQuery(records, { entity: 'claims' }), `members.${kind}.id`);
    const members = runQuery(records, { entity: 'members', includesArchived: true });
    return groupRows(members, `${kind}.id`).flatMap(({ value, totals }) => {
      const found = claims.find((group) => group.value === value);
      const owner = records.members.find((member) => member[kind]?.id === value)?.[kind];
      if (typeof value !== 'number') return [];
      const archived = records.members.filter((member) => member[kind]?.id === value && member.archived);
      const none = { count: 0, billed: null, allowed: null, paid: null, patientResponsibility: null };
      return [
        {
          id: value,
          name: owner?.name ?? null,
          members: totals.count,
          archivedMembers: archived.length,
          claims: found?.totals ?? none,
        },
      ];
    });
  };
  return {
    'records:listEmployers': () => ({ employers: list('employer') }),
    'records:listTenants': () => ({
      tenants: list('tenant').map((tenant) => ({ ...tenant, employers: list('employer').length })),
    }),
    'records:getEmployer': ({ id }) => {
      const member = getRecords().members.find((candidate) => candidate.employer?.id === id);
      if (member?.employer === undefined) throw new FakeError('record.unknown');
      return {
        employer: { ...member.employer, founded: 1947 } as EmployerRecord,
        tenants: [{ id: 9, name: 'Ohio Benefits Trust' }],
        unknownFields: ['founded'],
      };
    },
    'records:getTenant': ({ id }) => {
      const member = getRecords().members.find((candidate) => candidate.tenant?.id === id);
      if (member?.tenant === undefined) throw new FakeError('record.unknown');
      return {
        tenant: member.tenant as TenantRecord,
        employers: list('employer').map(({ id: employerId, name, members }) => ({
          id: employerId,
          name,
          members,
        })),
        unknownFields: [],
      };
    },
    'records:revealSsn': ({ id }) => ({ ssn: `531-40-${String(1000 + (id % 9000)).padStart(4, '0')}` }),
  };
}
