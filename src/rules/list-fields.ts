/**
 * The flat columns of the four record lists, under the service's names (docs/service.md, "Resources and their fields").
 * The query language, the grid and exports are all made from this table; `contract/sent-fields.ts` lists what the
 * service sends and the store keeps. Nested values have dotted paths (`policy_holder.id`). `$` marks what Claimdesk
 * adds.
 */
export const entities = ['members', 'dependents', 'claims', 'lines'] as const;
export type Entity = (typeof entities)[number];

/**
 * `money`: US dollars, exact to ten-thousandths. `date`: ISO date, or a date-time where the service sends one.
 * `dateTime`: ISO 8601. `dateRange`: the first and the last day of a range as one value, written and compared by
 * `date-range.ts`. `number`: not money. `id`: integer ID.
 */
export type FieldKind =
  | 'id'
  | 'integer'
  | 'number'
  | 'money'
  | 'text'
  | 'boolean'
  | 'date'
  | 'dateTime'
  | 'dateRange';

/** Kinds that are filtered by days. */
export const isDated = (kind: FieldKind): boolean =>
  kind === 'date' || kind === 'dateTime' || kind === 'dateRange';

/** Sensitive columns: masked by default, and left out of exports by default. */
export type Sensitivity = 'ssn' | 'birthDate' | 'diagnosis' | 'note';

export interface FieldSpec {
  readonly path: string;
  readonly kind: FieldKind;
  readonly label: string;
  readonly sensitivity?: Sensitivity;
  /** Included in free-text search. */
  readonly isSearchable?: true;
  /** Computed by Claimdesk from what the service sent; the service has no field of this name. */
  readonly isDerived?: true;
  /** A value that a derived field is computed from. It is not shown or exported by default, but can be added. */
  readonly isRaw?: true;
  /**
   * Several names in one value, for example one for each of a claim's members. A filter matches any of them, a group
   * counts the claim in each, and the cell has one name on each line (`listNames`). Sorted by the first.
   */
  readonly isMany?: true;
  /** Identifies an individual, or is about only one. */
  readonly isPersonal?: true;
  /** Included in exports for accounting, which have all amounts. */
  readonly isForAccounting?: true;
  /** Included in exports in which nothing identifies an individual. */
  readonly isDeidentified?: true;
  /** Follows from reviews, payments and decisions about pairs, so it may change although no record changes. */
  readonly isOfReviews?: true;
}

/** The marks of a field, in addition to its kind. */
const marks = {
  ssn: { sensitivity: 'ssn' },
  birthDate: { sensitivity: 'birthDate' },
  diagnosis: { sensitivity: 'diagnosis' },
  note: { sensitivity: 'note' },
  search: { isSearchable: true },
  derived: { isDerived: true },
  raw: { isRaw: true },
  many: { isMany: true },
  personal: { isPersonal: true },
  accounting: { isForAccounting: true },
  deidentified: { isDeidentified: true },
} as const satisfies Record<string, Partial<FieldSpec>>;

const field = (path: string, kind: FieldKind, label: string, ...its: (keyof typeof marks)[]): FieldSpec =>
  Object.assign({ path, kind, label }, ...its.map((mark) => marks[mark]));

const ofReviews = (fields: readonly FieldSpec[]): FieldSpec[] =>
  fields.map((spec) => ({ ...spec, isOfReviews: true as const }));

/** The names in a cell with several (`isMany`). */
export const listNames = (cell: string): string[] => cell.split('\n');

/** Whether a list may be sorted by a field. Sorting by SSN is refused: the order would reveal the masked numbers. */
export const isSortable = (spec: Pick<FieldSpec, 'sensitivity'>): boolean => spec.sensitivity !== 'ssn';

/** Fields of a date range: the range as one value, its first and its last day. */
const rangeFields = (path: string, label: string, short: string): FieldSpec[] => [
  field(path, 'dateRange', label, 'derived'),
  field(`${path}.first_day`, 'date', `${short} start`, 'derived', 'accounting'),
  field(`${path}.last_day`, 'date', `${short} end`, 'derived', 'accounting'),
];

