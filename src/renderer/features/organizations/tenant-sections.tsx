import { Table, Text } from '@mantine/core';
import type { TenantRecord } from '../../../contract/records.ts';
import { AnchorLink } from '../../components/links.tsx';
import { FieldList, Section } from '../../components/page.tsx';
import { formatCount, formatValue } from '../../lib/format-value.ts';

const text = (value: unknown) => formatValue(value, 'text');
const yesNo = (value: unknown) => formatValue(value, 'boolean');

export function TenantIdentity({ tenant }: { tenant: TenantRecord }) {
  return (
    <Section title="Identity">
      <FieldList
        fields={[
          ['Name', text(tenant.name)],
          ['ID', text(tenant.id)],
          ['Tenant ID', text(tenant.tenant_id)],
          ['Partner IDs', yesNo(tenant.partner_key_enabled)],
        ]}
      />
    </Section>
  );
}

/** The systems that have keys for the tenant's members; their labels are part of the vendor's addresses. */
export function TenantVendors({ tenant }: { tenant: TenantRecord }) {
  const vendors = tenant.vendor_tenants ?? [];
  return (
    <Section title="Vendor tenants">
      {vendors.length === 0 ? (
        <Text size="sm" c="dimmed">
          No vendors on file.
        </Text>
      ) : (
        <Table verticalSpacing={2} aria-label="Vendor tenants">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Vendor</Table.Th>
              <Table.Th>Label</Table.Th>
              <Table.Th>IDs enabled</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {vendors.map((vendor, index) => (
              <Table.Tr key={vendor.id ?? index}>
                <Table.Td>{text(vendor.vendor?.name ?? vendor.vendor?.code)}</Table.Td>
                <Table.Td>{text(vendor.label)}</Table.Td>
                <Table.Td>{yesNo(vendor.key_enabled)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Section>
  );
}

const maxShown = 100;

export function TenantEmployers(props: {
  employers: readonly { id: number; name: string | null; members: number }[];
}) {
  const { employers } = props;
  return (
    <Section title={`Employers (${formatCount(employers.length)})`}>
      {employers.length === 0 ? (
        <Text size="sm" c="dimmed">
          No employers with synced members.
        </Text>
      ) : (
        <Table verticalSpacing={2} aria-label="Employers">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Employer</Table.Th>
              <Table.Th>Members</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {employers.slice(0, maxShown).map(({ id, name, members }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  <AnchorLink to="/employers/$employerId" params={{ employerId: id }}>
                    {name ?? `Employer ${id}`}
                  </AnchorLink>
                </Table.Td>
                <Table.Td>{formatCount(members)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {employers.length > maxShown && (
        <Text size="xs" c="dimmed">
          Top {maxShown} by members. See Employers for the rest.
        </Text>
      )}
    </Section>
  );
}
