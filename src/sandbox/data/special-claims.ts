import type { Claim } from '../schemas/claim.ts';
import { isHostile } from './corpus.ts';
import { claimId } from './ids.ts';
import { instantText, MS_PER_DAY } from './instants.ts';
import type { Lifecycle } from './lifecycle.ts';
import { hash32 } from './random.ts';

/**
 * Kinds of special claims: claims with a property that tests look for. `GET /truth/special-claims` and `--truth-file`
 * list the claims of each kind.
 */
export const SPECIAL_KINDS = [
  'exact-duplicate',
  'near-duplicate',
  'lines-do-not-sum',
  'incomplete',
  'material-change',
  'immaterial-change',
  'becomes-incomplete',
  'big-integer',
  'orphan',
  'no-lines',
] as const;

type SpecialKind = (typeof SPECIAL_KINDS)[number];

export type SpecialClaim = {
  readonly kind: SpecialKind;
  /** Index of the claim that this one duplicates. */
  readonly copyOf?: number;
  /** When the claim changes, in milliseconds of the data's clock. */
  readonly changesAtMs?: number;
  readonly life?: Lifecycle;
  readonly variant: number;
};

type Size = { readonly seed: number; readonly claims: number };

/** Returns how many of each kind there are: one per hundred claims, at most 100, so that memory stays constant. */
export const specialClaimsPerKind = (claims: number): number => Math.min(100, Math.floor(claims / 100));

/** Chooses the special claims of a seed, spread over the whole list, with at most one kind per claim. */
export function chooseSpecialClaims(size: Size, today: number): ReadonlyMap<number, SpecialClaim> {
  const special = new Map<number, SpecialClaim>();
  const originals = new Set<number>();
  const perKind = specialClaimsPerKind(size.claims);
  SPECIAL_KINDS.forEach((kind, k) => {
    if (!isHostile() && (kind === 'big-integer' || kind === 'orphan')) return;
    for (let n = 0; n < perKind; n += 1) {
      let index = hash32(size.seed, n * SPECIAL_KINDS.length + k, 81) % size.claims;
      while (special.has(index) || originals.has(index)) index = (index + 1) % size.claims;
      const entry = makeSpecialClaim(size, kind, n, index, today, special);
      if (entry.copyOf !== undefined) originals.add(entry.copyOf);
      special.set(index, entry);
    }
  });
  return special;
}

function makeSpecialClaim(
  size: Size,
  kind: SpecialKind,
  n: number,
  index: number,
  today: number,
  special: ReadonlyMap<number, SpecialClaim>,
): SpecialClaim {
  if (kind === 'exact-duplicate' || kind === 'near-duplicate') {
    let copyOf = (index + 1 + (hash32(size.seed, n, 82) % 40)) % size.claims;
    while (special.has(copyOf) || copyOf === index) copyOf = (copyOf + 1) % size.claims;
    return { kind, copyOf, variant: n };
  }
  if (kind === 'material-change' || kind === 'immaterial-change' || kind === 'becomes-incomplete') {
    const createdMs = (today - 60 - (n % 30)) * MS_PER_DAY;
    const changesAtMs = (today + 1 + (n % 14)) * MS_PER_DAY;
    const life: Lifecycle = {
      serviceDay: today - 70 - (n % 30),
      createdMs,
      processedMs: createdMs + 9 * MS_PER_DAY,
      adjustedMs: kind === 'material-change' ? changesAtMs : null,
      amendedMs: kind === 'immaterial-change' ? changesAtMs : null,
      outcome: 'Processed',
    };
    return { kind, changesAtMs, life, variant: n };
  }
  return { kind, variant: n };
}

/** Writes an integer beyond 2^53 as the service would; a JavaScript number would lose its last digit. */
const bigInteger = (digits: string): number =>
  (JSON as unknown as { rawJSON(text: string): number }).rawJSON(digits);

/** Changes a generated claim into one of its special kind. */
export function applySpecialCase(claim: Claim, special: SpecialClaim, nowMs: number): void {
  switch (special.kind) {
    case 'near-duplicate':
      applyNearDuplicate(claim, special.variant);
      break;
    case 'lines-do-not-sum':
      claim.amount_billed = Math.round(((claim.amount_billed ?? 100) + 10) * 10_000) / 10_000;
      break;
    case 'incomplete':
      claim.is_incomplete = true;
      claim.patient_name = null;
      claim.service_provider = null;
      claim.remarks = 'Redacted: the dependent has not linked an account.';
      break;
    case 'becomes-incomplete':
      if ((special.changesAtMs ?? 0) <= nowMs) {
        claim.is_incomplete = true;
        claim.patient_name = null;
        claim.modifieddate = instantText(special.changesAtMs ?? 0);
        claim.last_updated_status = instantText(special.changesAtMs ?? 0);
      } else {
        claim.is_incomplete = false;
      }
      break;
    case 'big-integer':
      claim.dataobject_id = bigInteger(`90071992547409${String(93 + special.variant * 2).padStart(3, '0')}`);
      break;
    case 'orphan':
      claim.members = special.variant % 2 === 0 ? [] : null;
      claim.policy_holder = null;
      break;
    case 'no-lines':
      claim.claim_medical_lines = special.variant % 2 === 0 ? [] : null;
      break;
    default:
      break;
  }
}

/** Changes one thing of a claim that otherwise has the same service, provider, and patient. */
function applyNearDuplicate(claim: Claim, variant: number): void {
  if (variant % 3 === 0)
    claim.amount_billed = Math.round(((claim.amount_billed ?? 0) + 0.01) * 10_000) / 10_000;
  if (variant % 3 === 1) claim.service_provider = `${claim.service_provider ?? ''} `.toUpperCase();
  if (variant % 3 === 2) claim.vendor_system_id = `${claim.vendor_system_id ?? claimId(0)}-01`;
}
