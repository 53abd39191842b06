import type { ClaimTypeName } from './codes.ts';
import { hash32, RandomStream } from './random.ts';

/**
 * The visits that claims of the ordinary corpus are for: services that belong together, at usual prices. Services have
 * HCPCS Level II codes with this project's short descriptions, drugs have NDCs. CPT and CDT are licensed and not used,
 * so office visits and dental care have a carrier code that begins with Z.
 */

/** Code, lowest and highest billed amount in dollars, name. */
const SERVICE_TABLE = `
00006-0277-31 420-610 Sitagliptin 100 mg tablet
00069-1530-68 9-30 Amlodipine 5 mg tablet
00071-0155-23 14-60 Atorvastatin 10 mg tablet
00088-2220-33 95-310 Insulin glargine 100 units/ml vial
00093-7146-56 12-38 Azithromycin 250 mg tablet
00173-0719-20 210-360 Fluticasone 110 mcg inhaler
00228-2996-11 9-34 Meloxicam 15 mg tablet
00378-1805-01 11-36 Levothyroxine 75 mcg tablet
00536-4085-01 8-26 Prenatal vitamin tablet
16714-0612-01 10-34 Sertraline 50 mg tablet
59310-0579-22 32-74 Albuterol 90 mcg inhaler
68180-0513-01 9-28 Lisinopril 5 mg tablet
A4253 28-62 Blood glucose test strips, 50
A4259 8-19 Lancets, box of 100
G0008 22-45 Influenza vaccine administration
G0103 30-70 Prostate cancer screening, PSA
G0121 1300-2900 Colonoscopy, screening
G0279 190-420 Breast imaging, digital tomosynthesis
G0283 25-60 Electrical stimulation, unattended
G0289 3800-6900 Knee arthroscopy, removal of loose body
G0306 18-52 Complete blood count, automated
G0328 30-75 Colorectal cancer screening, stool test
G0382 520-1150 Emergency department visit, moderate
G0383 850-1900 Emergency department visit, high
H0004 110-210 Behavioral health counseling
H0031 150-320 Mental health assessment
H1000 130-260 Prenatal care visit
J1885 14-38 Ketorolac injection, 15 mg
J2590 20-60 Oxytocin injection
J3301 18-44 Triamcinolone injection, 10 mg
L1902 60-130 Ankle orthosis, prefabricated
Q0091 35-80 Obtaining screening smear
Q9967 90-210 Contrast for CT, per ml
S0612 160-310 Annual gynecological exam
S0621 75-160 Routine eye exam, established patient
S3000 90-190 Diabetic retinal exam
S3620 70-150 Newborn metabolic screening
S8042 520-1250 MRI, knee, low-field
S9083 140-260 Urgent care, global fee
S9443 45-90 Lactation class
V2020 90-260 Frames
V2100 45-110 Sphere, single vision lens
V2781 120-260 Progressive lens, per lens
V2784 30-70 Polycarbonate lens, per lens
Z1001 110-235 Office visit, established patient
Z1002 165-340 Office visit, new patient
Z1003 150-290 Well-child visit
Z1004 140-250 Postpartum visit
Z2001 45-140 Lab panel, metabolic and lipids
Z2002 18-45 Rapid strep test
Z2003 60-140 Breathing test
Z3001 95-190 Physical therapy, 45 minutes
Z4001 70-165 X-ray, ankle
Z4002 900-2200 CT scan, abdomen
Z4003 75-170 X-ray, knee
Z4004 180-390 Ultrasound, pregnancy
Z5001 600-1200 Anesthesia, procedure
Z5002 5200-9800 Gallbladder surgery
Z6001 1500-2600 Hospital room, per day
Z6002 2200-4100 Operating room
Z6003 3200-5600 Delivery room
Z7001 45-85 Dental check-up
Z7002 85-150 Dental cleaning
Z7003 35-80 Dental x-rays
Z7004 140-280 Filling, one surface
Z7005 950-1600 Crown, porcelain
Z7006 140-240 Orthodontic treatment, monthly
`;

