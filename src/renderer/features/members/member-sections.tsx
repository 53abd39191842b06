import type { MemberRecord } from '../../../contract/records.ts';
import { AnchorLink } from '../../components/links.tsx';
import { FieldSection } from '../../components/page.tsx';
import { EmployerLink } from '../../domain/employer/employer-link.tsx';
import { SsnField } from '../../domain/member/ssn-field.tsx';
import { formatDateField, formatDateTime } from '../../lib/format-date.ts';
import { formatValue } from '../../lib/format-value.ts';

const text = (value: unknown) => formatValue(value, 'text');
const yesNo = (value: unknown) => formatValue(value, 'boolean');

/** The member's identity. The SSN arrives masked. */
export function MemberIdentity(props: { member: MemberRecord; name: string }) {
  const { member } = props;
  const derived = member.full_name_derived;
  return (
    <FieldSection
      title="Identity"
      fields={[
        ['First name', text(member.first_name)],
        ['Last name', text(member.last_name)],
        ['Display name', derived || undefined],
        ['Email', text(member.email)],
        ['Date of birth', formatDateField(member.date_of_birth)],
        [
          'SSN',
          <SsnField key={member.id} entity="members" id={member.id} masked={member.ssn} name={props.name} />,
        ],
        ['Address', text(member.address)],
        ['Partner ID', text(member.partner_key)],
        ['Record no.', text(member.id)],
      ]}
    />
  );
}

/** The member's employer and tenant. */
export function MemberEmployer({ member }: { member: MemberRecord }) {
  const { employer, tenant } = member;
  const names = (list: readonly { name?: unknown }[] | null | undefined) =>
    list
      ?.map((entry) => entry.name)
      .filter(Boolean)
      .join(', ') || null;
  return (
    <FieldSection
      title="Employer"
      fields={[
        ['Employer', <EmployerLink key="employer" employer={employer} />],
        ['Employer ID', text(employer?.employer_id ?? employer?.id)],
        ['Support email', text(employer?.support_email_derived)],
        ['Support phone', text(employer?.support_phone_derived)],
        ['Carriers', names(employer?.payers)],
        ['Available carriers', names(employer?.eligible_payers)],
        [
          'Tenant',
          typeof tenant?.id === 'number' ? (
            <AnchorLink key="tenant" to="/tenants/$tenantId" params={{ tenantId: tenant.id }}>
              {tenant.name ?? `Tenant ${tenant.id}`}
            </AnchorLink>
          ) : (
            text(tenant?.name)
          ),
        ],
        ['Tenant ID', text(tenant?.tenant_id ?? tenant?.id)],
        ['Partner IDs', tenant === null || tenant === undefined ? null : yesNo(tenant.partner_key_enabled)],
      ]}
    />
  );
}

/** The member's IDs in other systems, each with its label. */
export function memberIdsOf({ vendor_members: all }: MemberRecord): (readonly [label: string, id: string])[] {
  const withKey = (all ?? []).filter(({ key }) => key != null && String(key).trim() !== '');
  return withKey.map(({ key, vendor_tenant: tenant }) => [
    withKey.length === 1 ? 'Member ID' : `Member ID (${tenant?.vendor?.name ?? tenant?.label ?? 'Vendor'})`,
    String(key),
  ]);
}

/** Accounts, keys of the member in other systems, and the member's permissions. */
export const MemberKeys = ({ member }: { member: MemberRecord }) => (
  <FieldSection
    title="Account"
    fields={[
      [
        'Accounts',
        (member.accounts ?? [])
          .map((account) => account.name ?? account.id)
          .filter((name) => name !== null && name !== undefined)
          .join(', ') || null,
      ],
      ...memberIdsOf(member).map(([label, id]) => [label, text(id)] as const),
      ['Can request claims', yesNo(member.can_make_claim_requests)],
      ['Portal access', yesNo(member.can_use_portal)],
      ['Unread count', text(member.unread_count)],
      ['Archived', yesNo(member.archived)],
      ['Archived on', member.archived_date ? formatDateTime(member.archived_date) : undefined],
      ['Created', formatDateTime(member.createddate)],
      ['Modified', formatDateTime(member.modifieddate)],
    ]}
  />
);
