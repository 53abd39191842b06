/**
 * Codes from public lists: ICD-10-CM (CDC/NCHS) and HCPCS Level II (CMS). The short descriptions of HCPCS codes are
 * this project's. CPT and CDT codes are licensed and not used. Drug codes are NDCs in the 11-digit 5-4-2 form.
 */

export type ClaimTypeName = 'medical' | 'facility' | 'rx' | 'dental' | 'vision';

/** Which name has which ID is not published (docs/service.md, "What the claim fields mean"). */
export const CLAIM_TYPES: readonly { readonly name: ClaimTypeName; readonly type_id: number }[] = [
  { name: 'medical', type_id: 1 },
  { name: 'facility', type_id: 2 },
  { name: 'rx', type_id: 3 },
  { name: 'dental', type_id: 4 },
  { name: 'vision', type_id: 5 },
];

const splitCodes = (text: string): readonly string[] => text.split(' ');

export const DIAGNOSES: Readonly<Record<ClaimTypeName, readonly string[]>> = {
  medical: splitCodes(
    'E11.9 I10 J06.9 M54.50 Z00.00 Z23 E78.5 F41.1 K21.9 N39.0 J45.909 M25.561 R07.9 S93.401A F32.A G43.909 L70.0 ' +
      'R10.9 R51.9 U07.1 Z12.31 Z12.11 E03.9 E66.9 D64.9 B34.9 A09 J02.9 J20.9 H66.90 M17.11 T78.40XA N18.30 I25.10 ' +
      'I48.91 G47.33 Z79.4 Z79.899 R73.03 M79.10 K58.9 L30.9 S61.411A E55.9 F90.2',
  ),
  facility: splitCodes(
    'O80 Z38.00 I21.4 S52.501A C50.911 K35.80 J18.9 A41.9 I63.9 K80.20 S72.001A N17.9 M17.12 I50.9',
  ),
  rx: splitCodes('E11.65 I10 E78.00 J45.40 F33.1 E03.9 K21.9 M06.9 G40.909'),
  dental: splitCodes('K02.9 K05.10 K08.109 K01.1 Z01.20 M26.4'),
  vision: splitCodes('H52.13 H52.4 H52.223 H40.9 H25.13 Z01.00'),
};

type Procedure = readonly [code: string, name: string];

