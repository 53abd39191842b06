import { Badge } from '@mantine/core';
import type { EmployerRecord } from '../../../contract/records.ts';
import { DataTable } from '../../components/data-table.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { FieldSection, Section, Wide } from '../../components/page.tsx';
import { Hint } from '../../components/text.tsx';
import { employerClaimsList, employerMembersList } from '../../domain/list/list-ref.ts';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { formatValue } from '../../lib/format-value.ts';
import { OrganizationPage } from './organization-page.tsx';

const kind = {
  one: 'employer',
  title: 'Employer',
  allLabel: 'All employers',
  all: '/employers',
  membersList: employerMembersList,
  claimsList: employerClaimsList,
} as const;

/** One employer: contact, payers, sums of its members' claims, and its members and claims. */
export function EmployerPage({ employerId }: { employerId: number }) {
  const query = useWorkspaceQuery('records:getEmployer', { id: employerId });
  return (
    <OrganizationPage
      kind={kind}
      id={employerId}
      query={query}
      recordOf={({ employer }) => employer}
      beside={
        query.data?.employer.archived && (
          <Badge size="lg" variant="default">
            Archived
          </Badge>
        )
      }
    >
      {({ employer, tenants }) => (
        <>
          <EmployerIdentity employer={employer} />
          <EmployerContact employer={employer} tenants={tenants} />
          <Wide>
            <EmployerPayers employer={employer} />
          </Wide>
        </>
      )}
    </OrganizationPage>
  );
}

const text = (value: unknown) => formatValue(value, 'text');

const yesNo = (value: unknown) => formatValue(value, 'boolean');

/** Contacts of the employer, and its names and numbers elsewhere. */
function EmployerContact(props: {
  employer: EmployerRecord;
  tenants: readonly { id: number; name: string | null }[];
}) {
  const { employer, tenants } = props;
  return (
    <FieldSection
      title="Contact and tenant"
      fields={[
        ['Support email', text(employer.support_email_derived)],
        ['Support phone', text(employer.support_phone_derived)],
        ['Email automation', yesNo(employer.email_automation)],
        ['Archived', yesNo(employer.archived)],
        [
          tenants.length > 1 ? 'Tenants' : 'Tenant',
          tenants.length === 0
            ? text(employer.tenant_name_derived)
            : tenants.map(({ id, name }) => (
                <div key={id}>
                  <AnchorLink to="/tenants/$tenantId" params={{ tenantId: id }}>
                    {name ?? `Tenant ${id}`}
                  </AnchorLink>
                </div>
              )),
        ],
      ]}
    />
  );
}

const EmployerIdentity = ({ employer }: { employer: EmployerRecord }) => (
  <FieldSection
    title="Identity"
    fields={[
      ['Name', text(employer.name)],
      ['ID', text(employer.id)],
      ['Employer ID', text(employer.employer_id)],
      ['Slug', text(employer.slug)],
    ]}
  />
);

type Payer = NonNullable<EmployerRecord['eligible_payers']>[number];

/** The employer's payers, and those that its members may connect. */
function EmployerPayers({ employer }: { employer: EmployerRecord }) {
  const current = new Set((employer.payers ?? []).map((payer) => payer.id));
  const eligible = employer.eligible_payers ?? [];
  const others = (employer.payers ?? []).filter(
    (payer) => !eligible.some((candidate) => candidate.id === payer.id),
  );
  const rows: { payer: Payer; isEligible: boolean }[] = [
    ...eligible.map((payer) => ({ payer, isEligible: true })),
    ...others.map((payer) => ({ payer: payer as Payer, isEligible: false })),
  ];
  return (
    <Section title="Carriers">
      {rows.length === 0 ? (
        <Hint>No carriers on file.</Hint>
      ) : (
        <DataTable
          label="Carriers"
          verticalSpacing={2}
          rows={rows}
          keyOf={({ payer }, index) => payer.id ?? index}
          columns={[
            [
              'Carrier',
              ({ payer }) =>
                payer.short_name && payer.short_name !== payer.name
                  ? `${text(payer.name ?? payer.short_name)} (${payer.short_name})`
                  : text(payer.name ?? payer.short_name),
            ],
            [
              'Status',
              ({ payer, isEligible }) => (
                <>
                  {current.has(payer.id) && <Badge variant="default">Current</Badge>}{' '}
                  {isEligible && <Badge variant="default">Available</Badge>}
                </>
              ),
            ],
            ['Data source', ({ payer }) => text(payer.retriever)],
          ]}
        />
      )}
    </Section>
  );
}
