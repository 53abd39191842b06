import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { DeskError } from '../../../lib/errors.ts';

/**
 * Dictionaries for compressing values, by the number with which compressed values begin: the keys of a claim's stored
 * values in their order, with values that many claims share. A released dictionary never changes.
 */
const dictionaries: ReadonlyMap<number, Buffer> = new Map([
  [
    1,
    Buffer.from(
      [
        '"total_patient_responsibility":0,"days_supply":30,"national_drug_code":"',
        '"remarks":"Service is not covered under the plan.","remarks":"Applied to deductible."',
        '"service_provider":null,"npi":null,"tin":null,"name":null,"modified":null,"readAt":null,"id":null,"employerId":null,"employer":""',
        'true,"$isMissing":true,"$calculated":"Billed, Allowed, Plan paid, Deductible, Copay, Coinsurance, Patient responsibility"',
        'Medical Center, Health Partners, Family Medicine, Pharmacy, Pediatrics, General Hospital, Orthopedics, Dermatology, Imaging, Dental, Surgery Center, Clinic',
        '"status":"Rejected","status":"In Process","status":"Pending","status":"Denied","status":"Paid","is_incomplete":true,',
        '"type.name":"pharmacy","type.name":"rx","type.name":"dental","type.name":"vision","type.name":"facility",',
        '"network":"OUT","network":"TIER1","network":"TIER2"',
        '{"fields":{"status":"Processed","is_incomplete":false,"amount_billed":100.00,"discount":10,"amount_allowed":90,"amount_paid":50,',
        '"amount_paid_other":0,"amount_not_covered":0,"reduction":150,"copayment":50,"coinsurance_patient":20,"patient_responsibility":20,',
        '"type.name":"medical","network":"IN","date_of_service":"2025-01-01/2025-01-01","patient_name":"',
        '","check_number":"00","check_date":"2025-01-10","eob_date":"2025-01-10","processed_on":"2025-01-10T00:00:00.000000+00:00",',
        '"vendor_system_id":"C00000","group_name":" Group Health","group_number":"00","last_updated_status":"2025-01-10T00:00:00.000000Z",',
        '"incurred_value":90,"patient_account_number":"0","patient_payer_number":"W-00","service_provider_billing_name":" Health Partners",',
        '"service_provider_billing_number":"0","service_provider_billing_npi_number":1,"policy_holder.first_name":"","policy_holder.last_name":"',
        '"},"members":[{"id":10,"name":" ","employerId":2,"employer":""}],"provider":{"npi":1,"tin":"0","name":"',
        '"},"lines":[{"date_of_service":"2025-01-01/2025-01-01","procedure_code":"99213","diagnosis_code":"Z00.00","quantity":1,',
        '"amount_billed":100,"discount":10,"amount_allowed":90,"amount_paid":50,"amount_paid_other":0,"amount_not_covered":0,"copayment":0,',
        '"coinsurance_patient":0,"reduction":0,"patient_responsibility":0,"total_patient_responsibility":0}',
        ',{"date_of_service":"2026-01-01/2026-01-01","procedure_code":"J","diagnosis_code":"',
        '}],"record":{"modified":"2026-01-01T00:00:00.000000Z","readAt":"2026-01-01T12:00:00.000Z"}}',
      ].join(''),
    ),
  ],
]);
const newestVersion = 1;

const headBytes = 5;

/**
 * How many bytes are allocated for a result at a time. By default Node allocates 16 kB for a hundred bytes, which costs
 * more than compressing them.
 */
const chunkFor = (length: number): number => Math.min(Math.max(length, 1_024), 65_536);

/**
 * Compresses the values that a review stores of a claim, given as JSON text, to about a fifth. The result is the number
 * of the dictionary, a checksum of the rest (CRC-32), and the deflated text.
 */
export function packValues(text: string): Buffer {
  const dictionary = dictionaries.get(newestVersion) as Buffer;
  const chunkSize = chunkFor(text.length);
  const body = deflateRawSync(text, { level: 6, windowBits: 14, memLevel: 6, dictionary, chunkSize });
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(newestVersion);
  head.writeUInt32BE(crc32(body), 1);
  return Buffer.concat([head, body]);
}

/** Checks the checksum of compressed values. They are not decompressed, because a check reads a whole file. */
export const arePackedValuesWhole = (packed: Buffer): boolean =>
  packed.length > headBytes &&
  dictionaries.has(packed.readUInt8()) &&
  crc32(packed.subarray(headBytes)) === packed.readUInt32BE(1);

/** Decompresses values to JSON text. @throws DeskError `store.damaged` */
export function unpackValues(packed: Buffer): string {
  if (!arePackedValuesWhole(packed)) throw new DeskError('store.damaged');
  const dictionary = dictionaries.get(packed.readUInt8()) as Buffer;
  const chunkSize = chunkFor(8 * packed.length);
  return inflateRawSync(packed.subarray(headBytes), { dictionary, chunkSize }).toString('utf8');
}
