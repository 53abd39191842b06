import type { Handlers } from '../../../contract/procedures.ts';
import type { EmployerRecord, TenantRecord } from '../../../contract/records.ts';
import { DeskError } from '../../lib/errors.ts';
import { parseJson, toPlainJson } from '../store/record/json.ts';
import { findUnknownFields } from '../store/record/unknown-fields.ts';
import type { EngineState } from './engine-state.ts';

type Names = 'records:listEmployers' | 'records:listTenants' | 'records:getEmployer' | 'records:getTenant';

/** Requests about employers and tenants, which come with members and have no list of their own. */
export function createOrganizationHandlers(state: Pick<EngineState, 'getStore'>): Handlers<Names> {
  return {
    'records:listEmployers': async ({ workspaceId }) => {
      const store = await state.getStore(workspaceId);
      return { employers: await store.list('listEmployers', null) };
    },
    'records:listTenants': async ({ workspaceId }) => {
      const store = await state.getStore(workspaceId);
      return { tenants: await store.list('listTenants', null) };
    },
    'records:getEmployer': async ({ workspaceId, id }) => {
      const found = await (await state.getStore(workspaceId)).read('readEmployer', { id });
      if (found === null) throw new DeskError('record.unknown');
      const employer = toPlainJson(parseJson(found.employer)) as EmployerRecord;
      const tenants = found.tenants.map(({ id: tenantId, name }) => ({ id: tenantId, name }));
      return { employer, tenants, unknownFields: findUnknownFields('employers', employer) };
    },
    'records:getTenant': async ({ workspaceId, id }) => {
      const found = await (await state.getStore(workspaceId)).read('readTenant', { id });
      if (found === null) throw new DeskError('record.unknown');
      const tenant = toPlainJson(parseJson(found.tenant)) as TenantRecord;
      return { tenant, employers: found.employers, unknownFields: findUnknownFields('tenants', tenant) };
    },
  };
}
