import * as fields from '../../../../contract/sent-fields.ts';

/**
 * How each record of the service is stored in tables: typed columns, objects flattened into the row, shared objects
 * stored once, lists in rows of their own. The mapping is lossless: values that fit no column are stored as JSON
 * (`extra`), and the absent keys are stored as well (`shape_id`).
 */
export type ColumnKind = 'text' | 'integer' | 'real' | 'money' | 'boolean';

export interface Column {
  readonly key: string;
  readonly column: string;
  readonly kind: ColumnKind;
}

interface InlineObject {
  readonly key: string;
  readonly columns: readonly Column[];
}

export interface SharedObject {
  readonly key: string;
  readonly column: string;
  readonly shape: () => Shape;
}

/** `own`: rows that belong to the parent. `link`: links to shared objects. `map`: code → key rows. */
export type ListShape =
  | { readonly key: string; readonly kind: 'own'; readonly table: string; readonly shape: () => Shape }
  | { readonly key: string; readonly kind: 'link'; readonly table: string; readonly shape: () => Shape }
  | { readonly key: string; readonly kind: 'map'; readonly table: string };

export interface Shape {
  readonly table: string;
  readonly columns: readonly Column[];
  readonly inline: readonly InlineObject[];
  readonly shared: readonly SharedObject[];
  readonly lists: readonly ListShape[];
}

const kindOf = (kind: fields.SentKind): ColumnKind =>
  kind === 'date' || kind === 'dateTime' || kind === 'uuid' ? 'text' : kind;
const columnsOf = (sent: fields.SentFields): Column[] =>
  sent.flatMap(([kind, names]) => names.split(' ').map((key) => ({ key, column: key, kind: kindOf(kind) })));

const inlineObject = (key: string, sent: fields.SentFields): InlineObject => ({
  key,
  columns: columnsOf(sent).map((column) => ({ ...column, column: `${key}_${column.key}` })),
});

const shape = (
  table: string,
  sent: fields.SentFields,
  { inline = [], shared = [], lists = [] }: Partial<Omit<Shape, 'table' | 'columns'>> = {},
): Shape => ({ table, columns: columnsOf(sent), inline, shared, lists });

const sharedObject = (key: string, shapeOf: () => Shape): SharedObject => ({
  key,
  column: `${key}_ref`,
  shape: shapeOf,
});

const dateRange = inlineObject('date_of_service', [['text', 'start end bounds']]);

const vendorShape = shape('vendors', fields.vendorFields);
const vendorTenantShape = shape('vendor_tenants', fields.vendorTenantFields, {
  shared: [sharedObject('vendor', () => vendorShape)],
});
export const tenantShape = shape('tenants', fields.tenantFields, {
  lists: [
    { key: 'vendor_tenants', kind: 'link', table: 'tenant_vendor_tenants', shape: () => vendorTenantShape },
  ],
});
const payerShape = shape('payers', [...fields.payerFields, ['text', 'retriever']]);
export const employerShape = shape('employers', fields.employerFields, {
  lists: [
    { key: 'payers', kind: 'link', table: 'employer_payers', shape: () => payerShape },
    { key: 'eligible_payers', kind: 'link', table: 'employer_eligible_payers', shape: () => payerShape },
  ],
});
export const accountShape = shape('accounts', fields.namedFields);
const vendorMemberShape = shape('vendor_members', [['text', 'key']], {
  shared: [sharedObject('vendor_tenant', () => vendorTenantShape)],
});
export const dependentShape = shape('dependents', fields.dependentFields);
export const memberShape = shape('members', fields.memberFields, {
  shared: [sharedObject('employer', () => employerShape), sharedObject('tenant', () => tenantShape)],
  lists: [
    { key: 'accounts', kind: 'link', table: 'member_accounts', shape: () => accountShape },
    { key: 'dependents', kind: 'own', table: 'dependents', shape: () => dependentShape },
    { key: 'vendor_members', kind: 'own', table: 'vendor_members', shape: () => vendorMemberShape },
  ],
});

export const policyHolderShape = shape('policy_holders', fields.policyHolderFields);
const claimMemberShape = shape('claim_member_records', fields.claimMemberFields, {
  shared: [sharedObject('employer', () => employerShape)],
  lists: [{ key: 'system_key', kind: 'map', table: 'claim_member_system_keys' }],
});
export const claimLineShape = shape('claim_lines', fields.claimLineFields, { inline: [dateRange] });
export const claimShape = shape('claims', fields.claimFields, {
  inline: [dateRange, inlineObject('type', fields.claimTypeFields)],
  shared: [sharedObject('policy_holder', () => policyHolderShape)],
  lists: [
    { key: 'members', kind: 'link', table: 'claim_members', shape: () => claimMemberShape },
    { key: 'claim_medical_lines', kind: 'own', table: 'claim_lines', shape: () => claimLineShape },
  ],
});

/** The shapes of the records that can be shown on their own. */
export const shapesOf = {
  members: memberShape,
  claims: claimShape,
  dependents: dependentShape,
  lines: claimLineShape,
  employers: employerShape,
  tenants: tenantShape,
} as const;

/** All typed columns of a row, including flattened ones, in the order in which rows are written. */
export function flatColumnsOf(recordShape: Shape): readonly Column[] {
  return [...recordShape.columns, ...recordShape.inline.flatMap((object) => object.columns)];
}
