import type { ClaimTypeName } from './codes.ts';
import { npiFrom } from './codes.ts';
import { isHostile } from './corpus.ts';
import { ACCENTED_LAST_NAMES, CITIES, LAST_NAMES, ODD_LAST_NAMES, STREETS } from './names.ts';
import { digitsFrom, hash32, RandomStream } from './random.ts';
import { PROVIDER_KINDS } from './visits.ts';

/** The treating and the billing provider. Some addresses are null, and some numbers start with a zero. */
type Provider = {
  readonly name: string;
  readonly address: string;
  readonly taxId: string;
  readonly npi: number;
  readonly billingName: string;
  readonly billingAddress: string;
  readonly billingTaxId: string;
  readonly billingPhone: string;
  readonly billingNpi: number;
};

export const PROVIDERS_PER_KIND = 3;

/** The kinds of providers in the hostile corpus. */
const HOSTILE_KINDS: Readonly<Record<ClaimTypeName, readonly string[]>> = {
  medical: ['Family Medicine', 'Internal Medicine, LLC', 'Pediatrics', 'Dermatology', 'Orthopedics & Sports'],
  facility: ['General Hospital', 'Medical Center', 'Surgery Center, Inc.'],
  rx: ['Pharmacy #0042', 'Drugs', 'Mail Pharmacy'],
  dental: ['Dental Group', 'Family Dentistry'],
  vision: ['Eye Care', 'Optical "Clear View"'],
};

const providersOf = (type: ClaimTypeName): number =>
  isHostile() ? 400 : PROVIDER_KINDS[type].length * PROVIDERS_PER_KIND;
const cache = new Map<ClaimTypeName, (Provider | undefined)[]>();
let cachedSeed = Number.NaN;

/** Returns the provider with this number: a few hundred of each type, three of each kind in the ordinary corpus. */
export function providerAt(seed: number, type: ClaimTypeName, roll: number): Provider {
  const slot = roll % providersOf(type);
  if (seed !== cachedSeed) {
    cache.clear();
    cachedSeed = seed;
  }
  let ofType = cache.get(type);
  if (ofType === undefined) {
    ofType = [];
    cache.set(type, ofType);
  }
  const cached = ofType[slot];
  if (cached !== undefined) return cached;
  const made = makeProvider(seed, type, slot);
  ofType[slot] = made;
  return made;
}

function makeProvider(seed: number, type: ClaimTypeName, slot: number): Provider {
  const r = new RandomStream(hash32(seed, slot, 7000 + type.length * 31 + type.charCodeAt(0)));
  const rare = isHostile() ? ODD_LAST_NAMES : ACCENTED_LAST_NAMES;
  const surname = slot % 23 === 0 ? r.pick(rare) : r.pick(LAST_NAMES);
  const kinds = PROVIDER_KINDS[type];
  const kind = isHostile() ? r.pick(HOSTILE_KINDS[type]) : kinds[slot % kinds.length];
  const name = `${surname} ${kind}`;
  const isGroupBilled = r.chance(40);
  return {
    name,
    address: streetAddress(r),
    taxId: taxId(r),
    npi: npiFrom(100_000_000 + r.below(99_999_999)),
    billingName: isGroupBilled ? `${r.pick(LAST_NAMES)} Health Partners` : name,
    billingAddress: streetAddress(r),
    billingTaxId: taxId(r),
    billingPhone: `(${r.between(201, 989)}) 555-${digitsFrom(r, 4)}`,
    billingNpi: npiFrom(100_000_000 + r.below(99_999_999)),
  };
}

/** Generates a postal address; some postal codes start with a zero. */
export function streetAddress(r: RandomStream): string {
  const [city, state, zip] = r.pick(CITIES);
  const unit = r.chance(15) ? `, Apt #${r.between(1, 40)}` : '';
  return `${r.between(1, 9999)} ${r.pick(STREETS)}${unit}, ${city}, ${state} ${zip}${digitsFrom(r, 2)}`;
}

const taxId = (r: RandomStream): string => `0${r.between(1, 9)}-${digitsFrom(r, 7)}`;
