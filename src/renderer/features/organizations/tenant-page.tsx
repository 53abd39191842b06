import type { TenantRecord } from '../../../contract/records.ts';
import { formatCount } from '../../../rules/count.ts';
import { DataTable } from '../../components/data-table.tsx';
import { FieldSection, Section } from '../../components/page.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { EmployerLink } from '../../domain/employer/employer-link.tsx';
import { tenantClaimsList, tenantMembersList } from '../../domain/list/list-ref.ts';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { formatValue } from '../../lib/format-value.ts';
import { OrganizationPage } from './organization-page.tsx';

const kind = {
  one: 'tenant',
  title: 'Tenant',
  allLabel: 'All tenants',
  all: '/tenants',
  membersList: tenantMembersList,
  claimsList: tenantClaimsList,
} as const;

/** One tenant: its vendors, its employers, sums of its members' claims, and its members and claims. */
export function TenantPage({ tenantId }: { tenantId: number }) {
  const query = useWorkspaceQuery('records:getTenant', { id: tenantId });
  return (
    <OrganizationPage kind={kind} id={tenantId} query={query} recordOf={({ tenant }) => tenant}>
      {({ tenant, employers }) => (
        <>
          <TenantIdentity tenant={tenant} />
          <TenantVendors tenant={tenant} />
          <TenantEmployers employers={employers} />
        </>
      )}
    </OrganizationPage>
  );
}

const text = (value: unknown) => formatValue(value, 'text');

const yesNo = (value: unknown) => formatValue(value, 'boolean');

const TenantIdentity = ({ tenant }: { tenant: TenantRecord }) => (
  <FieldSection
    title="Identity"
    fields={[
      ['Name', text(tenant.name)],
      ['ID', text(tenant.id)],
      ['Tenant ID', text(tenant.tenant_id)],
      ['Partner IDs', yesNo(tenant.partner_key_enabled)],
    ]}
  />
);

/** The systems that have keys for the tenant's members; their labels are part of the vendor's addresses. */
function TenantVendors({ tenant }: { tenant: TenantRecord }) {
  const vendors = tenant.vendor_tenants ?? [];
  return (
    <Section title="Vendor tenants">
      {vendors.length === 0 ? (
        <Hint>No vendors on file.</Hint>
      ) : (
        <DataTable
          label="Vendor tenants"
          verticalSpacing={2}
          rows={vendors}
          keyOf={({ id }, index) => id ?? index}
          columns={[
            ['Vendor', ({ vendor }) => text(vendor?.name ?? vendor?.code)],
            ['Label', ({ label }) => text(label)],
            ['IDs enabled', ({ key_enabled: isEnabled }) => yesNo(isEnabled)],
          ]}
        />
      )}
    </Section>
  );
}

const maxShown = 100;

function TenantEmployers(props: {
  employers: readonly { id: number; name: string | null; members: number }[];
}) {
  const { employers } = props;
  return (
    <Section title={`Employers (${formatCount(employers.length)})`}>
      {employers.length === 0 ? (
        <Hint>No employers with synced members.</Hint>
      ) : (
        <DataTable
          label="Employers"
          verticalSpacing={2}
          rows={employers.slice(0, maxShown)}
          keyOf={({ id }) => id}
          columns={[
            ['Employer', (employer) => <EmployerLink employer={employer} />],
            ['Members', ({ members }) => formatCount(members)],
          ]}
        />
      )}
      {employers.length > maxShown && (
        <SmallPrint>Top {maxShown} by members. See Employers for the rest.</SmallPrint>
      )}
    </Section>
  );
}