/** The parts of a date range as the service sent it; start and end have no meaning without the bounds. */
const rawRangeFields = (path: string, short: string): FieldSpec[] => [
  field(`${path}.start`, 'date', `${short} start (raw)`, 'raw'),
  field(`${path}.end`, 'date', `${short} end (raw)`, 'raw'),
  field(`${path}.bounds`, 'text', `${short} bounds (raw)`, 'raw'),
];

/**
 * The owner of a claim, in lists of claims and of lines: its members by last name, their employers, and the carrier of
 * its connection, which is blank where the connection was never read here.
 */
const ownerFields: readonly FieldSpec[] = [
  field('members.name', 'text', 'Member', 'derived', 'many', 'personal', 'accounting'),
  field('members.employer.name', 'text', 'Employer', 'derived', 'many', 'accounting'),
  field('carrier', 'text', 'Carrier', 'derived', 'accounting', 'deidentified'),
];

/** The review of a claim, as computed from its events (`review.ts`). */
const reviewFields: readonly FieldSpec[] = [
  field('review.state', 'text', 'Review', 'derived', 'deidentified'),
  field('review.outcome', 'text', 'Outcome', 'derived', 'accounting', 'deidentified'),
  field('review.decided_outcome', 'text', 'Last outcome', 'derived'),
  field('review.on_whom', 'text', 'Waiting on', 'derived'),
  field('review.reason', 'text', 'Reason', 'derived', 'note'),
  field('review.cause', 'text', 'Declined reason', 'derived', 'accounting'),
  field('review.rule', 'text', 'Decided by rule', 'derived'),
  field('review.reminder', 'date', 'Reminder', 'derived'),
  field('review.owner', 'text', 'Owner', 'derived'),
  field('review.flag', 'boolean', 'Flagged', 'derived'),
  field('review.tags', 'text', 'Tags', 'derived'),
  field('review.note', 'text', 'Note', 'derived', 'note'),
  field('review.at', 'dateTime', 'Reviewed', 'derived'),
  field('review.by', 'text', 'Reviewed by', 'derived'),
  field('review.second_by', 'text', 'Second reviewer', 'derived'),
  field('review.last_event_at', 'dateTime', 'Last event', 'derived'),
  field('review.changed_at', 'dateTime', 'Changed since review', 'derived'),
  field('review.changed_fields', 'text', 'What changed', 'derived'),
  field('review.changed_responsibility', 'money', 'Change in patient responsibility', 'derived'),
  field('review.decided_twice', 'text', 'Decided by', 'derived'),
  field('review.paid_twice', 'money', 'Paid twice', 'derived'),
  field('review.reimbursed', 'money', 'Reimbursed', 'derived', 'accounting'),
  field('review.written_off', 'money', 'Written off', 'derived', 'accounting'),
  field('review.run', 'text', 'Run', 'derived'),
  field('review.run_amount', 'money', 'Amount in run', 'derived'),
  field('review.run_state', 'text', 'State in run', 'derived'),
  field('review.appeal', 'text', 'Appeal', 'derived', 'accounting'),
  field('review.appeal_day', 'date', 'Appealed', 'derived', 'accounting'),
  field('review.appeal_due', 'date', 'Answer due', 'derived'),
  field('review.letter', 'text', 'Letter', 'derived'),
  field('review.letter_day', 'date', 'Letter made', 'derived'),
  field('review.rejected', 'text', 'Rejected by the payer', 'derived', 'personal'),
];