export const PROCEDURES: Readonly<Record<Exclude<ClaimTypeName, 'rx'>, readonly Procedure[]>> = {
  medical: [
    ['G0008', 'Influenza vaccine administration'],
    ['G0009', 'Pneumococcal vaccine administration'],
    ['G0101', 'Cervical cancer screening, pelvic exam'],
    ['G0103', 'Prostate cancer screening, PSA'],
    ['G0121', 'Colorectal cancer screening, not high risk'],
    ['G0438', 'Annual wellness visit, first'],
    ['G0439', 'Annual wellness visit, subsequent'],
    ['G0442', 'Annual alcohol misuse screening'],
    ['G0444', 'Annual depression screening'],
    ['G0283', 'Electrical stimulation, unattended'],
    ['J0696', 'Ceftriaxone injection, 250 mg'],
    ['J1100', 'Dexamethasone injection, 1 mg'],
    ['J1885', 'Ketorolac injection, 15 mg'],
    ['J3420', 'Vitamin B-12 injection'],
    ['J3301', 'Triamcinolone injection, 10 mg'],
    ['J0171', 'Epinephrine injection, 0.1 mg'],
    ['A4253', 'Blood glucose test strips, 50'],
    ['A4259', 'Lancets, box of 100'],
    ['A7034', 'Nasal interface for positive airway pressure'],
    ['E0601', 'Continuous positive airway pressure device'],
    ['E0143', 'Walker, folding, wheeled'],
    ['E0114', 'Crutches, underarm, pair'],
    ['L1902', 'Ankle orthosis, prefabricated'],
    ['L3908', 'Wrist hand orthosis, prefabricated'],
    ['H0004', 'Behavioral health counseling, 15 minutes'],
    ['H0031', 'Mental health assessment, non-physician'],
    ['Q0091', 'Obtaining screening smear'],
    ['S9083', 'Urgent care, global fee'],
    ['T1015', 'Clinic visit, all-inclusive'],
    ['V5261', 'Hearing aid, digital, binaural'],
  ],
  facility: [
    ['G0378', 'Hospital observation, per hour'],
    ['G0379', 'Direct admission to observation'],
    ['G0463', 'Hospital outpatient clinic visit'],
    ['A0425', 'Ground ambulance mileage'],
    ['A0427', 'Ambulance, advanced life support, emergency'],
    ['A0429', 'Ambulance, basic life support, emergency'],
    ['P9016', 'Red blood cells, leukocytes reduced'],
    ['C1713', 'Anchor or screw, bone to bone'],
    ['C1776', 'Joint device, implantable'],
    ['J2405', 'Ondansetron injection, 1 mg'],
    ['J3010', 'Fentanyl citrate injection, 0.1 mg'],
    ['J7120', 'Ringers lactate infusion, up to 1000 cc'],
    ['Q9967', 'Low osmolar contrast, 300-399 mg/ml, per ml'],
  ],
  dental: [
    ['E0485', 'Oral device, prefabricated'],
    ['E0486', 'Oral device, custom fabricated'],
    ['S8262', 'Mandibular repositioning device'],
  ],
  vision: [
    ['V2020', 'Frames'],
    ['V2100', 'Sphere, single vision lens'],
    ['V2200', 'Sphere, bifocal lens'],
    ['V2520', 'Contact lens, hydrophilic, spherical'],
    ['V2750', 'Anti-reflective coating, per lens'],
    ['V2781', 'Progressive lens, per lens'],
    ['V2784', 'Polycarbonate lens, per lens'],
    ['S0620', 'Routine eye exam, new patient'],
    ['S0621', 'Routine eye exam, established patient'],
  ],
};

export type Drug = readonly [ndc: string, name: string];

export const DRUGS: readonly Drug[] = [
  ['00071-0155-23', 'Atorvastatin 10 mg tablet'],
  ['00006-0277-31', 'Sitagliptin 100 mg tablet'],
  ['00093-7146-56', 'Azithromycin 250 mg tablet'],
  ['00088-2220-33', 'Insulin glargine 100 units/ml vial'],
  ['00002-8215-01', 'Insulin human 100 units/ml vial'],
  ['00173-0719-20', 'Fluticasone 110 mcg inhaler'],
  ['59310-0579-22', 'Albuterol 90 mcg inhaler'],
  ['68180-0513-01', 'Lisinopril 5 mg tablet'],
  ['00069-1530-68', 'Amlodipine 5 mg tablet'],
  ['00378-1805-01', 'Levothyroxine 75 mcg tablet'],
];

/** The kinds of prescription, as `prescription_type_id` and `prescription_type_str`. */
export const PRESCRIPTION_TYPES: readonly (readonly [number, string])[] = [
  [1, 'generic'],
  [2, 'brand'],
  [3, 'specialty'],
  [4, 'mail order'],
];

/**
 * Returns a National Provider Identifier: nine digits and a Luhn check digit over the prefix 80840 and those nine (45
 * CFR 162.406; the prefix adds the constant 24).
 *
 * @param body nine digits, the first of them 1 or 2
 */
export function npiFrom(body: number): number {
  let sum = 24;
  let rest = body;
  for (let position = 0; position < 9; position += 1) {
    const digit = rest % 10;
    rest = Math.floor(rest / 10);
    if (position % 2 === 0) {
      const doubled = digit * 2;
      sum += doubled > 9 ? doubled - 9 : doubled;
    } else {
      sum += digit;
    }
  }
  return body * 10 + ((10 - (sum % 10)) % 10);
}
