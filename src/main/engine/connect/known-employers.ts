import type { ConnectEmployer } from '../../../contract/connect-members.ts';
import type { EmployerChoice } from '../store/query/employer-choices.ts';
import type { StoredEmployer } from './connect-file.ts';

/** An employer from the records or from members added before. */
export interface KnownEmployer extends ConnectEmployer {
  /** The integration's tenant is not among its tenants: with this token the service would create the employer. */
  readonly isOfOtherTenant: boolean;
  /** A member's key at a vendor's label, with which the data API can check the employer's key. */
  readonly memberKeys: EmployerChoice['memberKeys'];
}

/** Normalizes a name: case and spaces are ignored. */
export function isSameName(a: string, b: string): boolean {
  const fold = (name: string): string => name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
  return fold(a) === fold(b);
}

export const hasEmployerId = (
  { id, otherIds }: Pick<ConnectEmployer, 'id' | 'otherIds'>,
  employerId: number,
): boolean => id === employerId || otherIds.includes(employerId);

/** Merges both lists, sorted by name. `tenantLabel` is the one of the integration's settings. */
export function mergeEmployers(
  records: readonly EmployerChoice[],
  kept: readonly StoredEmployer[],
  tenantLabel: string | null,
): KnownEmployer[] {
  const ids = new Set(records.map(({ id }) => id));
  // Compared with the other number only if no other employer has that number as its ID.
  const isOf = (record: EmployerChoice, { id }: StoredEmployer): boolean =>
    id === record.id || (id === record.employerId && !ids.has(id));
  const tenantIds = new Set(kept.map(({ tenant }) => tenant.id));
  const isOfOtherTenant = (record: EmployerChoice): boolean => {
    if (record.tenants.length === 0) return false;
    if (tenantIds.size > 0) {
      return !record.tenants.some(
        ({ id, tenantId }) => tenantIds.has(id) || (tenantId !== null && tenantIds.has(tenantId)),
      );
    }
    return (
      tenantLabel !== null && record.vendorLabels.length > 0 && !record.vendorLabels.includes(tenantLabel)
    );
  };
  const ofRecords = records.map((record): KnownEmployer => {
    const keptEmployer = kept.find((employer) => isOf(record, employer));
    return {
      id: record.id,
      name: record.name?.trim() || keptEmployer?.name || `Employer ${record.id}`,
      otherIds: record.employerId === null || record.employerId === record.id ? [] : [record.employerId],
      tenantNames: record.tenants.flatMap(({ name }) => (name === null ? [] : [name])),
      systemKey: keptEmployer?.systemKey ?? null,
      vendor: keptEmployer?.vendor ?? null,
      vendorLabels: [...record.vendorLabels],
      isOfOtherTenant: keptEmployer === undefined && isOfOtherTenant(record),
      memberKeys: record.memberKeys,
    };
  });
  const others = kept
    .filter((employer) => !records.some((record) => isOf(record, employer)))
    .map(
      ({ id, name, tenant, systemKey, vendor }): KnownEmployer => ({
        id,
        name,
        otherIds: [],
        tenantNames: [tenant.name],
        systemKey,
        vendor,
        vendorLabels: [],
        isOfOtherTenant: false,
        memberKeys: [],
      }),
    );
  return [...ofRecords, ...others].sort((a, b) => a.name.localeCompare(b.name, 'en') || a.id - b.id);
}
