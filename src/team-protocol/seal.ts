import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type Content, commitTo, saltBytes } from './commitment.ts';
import { maxOpenedBytes, maxSealedBytes, protocolVersion } from './entry.ts';

const ivBytes = 12;
const tagBytes = 16;
const generationBytes = 4;

/**
 * The compression dictionary: texts that are frequent in events. It belongs to version 2 of the protocol and never
 * changes.
 */
const dictionary = Buffer.from(
  [
    '"type.name":"pharmacy","type.name":"dental","type.name":"vision","network":"OUT","status":"Denied","status":"Paid"',
    ',\\"date_of_service\\":\\"2026-01-01/2026-01-01\\",\\"procedure_code\\":\\"99213\\",\\"diagnosis_code\\":\\"Z00.00\\",\\"quantity\\":1,',
    '\\"amount_billed\\":100,\\"discount\\":10,\\"amount_allowed\\":90,\\"amount_paid\\":50,\\"amount_paid_other\\":0,\\"amount_not_covered\\":0,',
    '\\"copayment\\":0,\\"coinsurance_patient\\":0,\\"reduction\\":0,\\"patient_responsibility\\":0,\\"total_patient_responsibility\\":0}',
    '[1000000,"{\\"fields\\":{\\"status\\":\\"Processed\\",\\"is_incomplete\\":false,\\"amount_billed\\":100,\\"discount\\":10,',
    '\\"amount_allowed\\":90,\\"amount_paid\\":50,\\"amount_paid_other\\":0,\\"amount_not_covered\\":0,\\"reduction\\":0,\\"copayment\\":0,',
    '\\"coinsurance_patient\\":0,\\"patient_responsibility\\":0,\\"type.name\\":\\"medical\\",\\"network\\":\\"IN\\",',
    '\\"date_of_service\\":\\"2026-01-01/2026-01-01\\",\\"patient_name\\":\\"\\",\\"check_number\\":null,\\"eob_date\\":\\"2026-01-01\\",',
    '\\"processed_on\\":\\"2026-01-01T00:00:00.000000+00:00\\",\\"last_updated_status\\":\\"2026-01-01T00:00:00.000000Z\\",',
    '\\"service_provider_billing_name\\":\\"\\",\\"service_provider_billing_npi_number\\":1,\\"policy_holder.first_name\\":\\"\\"},',
    '\\"members\\":[{\\"id\\":10,\\"name\\":\\"\\",\\"employerId\\":2,\\"employer\\":\\"\\"}],\\"provider\\":{\\"npi\\":1,\\"tin\\":\\"\\",\\"name\\":\\"\\"},',
    '\\"lines\\":[{\\"date_of_service\\":\\"],\\"record\\":{\\"modified\\":\\"2026-01-01T00:00:00.000000Z\\",\\"readAt\\":\\"2026-01-01T12:00:00.000Z\\"}}",',
    '"receipt":"{\\"runId\\":\\"\\",\\"finishedAt\\":\\"2026-01-01T12:00:00.000Z\\"}","undoes":null}',
    '{"author":"@","fact":"{\\"kind\\":\\"note\\",\\"text\\":\\"\\"}","fact":"{\\"kind\\":\\"payment\\",\\"payment\\":\\"\\",\\"amount\\":null}",',
    '"fact":"{\\"kind\\":\\"decision\\",\\"outcome\\":\\"eligible\\",\\"eligibleAmount\\":null,\\"reason\\":null,\\"note\\":null}","filter":null,"kind":"decision",',
  ].join(''),
);

/** The position of a sealed head or part; bytes sealed for one place can't be opened in another. */
export interface SealedPosition {
  readonly team: string | null;
  readonly entryId: string;
  /** `headPart`, or the number of the part from 0. */
  readonly part: number;
}

