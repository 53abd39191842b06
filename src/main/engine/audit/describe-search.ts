import { fieldsOf } from '../../../rules/fields.ts';
import type { Condition, ListQuery } from '../../../rules/query.ts';
import { asksForSsn } from '../store/query/build-query.ts';

/** A value that identifies one person or one claim in a search. */
type Identifier = 'ssn' | 'memberId' | 'claimNumber' | 'birthDate' | 'email' | 'phone';

const isOfPeople = ({ entity }: ListQuery): boolean => entity === 'members' || entity === 'dependents';

const memberFields: ReadonlySet<string> = new Set(['$member_id', 'members.id', 'partner_key']);
const claimFields: ReadonlySet<string> = new Set([
  '$claim_id',
  'vendor_system_id',
  'uuid',
  'patient_account_number',
  'patient_payer_number',
]);

function identifierOf(query: ListQuery, condition: Condition): Identifier | null {
  const { field, values } = condition;
  if (values.length === 0) return null;
  if (fieldsOf[query.entity].find(({ path }) => path === field)?.sensitivity === 'birthDate')
    return 'birthDate';
  if (field === 'email') return 'email';
  if (memberFields.has(field) || (field === 'id' && isOfPeople(query))) return 'memberId';
  if (claimFields.has(field) || (field === 'id' && query.entity === 'claims')) return 'claimNumber';
  return null;
}

/** The kind of identifier that a typed text looks like; null for words. */
function typedIdentifier(query: ListQuery): Identifier | null {
  const text = query.search?.trim() ?? '';
  if (/^\S+@\S+\.\S+$/.test(text)) return 'email';
  if (!/^[\d\s().+-]+$/.test(text)) return null;
  const digits = text.replace(/\D/g, '');
  if (digits.length < 3) return null;
  if (digits.length === 10 && isOfPeople(query) && /[\s().+-]/.test(text)) return 'phone';
  return isOfPeople(query) ? 'memberId' : 'claimNumber';
}

/** The kinds of identifiers in a query, without their values; empty for most queries. */
export function findIdentifiers(query: ListQuery): Identifier[] {
  const found = new Set<Identifier>();
  if (asksForSsn(query)) found.add('ssn');
  for (const condition of query.conditions ?? []) {
    const identifier = identifierOf(query, condition);
    if (identifier !== null) found.add(identifier);
  }
  const typed = typedIdentifier(query);
  if (typed !== null && !(typed === 'memberId' && found.has('ssn'))) found.add(typed);
  return [...found].sort();
}

/**
 * The one member whose claims or dependents are listed, as on the member's page; null for any other query. Opening a
 * member is not recorded as a search.
 */
export function findOneMember({ entity, conditions = [], search }: ListQuery): number | null {
  const path = entity === 'claims' ? 'members.id' : '$member_id';
  const [first, ...others] = conditions.filter(({ field }) => field === path);
  if (first === undefined || others.length > 0 || first.operator !== 'is' || search !== undefined)
    return null;
  const id = Number(first.values[0]);
  return Number.isSafeInteger(id) ? id : null;
}
