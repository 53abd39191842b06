import { expect, test } from 'vitest';
import { exportColumnsOf, needsReason } from '../../../src/contract/export-columns.ts';
import { entities } from '../../../src/rules/list-fields.ts';

/** Fields that name no person with claims: a file of these needs no reason. Amounts and booleans never do. */
const impersonal = `
  id uuid dataobject_id vendor_system_id createddate modifieddate date_column last_updated_status not_counted
  status network carrier type.name type.type_id remarks relationship
  members.employer.id members.employer.name employer.id employer.name tenant.id tenant.name group_name group_number
  policy_holder.id archived_date unread_count
  date_of_service.first_day date_of_service.last_day
  date_of_service.start date_of_service.end date_of_service.bounds
  processed_on eob_date check_date check_number
  service_provider service_provider_address service_provider_number service_provider_npi_number
  service_provider_billing_name service_provider_billing_address service_provider_billing_number
  service_provider_billing_phone service_provider_billing_npi_number
  $claim_id procedure_code procedure_name quantity days_supply national_drug_code
  prescription_type_id prescription_type_str
  review.state review.outcome review.decided_outcome review.on_whom review.cause review.reminder review.owner
  review.tags review.at review.by review.second_by review.last_event_at review.changed_at review.changed_fields review.decided_twice
  review.run review.run_state review.rule review.appeal review.appeal_day review.appeal_due facts.proposal facts.proposal_rule
  review.appeal review.appeal_day review.appeal_due review.letter review.letter_day facts.letter_untrue
  review.run review.run_state review.rule facts.proposal facts.proposal_rule
  facts.plan_year facts.plan_year_end facts.to_pay facts.duplicate facts.amounts_disagree facts.missing_items
  facts.denial facts.appeal_check_by facts.decide_by facts.due_day facts.due_kind facts.pending_since facts.run_out_day facts.changed_since_paid
  facts.carrier_disagrees facts.exceptions facts.exception_parts facts.chain_claim facts.chain_role facts.to_decide`;

test('a field that is exported without a reason identifies no one', () => {
  const leaving = entities
    .flatMap((entity) => exportColumnsOf({ kind: 'list', query: { entity, conditions: [], sort: [] } }))
    .filter((column) => column.kind !== 'money' && column.kind !== 'boolean' && !needsReason([column]));
  expect(new Set(leaving.map(({ path }) => path))).toEqual(new Set(impersonal.trim().split(/\s+/)));
});
