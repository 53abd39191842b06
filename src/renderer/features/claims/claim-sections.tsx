import type { ComponentProps } from 'react';
import { formatCode } from '../../../contract/code-labels.ts';
import type { ClaimMemberRecord, ClaimRecord, SetAsideItem } from '../../../contract/records.ts';
import { Figure } from '../../components/figure.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Columns, FieldList, FieldSection, FoldedSection, Section } from '../../components/page.tsx';
import { SetAside } from '../../components/set-aside.tsx';
import { formatDateField, formatDateTime } from '../../lib/format-date.ts';
import { fullNameOf } from '../../lib/format-name.ts';
import { formatRange } from '../../lib/format-range.ts';
import { formatValue } from '../../lib/format-value.ts';
import styles from './claim-sections.module.css';

const text = (value: unknown) => formatValue(value, 'text');
const figure = (value: string) => <Figure>{value}</Figure>;
const id = (value: unknown) => figure(text(value));

/** Shows the kind of the claim and its dates. */
export const ClaimFacts = ({ claim }: { claim: ClaimRecord }) => (
  <FieldSection
    title="Claim"
    fields={[
      ['Dates of service', figure(formatRange(claim.date_of_service))],
      ['Status', text(formatCode('status', claim.status))],
      ['Type', text(formatCode('type.name', claim.type?.name))],
      ['Network', text(formatCode('network', claim.network))],
      ['Processed date', figure(formatDateField(claim.processed_on))],
      ['EOB date', figure(formatDateField(claim.eob_date))],
      ['Check number', id(claim.check_number)],
      ['Check date', figure(formatDateField(claim.check_date))],
      ['Incomplete', formatValue(claim.is_incomplete, 'boolean')],
      ['Refresh requested', formatValue(claim.recrawl_requested, 'boolean')],
    ]}
  />
);

function MemberLink({ member }: { member: ClaimMemberRecord }) {
  const name = fullNameOf(member) || member.email || `Member ${member.id ?? 'without ID'}`;
  const keys = Object.values(member.system_key ?? {}).map((key) => `Member ID ${String(key)}`);
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
          ['Connection ID', id(policyHolderId)],
          ['Group', text(claim.group_name)],
          ['Group number', id(claim.group_number)],
        ]}
      />
    </Section>
  );
}

/** The treating and the billing provider. */
export const ClaimProviders = ({ claim }: { claim: ClaimRecord }) => (
  <FieldSection
    title="Provider"
    fields={[
      ['Provider', text(claim.service_provider)],
      ['Address', text(claim.service_provider_address)],
      ['NPI', id(claim.service_provider_npi_number)],
      ['Tax ID (TIN)', id(claim.service_provider_number)],
      ['Billing provider', text(claim.service_provider_billing_name)],
      ['Billing address', text(claim.service_provider_billing_address)],
      ['Billing phone', id(claim.service_provider_billing_phone)],
      ['Billing NPI', id(claim.service_provider_billing_npi_number)],
      ['Billing tax ID (TIN)', id(claim.service_provider_billing_number)],
    ]}
  />
);

/** The numbers under which others know this claim, and when the service changed it. */
export const ClaimIdentifiers = ({ claim }: { claim: ClaimRecord }) => (
  <FieldSection
    title="IDs and history"
    fields={[
      ['Claim ID', id(claim.id)],
      ['Carrier claim no.', id(claim.vendor_system_id)],
      ['Patient account no.', id(claim.patient_account_number)],
      ['Patient account no. (carrier)', id(claim.patient_payer_number)],
      ['Created', figure(formatDateTime(claim.createddate))],
      ['Modified', figure(formatDateTime(claim.modifieddate))],
      ['Last significant change', figure(formatDateTime(claim.last_updated_status))],
    ]}
  />
);

/** Everything that identifies a claim, its people and its providers, in one box that is closed at first. */
export function ClaimFactSheet(props: ComponentProps<typeof ClaimPeople>) {
  const { claim } = props;
  return (
    <FoldedSection title="Claim facts: dates, IDs, people, provider">
      <div className={styles.sheet}>
        <Columns>
          <ClaimFacts claim={claim} />
          <ClaimPeople {...props} />
          <ClaimProviders claim={claim} />
          <ClaimIdentifiers claim={claim} />
          <FieldSection
            title="Technical details"
            fields={[
              ['UUID', text(claim.uuid)],
              ['Data object ID', id(claim.dataobject_id)],
              ['Type ID', id(claim.type?.type_id)],
              ['Date column', formatDateTime(claim.date_column)],
            ]}
          />
        </Columns>
      </div>
    </FoldedSection>
  );
}