/** The values that Claimdesk computes from a claim, its lines, its payments and other claims. */
const factFields: readonly FieldSpec[] = [
  field('facts.plan_year', 'text', 'Plan year', 'derived', 'accounting', 'deidentified'),
  field('facts.eligible_by_rules', 'money', 'Eligible by the rules', 'derived', 'accounting'),
  field('facts.eligible', 'money', 'Eligible', 'derived', 'accounting'),
  field('facts.declined', 'money', 'Declined', 'derived', 'accounting'),
  field('facts.disputed', 'money', 'Disputed', 'derived', 'accounting'),
  field('facts.open', 'money', 'Open amount', 'derived', 'accounting'),
  field('facts.owed', 'money', 'Owed back', 'derived', 'accounting'),
  field('facts.to_pay', 'text', 'To pay', 'derived'),
  field('facts.to_decide', 'text', 'To decide', 'derived'),
  field('facts.chain_role', 'text', 'Chain', 'derived'),
  field('facts.chain_claim', 'id', 'Related claim', 'derived'),
  field('facts.chain_moved', 'money', 'Open amount moved by its chain', 'derived'),
  field('facts.is_void', 'boolean', 'Does not count', 'derived', 'raw'),
  field('facts.duplicate', 'text', 'Duplicate', 'derived', 'deidentified'),
  field('facts.payable_twice', 'money', 'Payable twice', 'derived'),
  field('facts.line_difference', 'money', 'Line difference', 'derived'),
  field('facts.parts_sum', 'money', 'Deductible, copay and coinsurance', 'derived'),
  field('facts.amounts_disagree', 'text', 'Amounts that disagree', 'derived'),
  field('facts.amounts_difference', 'money', 'Difference', 'derived'),
  field('facts.missing_items', 'text', 'Missing items', 'derived'),
  field('facts.denial', 'text', 'Denial', 'derived', 'deidentified'),
  field('facts.appeal_check_by', 'date', 'Check appeal by', 'derived'),
  field('facts.pending_since', 'date', 'Pending since', 'derived'),
  field('facts.run_out_day', 'date', 'Reimburse by', 'derived'),
  field('facts.decide_by', 'date', 'Decide by', 'derived'),
  field('facts.due_day', 'date', 'Next deadline', 'derived'),
  field('facts.due_kind', 'text', 'Deadline to', 'derived'),
  field('facts.letter_untrue', 'text', 'Letter no longer true', 'derived'),
  field('facts.changed_since_paid', 'text', 'Changed after reimbursement', 'derived'),
  field('facts.year_allowed', 'money', 'Allowed in plan year', 'derived'),
  field('facts.high_cost_from', 'money', 'High-cost threshold', 'derived'),
  field('facts.is_high_cost', 'boolean', 'High cost', 'derived'),
  field('facts.is_not_split', 'boolean', 'Patient responsibility not split', 'derived'),
  field('facts.has_other_insurance', 'boolean', 'Other insurance paid', 'derived'),
  field('facts.exceptions', 'text', 'Exceptions', 'derived'),
  field('facts.exception_parts', 'text', 'Kinds of exception', 'derived'),
  field('facts.exceptions_why', 'text', 'Reason for exceptions', 'derived', 'note'),
  field('facts.carrier_disagrees', 'text', 'Disagrees with the carrier', 'derived'),
  field('facts.carrier_difference', 'money', 'Largest difference from the carrier', 'derived'),
  field('facts.carrier_deductible', 'money', 'Deductible too high (below zero: too low)', 'derived'),
  field('facts.carrier_out_of_pocket', 'money', 'Over the out-of-pocket maximum', 'derived'),
  field('facts.account_share', 'money', 'Account pays', 'derived', 'raw'),
  field('facts.plan_year_end', 'date', 'Plan year ended', 'derived', 'raw'),
  field('facts.proposal', 'text', 'Proposed', 'derived'),
  field('facts.proposal_rule', 'text', 'Proposed by', 'derived'),
  field('facts.is_quality_sample', 'boolean', 'Quality sample', 'derived', 'raw'),
];

