import { addDays } from '../../src/rules/days.ts';

/**
 * A seeded set of claims, with the correct relation of each pair: duplicates, possible duplicates, and claims that only
 * resemble each other. `hard` are cases that no rule can decide from the fields, in both directions.
 */
export type Truth = 'sameClaim' | 'exact' | 'suspected' | 'adjustment' | 'none';

export interface LabeledPair {
  readonly ids: readonly [number, number];
  readonly truth: Truth;
  readonly situation: string;
}

export interface DuplicateSet {
  readonly claims: Record<string, unknown>[];
  readonly pairs: LabeledPair[];
}

type Line = Record<string, unknown>;
type Claim = Record<string, unknown> & { id: number; claim_medical_lines: Line[] };

/** Mulberry32: the same numbers for the same seed on every computer. */
function createRandom(seed: number): (below: number) => number {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const firstNames = ['Margaret', 'Luis', 'Priya', 'Thomas', 'Zoë', 'Dwayne', 'Mei', 'Carol', 'Omar', 'Ingrid'];
const lastNames = ['Edwards', "O'Neil", 'Nguyen', 'Garcia', 'Smith-Jones', 'Patel', 'Kowalski', 'Brown'];
/** HCPCS Level II (CMS). */
const codes = ['G0283', 'G0439', 'S9083', 'T1015', 'J1885', 'E0143', 'L3908', 'H0004', 'A7034', 'Q0091'];
const drugs = ['00071-0155-23', '00006-0277-31', '68180-0513-01', '59310-0579-22'];

const rangeOf = (first: string, last = first) => ({ bounds: '[)', start: first, end: addDays(last, 1) });
const spelledOtherwise = (first: string) => ({ bounds: '(]', start: addDays(first, -1), end: first });

export function makeDuplicateSet(seed: number, families: number): DuplicateSet {
  const random = createRandom(seed);
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
  const claims: Claim[] = [];
  const pairs: LabeledPair[] = [];
  let nextId = 1_000;
  const cents = (low: number, high: number): number => (low * 100 + random((high - low) * 100)) / 100;
  const newNumber = (): string => `C${String(100_000_000 + nextId * 7)}`;

  for (let family = 0; family < families; family += 1) {
    const memberId = 50_000 + family;
    const [first, last] = [pick(firstNames), pick(lastNames)];
    const provider = {
      service_provider: `${pick(['Lakeside', 'Summit', 'Harbor'])} ${pick(['Clinic', 'Orthopedics', 'Therapy'])}`,
      service_provider_npi_number: 1_000_000_000 + random(900_000_000),
      service_provider_number: `${10 + random(80)}-${1_000_000 + random(8_999_999)}`,
    };
    let day = `202${5 + random(2)}-0${1 + random(9)}-1${random(9)}`;
    const line = (more: Line = {}): Line => {
      const billed = cents(40, 900);
      return {
        id: nextId * 10 + random(1_000_000),
        procedure_code: pick(codes),
        quantity: 1,
        amount_billed: billed,
        date_of_service: rangeOf(day),
        ...more,
      };
    };
    const add = (more: Record<string, unknown> & { claim_medical_lines?: Line[] } = {}): Claim => {
      nextId += 1;
      const lines = (more.claim_medical_lines as Line[] | undefined) ?? [line(), line()];
      const billed =
        lines.reduce((sum, { amount_billed }) => sum + Math.round((amount_billed as number) * 100), 0) / 100;
      const claim: Claim = {
        id: nextId,
        vendor_system_id: newNumber(),
        status: 'Processed',
        type: { name: 'medical', type_id: 1 },
        patient_name: `${first} ${last}`,
        policy_holder: { id: 9_000 + family, first_name: first, last_name: last },
        members: [{ id: memberId, first_name: first, last_name: last }],
        date_of_service: rangeOf(day),
        processed_on: addDays(day, 10),
        amount_billed: billed,
        patient_responsibility: Math.round(billed * 20) / 100,
        ...provider,
        ...more,
        claim_medical_lines: lines,
      };
      claims.push(claim);
      return claim;
    };
    /** A copy of a claim with a number of its own. */
    const copy = (of: Claim, more: Record<string, unknown> = {}): Claim => {
      const { id: _id, vendor_system_id: _number, ...same } = of;
      return add({ ...same, ...more } as Record<string, unknown>);
    };
    const label = (a: Claim, b: Claim, truth: Truth, situation: string): void =>
      void pairs.push({ ids: a.id < b.id ? [a.id, b.id] : [b.id, a.id], truth, situation });
    const later = (days: number): void => {
      day = addDays(day, days) ?? day;
    };
    const situations: (() => void)[] = [
      () => {
        const one = add();
        label(one, copy(one), 'exact', 'sent twice');
        label(
          one,
          add({ claim_medical_lines: [line({ procedure_code: 'G0008' })] }),
          'none',
          'another service that day',
        );
      },
      () => {
        const one = add();
        const other = copy(one, {
          patient_name: ` ${last.toUpperCase()}, ${first.toUpperCase()} `,
          service_provider: one.service_provider?.toString().toUpperCase(),
          service_provider_number: null,
          claim_medical_lines: one.claim_medical_lines.toReversed(),
          date_of_service: spelledOtherwise(day),
        });
        label(one, other, 'exact', 'spelled otherwise');
      },
      () => {
        const one = add({ patient_name: `${first} A ${last}` });
        label(
          one,
          copy(one, { patient_name: `${first} ${last}` }),
          'exact',
          'with and without a middle initial',
        );
      },
      () => {
        const one = add();
        const [head, ...rest] = one.claim_medical_lines as [Line, ...Line[]];
        const changed = { ...head, amount_billed: (head.amount_billed as number) + cents(1, 40) };
        label(
          one,
          copy(one, { claim_medical_lines: [changed, ...rest], amount_billed: null }),
          'suspected',
          'other amount',
        );
      },
      () => {
        const one = add();
        const [head] = one.claim_medical_lines as [Line];
        const lines = [{ ...head }, line({ procedure_code: 'G0008' })];
        label(
          one,
          copy(one, { claim_medical_lines: lines, amount_billed: cents(10, 90) }),
          'suspected',
          'one line again',
        );
      },
      () => {
        const [left, right] = [
          line({ procedure_code: 'L3908-LT' }),
          line({ procedure_code: 'L3908-RT', amount_billed: 120 }),
        ];
        label(
          add({ claim_medical_lines: [{ ...left, amount_billed: 120 }] }),
          add({ claim_medical_lines: [right] }),
          'none',
          'bilateral',
        );
      },
      () => {
        const visit = line();
        const visits = [0, 7, 14].map((days) => {
          later(days);
          return add({ claim_medical_lines: [{ ...visit, date_of_service: rangeOf(day) }] });
        });
        label(visits[0] as Claim, visits[1] as Claim, 'none', 'therapy series');
        label(visits[1] as Claim, visits[2] as Claim, 'none', 'therapy series');
      },
      () => {
        const month = add({
          date_of_service: rangeOf(day, addDays(day, 27) ?? day),
          claim_medical_lines: [0, 7, 14].map((days) =>
            line({ procedure_code: 'H0004', date_of_service: rangeOf(addDays(day, days) ?? day) }),
          ),
        });
        later(10);
        label(
          month,
          add({ claim_medical_lines: [line({ procedure_code: 'H0004' })] }),
          'none',
          'a visit between those of a monthly claim',
        );
      },
      () => {
        const one = add({ patient_name: `${first} ${last}` });
        label(one, copy(one, { patient_name: `Jordan ${last}` }), 'none', 'twins');
      },
      () => {
        const one = add({ patient_name: `Baby A ${last}` });
        label(one, copy(one, { patient_name: `Baby B ${last}` }), 'none', 'newborn twins');
      },
      () => {
        const one = add({ patient_name: `${first} ${last} Sr` });
        label(one, copy(one, { patient_name: `${first} ${last} Jr` }), 'none', 'father and son');
      },
      () => {
        const [reading, machine] = [
          line({ procedure_code: 'G0103-26' }),
          line({ procedure_code: 'G0103-TC' }),
        ];
        label(
          add({ claim_medical_lines: [reading] }),
          add({ claim_medical_lines: [machine] }),
          'none',
          'professional and technical',
        );
      },
      () => {
        const one = add({ claim_medical_lines: [line({ procedure_code: 'J1885' })] });
        const [head] = one.claim_medical_lines as [Line];
        label(
          one,
          copy(one, { claim_medical_lines: [{ ...head, procedure_code: 'J1885 76' }] }),
          'none',
          'repeated on purpose',
        );
      },
      () => {
        const one = add();
        label(one, copy(one, { type: { name: 'facility', type_id: 2 } }), 'none', 'medical and facility');
      },
      () => {
        const one = add();
        label(
          one,
          copy(one, { service_provider_npi_number: 1_999_999_999, service_provider: 'Dr. Other' }),
          'none',
          'two doctors of one practice',
        );
      },
      () => {
        const fill = line({
          procedure_code: null,
          national_drug_code: pick(drugs),
          quantity: 30,
          days_supply: 30,
        });
        const rx = { type: { name: 'rx', type_id: 3 } };
        const one = add({ ...rx, claim_medical_lines: [fill] });
        const spelled = { ...fill, national_drug_code: String(fill.national_drug_code).replaceAll('-', '') };
        const again = copy(one, { claim_medical_lines: [spelled] });
        const dearer = copy(one, {
          claim_medical_lines: [{ ...fill, amount_billed: 11.5 }],
          amount_billed: 11.5,
        });
        label(one, again, 'exact', 'a fill sent twice');
        label(one, dearer, 'suspected', 'a fill at another price');
        label(again, dearer, 'suspected', 'a fill at another price');
        label(
          one,
          copy(one, { claim_medical_lines: [{ ...fill, quantity: 60, days_supply: 60 }] }),
          'none',
          'another quantity',
        );
        later(28);
        const refill = { ...fill, date_of_service: rangeOf(day) };
        label(one, add({ ...rx, claim_medical_lines: [refill] }), 'none', 'refill');
      },
      () => {
        const one = add();
        const mirrored = one.claim_medical_lines.map((own) => ({
          ...own,
          amount_billed: -(own.amount_billed as number),
        }));
        const reversal = copy(one, {
          claim_medical_lines: mirrored,
          amount_billed: -(one.amount_billed as number),
          patient_responsibility: -(one.patient_responsibility as number),
          processed_on: addDays(day, 20),
        });
        const again = copy(one, { processed_on: addDays(day, 21) });
        label(one, reversal, 'adjustment', 'reversal');
        label(one, again, 'none', 'billed again after a reversal');
      },
      () => {
        const one = add();
        const adjusted = copy(one, {
          vendor_system_id: `${String(one.vendor_system_id)}-01`,
          amount_billed: 77,
          processed_on: addDays(day, 30),
        });
        label(one, adjusted, 'adjustment', 'adjusted under the same number');
      },
      () => {
        const one = add();
        const other = copy(one, {
          vendor_system_id: one.vendor_system_id,
          policy_holder: { id: 90_000 + family },
        });
        label(one, other, 'sameClaim', 'one claim through two connections');
      },
      () => {
        const one = add();
        const spouse = { members: [{ id: 70_000 + family, first_name: 'Sam', last_name: last }] };
        const other = copy(one, {
          ...spouse,
          vendor_system_id: one.vendor_system_id,
          policy_holder: { id: 80_000 + family },
        });
        label(one, other, 'sameClaim', "one claim through the spouse's connection");
      },
      () => {
        if (family % 12 !== 0) return;
        const one = add();
        const [head] = one.claim_medical_lines as [Line];
        label(
          one,
          copy(one, { patient_name: null, claim_medical_lines: [{ ...head, amount_billed: 33 }] }),
          'suspected',
          'hard: the patient is blank',
        );
      },
      () => {
        if (family % 12 !== 0) return;
        const visit = line({ procedure_code: 'H0004' });
        const evening = { ...visit, amount_billed: cents(40, 90) };
        label(
          add({ claim_medical_lines: [visit] }),
          add({ claim_medical_lines: [evening] }),
          'none',
          'hard: two visits in one day',
        );
      },
    ];
    for (const situation of situations) {
      later(40);
      situation();
    }
  }
  return { claims, pairs };
}
