import { outcomeLabels, stateLabels } from '../rules/review/review-labels.ts';

/** Labels for codes, by field; of the service's: docs/service.md, "What the claim fields mean". */
const readableCodes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  network: { IN: 'In-network', OUT: 'Out-of-network', TIER1: 'Tier 1', TIER2: 'Tier 2' },
  status: { Rejected: 'Denied' },
  'facts.denial': { Rejected: 'Denied' },
  'facts.chain_role': {
    'Correction rejected': 'Correction denied',
    'Correction, rejected': 'Correction, denied',
  },
  'type.name': { medical: 'Medical', facility: 'Facility', rx: 'Rx', dental: 'Dental', vision: 'Vision' },
  'review.state': stateLabels,
  'review.outcome': outcomeLabels,
  'review.decided_outcome': outcomeLabels,
  relationship: {
    spouse: 'Spouse',
    child: 'Child',
    stepchild: 'Stepchild',
    'domestic partner': 'Domestic partner',
  },
  prescription_type_str: {
    generic: 'Generic',
    brand: 'Brand',
    specialty: 'Specialty',
    'mail order': 'Mail order',
  },
};

/** Whether the values of the field at this path are codes with labels, of which there are few. */
export const hasCodeLabels = (path: string): boolean => Object.hasOwn(readableCodes, path);

/**
 * The label of a code in the field at this path; an unlisted one as received. For the screen,
 * paper and workbooks: filters, CSV files and the clipboard keep the service's values.
 */
export function formatCode<Value>(path: string, value: Value): Value | string {
  const codes = readableCodes[path];
  return typeof value === 'string' && codes !== undefined && Object.hasOwn(codes, value)
    ? (codes[value] as string)
    : value;
}