/** The amounts that claims and their lines have in common. */
const amountFields: readonly FieldSpec[] = [
  field('amount_billed', 'money', 'Billed'),
  field('discount', 'money', 'Discount'),
  field('amount_allowed', 'money', 'Allowed'),
  field('amount_paid', 'money', 'Plan paid'),
  field('amount_paid_other', 'money', 'Paid by other insurance'),
  field('amount_not_covered', 'money', 'Not covered'),
  field('copayment', 'money', 'Copay'),
  field('coinsurance_patient', 'money', 'Coinsurance'),
  field('reduction', 'money', 'Deductible'),
  field('patient_responsibility', 'money', 'Patient responsibility'),
];

/** What members and dependents have in common after their names. */
const identityFields: readonly FieldSpec[] = [
  field('email', 'text', 'Email', 'search', 'personal'),
  field('date_of_birth', 'date', 'Date of birth', 'birthDate'),
  field('ssn', 'text', 'SSN', 'ssn'),
  field('address', 'text', 'Address', 'search', 'personal'),
  field('partner_key', 'text', 'Partner ID', 'search', 'personal'),
];

/** The amounts of a row that can't be numbers, which no sum counts. */
const notCountedField = field('not_counted', 'text', 'Amounts not counted', 'derived', 'raw');

const claimFields: readonly FieldSpec[] = [
  field('id', 'id', 'Claim', 'accounting'),
  field('status', 'text', 'Status', 'search', 'accounting', 'deidentified'),
  ...rangeFields('date_of_service', 'Dates of service', 'Service'),
  field('patient_name', 'text', 'Patient', 'search', 'personal'),
  field('service_provider', 'text', 'Provider', 'search', 'accounting', 'deidentified'),
  ...ownerFields,
  field('type.name', 'text', 'Type', 'deidentified'),
  field('type.type_id', 'integer', 'Type ID'),
  field('network', 'text', 'Network', 'deidentified'),
  ...amountFields,
  field('incurred_value', 'money', 'Incurred'),
  field('computed_amount_billed', 'money', 'Billed (calculated)'),
  field('computed_amount_allowed', 'money', 'Allowed (calculated)'),
  field('computed_amount_paid', 'money', 'Plan paid (calculated)'),
  field('computed_copayment', 'money', 'Copay (calculated)'),
  field('computed_coinsurance_patient', 'money', 'Coinsurance (calculated)'),
  field('computed_reduction', 'money', 'Deductible (calculated)'),
  field('computed_patient_responsibility', 'money', 'Patient responsibility (calculated)'),
  field('processed_on', 'date', 'Processed date', 'accounting'),
  field('eob_date', 'date', 'EOB date', 'accounting'),
  field('check_date', 'date', 'Check date', 'accounting'),
  field('check_number', 'text', 'Check number', 'search', 'accounting'),
  field('group_name', 'text', 'Group', 'search'),
  field('group_number', 'text', 'Group number', 'search'),
  field('is_incomplete', 'boolean', 'Incomplete', 'deidentified'),
  field('recrawl_requested', 'boolean', 'Refresh requested'),
  field('policy_holder.id', 'id', 'Connection ID'),
  field('policy_holder.first_name', 'text', 'Subscriber first name', 'search', 'personal'),
  field('policy_holder.last_name', 'text', 'Subscriber last name', 'search', 'personal'),
  field('patient_account_number', 'text', 'Patient account no.', 'search', 'personal'),
  field('patient_payer_number', 'text', 'Patient account no. (carrier)', 'search', 'personal'),
  field('remarks', 'text', 'Carrier’s reason', 'search'),
  field('service_provider_address', 'text', 'Provider address'),
  field('service_provider_number', 'text', 'Provider tax ID (TIN)'),
  field('service_provider_npi_number', 'integer', 'Provider NPI', 'deidentified'),
  field('service_provider_billing_name', 'text', 'Billing provider', 'search'),
  field('service_provider_billing_address', 'text', 'Billing address'),
  field('service_provider_billing_number', 'text', 'Billing tax ID (TIN)'),
  field('service_provider_billing_phone', 'text', 'Billing phone'),
  field('service_provider_billing_npi_number', 'integer', 'Billing NPI'),
  field('vendor_system_id', 'text', 'Carrier claim no.', 'search', 'accounting'),
  field('uuid', 'text', 'UUID'),
  field('dataobject_id', 'integer', 'Data object ID'),
  field('createddate', 'dateTime', 'Created'),
  field('modifieddate', 'dateTime', 'Modified'),
  field('date_column', 'dateTime', 'Date column'),
  field('last_updated_status', 'dateTime', 'Last significant change'),
  ...ofReviews([...reviewFields, ...factFields]),
  ...rawRangeFields('date_of_service', 'Service'),
  notCountedField,
];