/** Type of claim, kind of provider, diagnosis, ages and gender of the patient, services, and hospital nights. */
const VISIT_TABLES = {
  usual: `
medical | Family Medicine | Z00.00 | 18-99 | Z1001 Z2001 G0306
medical | Family Medicine | J06.9 | 18-99 | Z1001
medical | Family Medicine | J20.9 | 18-99 | S9083
medical | Family Medicine | Z23 | 18-99 | Z1001 G0008
medical | Family Medicine | M54.50 | 18-99 | Z1001 J1885
medical | Family Medicine | Z12.11 | 45-75 | Z1001 G0328
medical | Dermatology | L30.9 | 0-99 | Z1002 J3301
medical | Imaging Center | Z12.31 | 40-74F | G0279
medical | Women’s Health | Z01.419 | 18-99F | S0612 Q0091
medical | Family Medicine | Z12.5 | 50-75M | Z1001 G0103
medical | Pediatrics | Z00.129 | 0-17 | Z1003 G0008
medical | Pediatrics | H66.90 | 0-17 | Z1001
medical | Pediatrics | J02.9 | 0-17 | Z1001 Z2002
medical | Orthopedics & Sports | S93.401A | 0-99 | Z1002 Z4001 L1902
facility | General Hospital | R10.9 | 0-99 | G0383 G0306 Q9967 Z4002
facility | General Hospital | S61.411A | 0-99 | G0382
facility | Surgery Center | Z12.11 | 45-75 | G0121 Z5001
facility | Medical Center | K80.20 | 18-99 | Z5002 Z5001 Z6001 | 1
rx | Pharmacy | J20.9 | 0-99 | 00093-7146-56
rx | Mail Pharmacy | E78.00 | 40-99 | 00071-0155-23
rx | Drugs | E03.9 | 18-99 | 00378-1805-01
dental | Family Dentistry | Z01.20 | 0-99 | Z7001 Z7002
dental | Family Dentistry | K02.9 | 0-99 | Z7003 Z7004
dental | Dental Group | K08.109 | 18-99 | Z7005
dental | Dental Group | M26.4 | 10-19 | Z7006
vision | Eye Care | H52.13 | 0-99 | S0621
vision | Optical | H52.13 | 0-99 | V2020 V2100 V2784
vision | Optical | H52.4 | 40-99 | V2020 V2781
`,
  knee: `
medical | Orthopedics & Sports | M17.11 | 0-99 | Z1002 Z4003
medical | Imaging Center | M23.91 | 0-99 | S8042
medical | Physical Therapy | M25.561 | 0-99 | Z3001 G0283
medical | Physical Therapy | M25.561 | 0-99 | Z3001
facility | Surgery Center | M23.91 | 0-99 | G0289 Z5001 Z6002
rx | Pharmacy | M25.561 | 0-99 | 00228-2996-11
`,
  birth: `
medical | Women’s Health | Z34.90 | 0-99 | H1000
medical | Imaging Center | Z36.9 | 0-99 | Z4004
medical | Women’s Health | Z39.2 | 0-99 | Z1004 S9443
facility | General Hospital | O80 | 0-99 | Z6003 Z6001 J2590 S3620 | 2
rx | Pharmacy | Z34.90 | 0-99 | 00536-4085-01
`,
  diabetes: `
medical | Family Medicine | E11.9 | 0-99 | Z1001 Z2001
medical | Family Medicine | E11.9 | 0-99 | A4253 A4259
rx | Mail Pharmacy | E11.65 | 0-99 | 00088-2220-33
rx | Mail Pharmacy | E11.65 | 0-99 | 00006-0277-31
vision | Eye Care | E11.9 | 0-99 | S3000
`,
  asthma: `
medical | Family Medicine | J45.909 | 0-99 | Z1001 Z2003
facility | General Hospital | J45.909 | 0-99 | G0382
rx | Pharmacy | J45.40 | 0-99 | 00173-0719-20
rx | Pharmacy | J45.909 | 0-99 | 59310-0579-22
`,
  depression: `
medical | Behavioral Health | F32.A | 0-99 | H0004
medical | Behavioral Health | F41.1 | 0-99 | H0031
rx | Pharmacy | F33.1 | 0-99 | 16714-0612-01
`,
  'blood pressure': `
medical | Family Medicine | I10 | 0-99 | Z1001 Z2001
rx | Mail Pharmacy | I10 | 0-99 | 68180-0513-01
rx | Mail Pharmacy | I10 | 0-99 | 00069-1530-68
`,
} as const;