/** A key that seals content, and its generation: 0 where it is derived from the passphrase of a file. */
export interface SealingKey {
  readonly generation: number;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

/** The keys in use are kept as objects: Node takes longer to read the bytes of a key than to encrypt an event by it. */
const keyObjects = new WeakMap<Uint8Array, KeyObject>();
function keyObjectOf(key: Uint8Array): KeyObject {
  const keyObject = keyObjects.get(key) ?? createSecretKey(key);
  keyObjects.set(key, keyObject);
  return keyObject;
}

/** The salt of a new entry, for the commitments to its head and to all of its parts. */
export const makeSalt = (): Buffer => randomBytes(saltBytes);

const contextOf = ({ team, entryId, part }: SealedPosition, generation: number): Buffer =>
  Buffer.from(JSON.stringify(['claimdesk entry', protocolVersion, team, entryId, part, generation]), 'utf8');

/** Results are allocated from chunks of this size: by default Node allocates 16 kB for a hundred bytes. */
const chunkFor = (length: number): number => Math.min(Math.max(length, 1_024), 65_536);
/** The memory of a compressor for a text of this length; short texts compress as well in a smaller window. */
const memoryFor = (length: number) => ({
  chunkSize: chunkFor(length),
  ...(length < 6_000 ? { windowBits: 13, memLevel: 6 } : {}),
});

/**
 * Seals content: the generation of the key (4 bytes), a random IV (12), then by AES-256-GCM the salt and the deflated
 * text, and the tag (16).
 */
export function seal(
  { text, salt }: Content,
  place: SealedPosition,
  { generation, key }: SealingKey,
): Buffer {
  const head = Buffer.alloc(generationBytes);
  head.writeUInt32BE(generation);
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', keyObjectOf(key), iv, { authTagLength: tagBytes });
  cipher.setAAD(contextOf(place, generation));
  const packed = deflateRawSync(text, { dictionary, ...memoryFor(text.length) });
  return Buffer.concat([
    head,
    iv,
    cipher.update(salt),
    cipher.update(packed),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

/** The generation of the key that sealed these bytes; null where they are too short or too long to be sealed content. */
export function generationOf(sealed: Uint8Array): number | null {
  const isPossible =
    sealed.length > generationBytes + ivBytes + saltBytes + tagBytes && sealed.length <= maxSealedBytes;
  return isPossible ? Buffer.from(sealed.buffer, sealed.byteOffset, generationBytes).readUInt32BE() : null;
}

/**
 * Opens sealed content. Null where the key, the position or the commitment is another one, or it is longer than
 * allowed.
 */
export function open(
  sealed: Uint8Array,
  place: SealedPosition,
  key: SealingKey,
  commitment: string,
): Content | null {
  const content = openSealed(sealed, place, key);
  return content !== null && commitTo(content, place.part) === commitment ? content : null;
}

/** Opens content that is verified by other means than a commitment. */
export function openSealed(
  sealed: Uint8Array,
  place: SealedPosition,
  { generation, key }: SealingKey,
): Content | null {
  if (generationOf(sealed) !== generation) return null;
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const end = bytes.length - tagBytes;
  const contentAt = generationBytes + ivBytes;
  try {
    const decipher = createDecipheriv(
      'aes-256-gcm',
      keyObjectOf(key),
      bytes.subarray(generationBytes, contentAt),
      {
        authTagLength: tagBytes,
      },
    );
    decipher.setAAD(contextOf(place, generation));
    decipher.setAuthTag(bytes.subarray(end));
    const opened = Buffer.concat([decipher.update(bytes.subarray(contentAt, end)), decipher.final()]);
    const salt = opened.subarray(0, saltBytes);
    const packed = opened.subarray(saltBytes);
    const unpacked = inflateRawSync(packed, {
      dictionary,
      maxOutputLength: maxOpenedBytes,
      chunkSize: chunkFor(4 * packed.length),
    });
    return { text: unpacked.toString('utf8'), salt };
  } catch {
    // A wrong tag, bytes that do not inflate, a text that is too long.
    return null;
  }
}