const lineFields: readonly FieldSpec[] = [
  field('id', 'id', 'Line', 'accounting'),
  field('$claim_id', 'id', 'Claim', 'accounting'),
  ...rangeFields('date_of_service', 'Dates of service', 'Service'),
  ...ownerFields,
  field('type.name', 'text', 'Type', 'derived', 'deidentified'),
  field('procedure_code', 'text', 'Procedure', 'search', 'accounting', 'deidentified'),
  field('procedure_name', 'text', 'Procedure name', 'search', 'deidentified'),
  field('diagnosis_code', 'text', 'Diagnosis', 'diagnosis', 'search', 'deidentified'),
  field('quantity', 'number', 'Quantity', 'deidentified'),
  ...amountFields,
  field('total_patient_responsibility', 'money', 'Total patient responsibility'),
  field('days_supply', 'integer', 'Days supply', 'deidentified'),
  field('national_drug_code', 'text', 'NDC', 'search', 'deidentified'),
  field('prescription_type_id', 'integer', 'Prescription type ID'),
  field('prescription_type_str', 'text', 'Prescription type'),
  field('vendor_system_id', 'text', 'Carrier line no.', 'accounting'),
  field('uuid', 'text', 'UUID'),
  ...rawRangeFields('date_of_service', 'Service'),
  notCountedField,
];

const memberFields: readonly FieldSpec[] = [
  field('id', 'id', 'Record no.'),
  field('last_name', 'text', 'Last name', 'search', 'personal'),
  field('first_name', 'text', 'First name', 'search', 'personal'),
  field('full_name_derived', 'text', 'Display name', 'search', 'personal'),
  field('first_name_derived', 'text', 'First name (display)', 'personal'),
  field('last_name_derived', 'text', 'Last name (display)', 'personal'),
  ...identityFields,
  field('employer.id', 'id', 'Employer ID'),
  field('employer.name', 'text', 'Employer', 'search'),
  field('tenant.id', 'id', 'Tenant ID'),
  field('tenant.name', 'text', 'Tenant'),
  field('archived', 'boolean', 'Archived'),
  field('archived_date', 'dateTime', 'Archived on'),
  field('can_make_claim_requests', 'boolean', 'Can request claims'),
  field('can_use_portal', 'boolean', 'Portal access'),
  field('unread_count', 'integer', 'Unread count'),
  field('createddate', 'dateTime', 'Created'),
  field('modifieddate', 'dateTime', 'Modified'),
];

const dependentFields: readonly FieldSpec[] = [
  field('id', 'id', 'Record no.'),
  field('$member_id', 'id', 'Member record no.', 'personal'),
  field('member.name', 'text', 'Member', 'derived', 'personal'),
  field('relationship', 'text', 'Relationship', 'derived'),
  field('last_name', 'text', 'Last name', 'search', 'personal'),
  field('first_name', 'text', 'First name', 'search', 'personal'),
  field('middle_name', 'text', 'Middle name', 'search', 'personal'),
  ...identityFields,
  field('createddate', 'dateTime', 'Created'),
  field('modifieddate', 'dateTime', 'Modified'),
];

/** The flat columns of each list, in the order in which they are shown and exported. */
export const fieldsOf: Readonly<Record<Entity, readonly FieldSpec[]>> = {
  members: memberFields,
  dependents: dependentFields,
  claims: claimFields,
  lines: lineFields,
};

