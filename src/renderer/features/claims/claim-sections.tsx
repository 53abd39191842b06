import type { ClaimMemberRecord, ClaimRecord, SetAsideItem } from '../../../contract/records.ts';
import { AnchorLink } from '../../components/links.tsx';
import { FieldList, FieldSection, FoldedSection, Section } from '../../components/page.tsx';
import { SetAside } from '../../components/set-aside.tsx';
import { formatDateField, formatDateTime } from '../../lib/format-date.ts';
import { fullNameOf } from '../../lib/format-name.ts';
import { formatRange } from '../../lib/format-range.ts';
import { formatCode, formatValue } from '../../lib/format-value.ts';

const text = (value: unknown) => formatValue(value, 'text');

/** What kind of claim it is, and when everything happened. */
export function ClaimFacts({ claim }: { claim: ClaimRecord }) {
  return (
    <FieldSection
      title="Claim"
      fields={[
        ['Dates of service', formatRange(claim.date_of_service)],
        ['Status', text(claim.status)],
        ['Type', text(formatCode('type.name', claim.type?.name))],
        ['Network', text(formatCode('network', claim.network))],
        ['Processed date', formatDateField(claim.processed_on)],
        ['EOB date', formatDateField(claim.eob_date)],
        ['Check number', text(claim.check_number)],
        ['Check date', formatDateField(claim.check_date)],
        ['Incomplete', formatValue(claim.is_incomplete, 'boolean')],
        ['Refresh requested', formatValue(claim.recrawl_requested, 'boolean')],
      ]}
    />
  );
}

function MemberLink({ member }: { member: ClaimMemberRecord }) {
  const name = fullNameOf(member) || member.email || `Member ${member.id ?? 'without ID'}`;
  const keys = Object.entries(member.system_key ?? {}).map(([system, key]) => `${system} ${String(key)}`);
  return (
    <div>
      {typeof member.id === 'number' ? (
        <AnchorLink size="sm" to="/members/$memberId" params={{ memberId: member.id }}>
          {name}
        </AnchorLink>
      ) : (
        name
      )}
      {[member.employer?.name, ...keys].filter(Boolean).map((part) => (
        <span key={part}> · {part}</span>
      ))}
    </div>
  );
}

/** The people of a claim. A claim has members; its patient is only a name. */
export function ClaimPeople({
  claim,
  setAside,
  carrier,
}: {
  claim: ClaimRecord;
  setAside: readonly SetAsideItem[];
  carrier: string | null;
}) {
  const members = claim.members ?? [];
  const policyHolderId = claim.policy_holder?.id;
  return (
    <Section title="People">
      <SetAside items={setAside} list="members" one="member" />
      <FieldList
        fields={[
          [
            members.length > 1 ? 'Members' : 'Member',
            members.length === 0
              ? null
              : members.map((member, index) => <MemberLink key={member.id ?? index} member={member} />),
          ],
          ['Subscriber', text(fullNameOf(claim.policy_holder))],
          [
            'Carrier',
            carrier === null || typeof policyHolderId !== 'number' ? (
              carrier
            ) : (
              <AnchorLink
                key="carrier"
                size="sm"
                to="/connections/$policyHolderId"
                params={{ policyHolderId }}
              >
                {carrier}
              </AnchorLink>
            ),
          ],
          ['Connection ID', text(policyHolderId)],
          ['Group', text(claim.group_name)],
          ['Group number', text(claim.group_number)],
        ]}
      />
    </Section>
  );
}

/** The treating and the billing provider. */
export function ClaimProviders({ claim }: { claim: ClaimRecord }) {
  return (
    <FieldSection
      title="Provider"
      fields={[
        ['Provider', text(claim.service_provider)],
        ['Address', text(claim.service_provider_address)],
        ['NPI', text(claim.service_provider_npi_number)],
        ['Tax ID (TIN)', text(claim.service_provider_number)],
        ['Billing provider', text(claim.service_provider_billing_name)],
        ['Billing address', text(claim.service_provider_billing_address)],
        ['Billing phone', text(claim.service_provider_billing_phone)],
        ['Billing NPI', text(claim.service_provider_billing_npi_number)],
        ['Billing tax ID (TIN)', text(claim.service_provider_billing_number)],
      ]}
    />
  );
}

/** The numbers under which others know this claim, and when the service changed it. */
export function ClaimIdentifiers({ claim }: { claim: ClaimRecord }) {
  return (
    <FieldSection
      title="IDs and history"
      fields={[
        ['Claim ID', text(claim.id)],
        ['Carrier claim no.', text(claim.vendor_system_id)],
        ['Patient account no.', text(claim.patient_account_number)],
        ['Patient account no. (carrier)', text(claim.patient_payer_number)],
        ['Created', formatDateTime(claim.createddate)],
        ['Modified', formatDateTime(claim.modifieddate)],
        ['Last significant change', formatDateTime(claim.last_updated_status)],
      ]}
    />
  );
}

/** Fields that only the service's support asks for. */
export function ClaimTechnicalDetails({ claim }: { claim: ClaimRecord }) {
  return (
    <FoldedSection title="Technical details">
      <FieldList
        fields={[
          ['UUID', text(claim.uuid)],
          ['Data object ID', text(claim.dataobject_id)],
          ['Type ID', text(claim.type?.type_id)],
          ['Date column', formatDateTime(claim.date_column)],
        ]}
      />
    </FoldedSection>
  );
}
