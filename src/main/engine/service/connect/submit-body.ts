import { DeskError } from '../../../lib/errors.ts';

/** A carrier login with the consents that are sent with it (docs/service.md, "Connect calls"). */
export interface Login {
  readonly email: string;
  readonly employerId: number;
  readonly payerId: number;
  /** The fields of the carrier's form, at top level. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly tenantIds: readonly number[];
}

/** Set by the request alone, and without another spelling. */
const requestOnly: readonly string[] = ['employer_id', 'tenants_accept'];

/**
 * The body of a submit (docs/service.md, "Connect calls"): the fields of the carrier's form at top level, beside
 * those of the request. A form may have fields called like these: the member and the carrier then go in their other
 * spelling, `user.email` and `payer.id`.
 *
 * @throws DeskError `usage.invalid` where both spellings are taken, or a field says what only the request can
 */
export function submitBody({
  fields,
  email,
  employerId,
  payerId,
  tenantIds,
}: Login): Record<string, unknown> {
  const name = (flat: string, value: unknown, outer: string, inner: string): Record<string, unknown> => {
    if (!(flat in fields) || fields[flat] === value) return { [flat]: value };
    if (outer in fields) throw new DeskError('usage.invalid');
    return { [outer]: { [inner]: value } };
  };
  const isTaken =
    requestOnly.some((field) => field in fields) || ('accept' in fields && fields.accept !== true);
  if (isTaken) throw new DeskError('usage.invalid');
  return {
    ...fields,
    ...name('user_email', email, 'user', 'email'),
    ...name('payer_id', payerId, 'payer', 'id'),
    employer_id: employerId,
    accept: true,
    tenants_accept: tenantIds,
  };
}