/** The kinds of a claim's fields, by their paths. */
export const claimKinds: ReadonlyMap<string, FieldKind> = new Map(
  claimFields.map(({ path, kind }) => [path, kind]),
);

/**
 * Fields that can be filtered but are not columns: the members, employers and tenants to which a claim is linked
 * (docs/service.md, "What the claim fields mean"; its tenant is that of its member), the month of the first day of
 * service (`2025-03`), worklists, runs, and decisions by author and period.
 */
export const linkFieldsOf: Readonly<Record<Entity, readonly FieldSpec[]>> = {
  members: [],
  dependents: [],
  claims: [
    field('members.id', 'id', 'Member record no.', 'personal'),
    field('members.employer.id', 'id', 'Employer ID'),
    field('members.tenant.id', 'id', 'Tenant ID'),
    field('members.tenant.name', 'text', 'Tenant'),
    field('date_of_service.month', 'text', 'Month of service'),
    ...ofReviews([
      field('worklist', 'text', 'Worklist'),
      // `id-filter.ts`.
      field('run', 'text', 'Run'),
      field('review.rule_id', 'text', 'Decided by rule'),
      field('facts.proposed_by', 'text', 'Proposed by rule'),
      // `decided-by.ts`.
      field('review.decided_by', 'text', 'Decisions'),
    ]),
  ],
  lines: [
    field('members.id', 'id', 'Member record no.', 'personal'),
    field('members.employer.id', 'id', 'Employer ID'),
    field('date_of_service.month', 'text', 'Month of service'),
  ],
};

const pathsOfReviews = new Set(
  [...fieldsOf.claims, ...linkFieldsOf.claims].flatMap(({ path, isOfReviews }) =>
    isOfReviews ? [path] : [],
  ),
);

/**
 * Whether a field of claims follows from reviews, so that it may change although no record does. In files of lines and
 * payments, such a column begins with `claim.`.
 */
export const followsReviews = (path: string): boolean => pathsOfReviews.has(path.replace(/^claim\./, ''));

const ownerIds: readonly FieldSpec[] = [
  field('members.id', 'text', 'Member record no.', 'derived', 'many', 'raw', 'personal'),
  field('members.employer.id', 'text', 'Employer ID', 'derived', 'many', 'raw'),
];

/** Columns of files only, not of lists: the IDs of a claim's members and of their employers. */
export const fileFieldsOf: Readonly<Record<Entity, readonly FieldSpec[]>> = {
  members: [],
  dependents: [],
  claims: ownerIds,
  lines: ownerIds,
};

const unknownPrefix = 'unknown.';

/** Makes a column of a file for a field that Claimdesk does not recognize, by its name in the service. */
export const toUnknownField = (name: string): FieldSpec =>
  field(`${unknownPrefix}${name}`, 'text', name, 'raw');

/** The service's name of such a field, by the path of its column; null for other columns. */
export const unknownNameOf = (path: string): string | null =>
  path.startsWith(unknownPrefix) ? path.slice(unknownPrefix.length) : null;

/** Fields as columns of a file or the clipboard: a date range as its first and its last day, each field once. */
export function splitRanges(entity: Entity, paths: readonly string[]): string[] {
  const ranges = new Set(fieldsOf[entity].filter(({ kind }) => kind === 'dateRange').map(({ path }) => path));
  return [
    ...new Set(
      paths.flatMap((path) => (ranges.has(path) ? [`${path}.first_day`, `${path}.last_day`] : [path])),
    ),
  ];
}

/** The amounts that both claims and lines have: those of the lines should add up to the claim's. */
export const comparedAmounts = [
  'amount_billed',
  'discount',
  'amount_allowed',
  'amount_paid',
  'reduction',
  'copayment',
  'coinsurance_patient',
  'amount_not_covered',
  'patient_responsibility',
] as const;