/** A long illness or an event that several claims of one patient belong to; `usual` is everything else. */
type Episode = keyof typeof VISIT_TABLES;

export type PricedService = {
  readonly code: string;
  readonly name: string;
  readonly low: number;
  readonly high: number;
};

export type Visit = {
  readonly type: ClaimTypeName;
  readonly by: string;
  readonly diagnosis: string;
  readonly services: readonly PricedService[];
  readonly minAge: number;
  readonly maxAge: number;
  /** Null for any. */
  readonly gender: string | null;
  readonly nights: number;
};

export const PROVIDER_KINDS: Readonly<Record<ClaimTypeName, readonly string[]>> = {
  medical: [
    'Family Medicine',
    'Pediatrics',
    'Orthopedics & Sports',
    'Imaging Center',
    'Physical Therapy',
    'Women’s Health',
    'Behavioral Health',
    'Dermatology',
  ],
  facility: ['Medical Center', 'Surgery Center', 'General Hospital'],
  rx: ['Pharmacy', 'Drugs', 'Mail Pharmacy'],
  dental: ['Family Dentistry', 'Dental Group'],
  vision: ['Eye Care', 'Optical'],
};

const linesOf = (table: string): string[] => table.trim().split('\n');

const SERVICES = new Map(
  linesOf(SERVICE_TABLE).map((line): [string, PricedService] => {
    const [code = '', range = '', ...name] = line.split(' ');
    const [low = 0, high = 0] = range.split('-').map(Number);
    return [code, { code, name: name.join(' '), low, high }];
  }),
);

function readVisit(line: string): Visit {
  const [type, by = '', diagnosis = '', who = '', codes = '', nights = '0'] = line.split(' | ');
  const [, minAge, maxAge, gender] = /^(\d+)-(\d+)([FM]?)$/.exec(who) ?? [];
  return {
    type: type as ClaimTypeName,
    by,
    diagnosis,
    services: codes.split(' ').map((code) => SERVICES.get(code) as PricedService),
    minAge: Number(minAge),
    maxAge: Number(maxAge),
    gender: gender === '' ? null : (gender ?? null),
    nights: Number(nights),
  };
}

const VISITS = Object.fromEntries(
  Object.entries(VISIT_TABLES).map(([episode, table]) => [episode, linesOf(table).map(readVisit)]),
) as unknown as Readonly<Record<Episode, readonly Visit[]>>;

/** What decides which visits a patient can have; `key` is the same for all claims of a patient. */
export type VisitingPatient = { readonly key: number; readonly ageYears: number; readonly gender: string };

/** Returns the episode of a patient, the same for all of the patient's claims. */
function episodeOf({ key, ageYears, gender }: VisitingPatient): Episode {
  const roll = hash32(key, 91) % 100;
  if (gender === 'F' && ageYears >= 21 && ageYears <= 42 && roll < 18) return 'birth';
  if (ageYears >= 40 && roll < 22) return 'diabetes';
  if (ageYears >= 40 && roll < 50) return 'blood pressure';
  if (ageYears >= 16 && roll >= 50 && roll < 62) return 'knee';
  if (ageYears >= 14 && roll >= 62 && roll < 76) return 'depression';
  return ageYears < 40 && roll >= 76 ? 'asthma' : 'usual';
}

/** Returns what a claim of this type is for. During an episode, two in three claims of the patient belong to it. */
export function visitOf(
  seed: number,
  contentIndex: number,
  type: ClaimTypeName,
  patient: VisitingPatient,
): Visit {
  const r = new RandomStream(hash32(seed, contentIndex, 92));
  const possible = (episode: Episode): readonly Visit[] =>
    VISITS[episode].filter(
      (visit) =>
        visit.type === type &&
        (visit.gender ?? patient.gender) === patient.gender &&
        patient.ageYears >= visit.minAge &&
        patient.ageYears <= visit.maxAge,
    );
  const ofEpisode = possible(episodeOf(patient));
  return r.pick(ofEpisode.length > 0 && r.chance(67) ? ofEpisode : possible('usual'));
}
