import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRecords, openRecordsFile } from '../../src/main/engine/store/record/open-records.ts';
import {
  createReadOperations,
  createWriteOperations,
} from '../../src/main/engine/store/threads/operations.ts';
import { testBytes } from './seeds.ts';

/** A records file with its known content, to be copied and damaged. */
export interface DamageBench {
  readonly folder: string;
  readonly key: Buffer;
  /** Whole records as JSON text, by list and id. */
  readonly truth: {
    readonly members: ReadonlyMap<number, string>;
    readonly claims: ReadonlyMap<number, string>;
  };
  /** A new folder with copies of the files. */
  copy(): string;
  close(): void;
}

const pageOf = (kind: 'members' | 'claims', data: readonly unknown[]) => ({
  kind,
  body: Buffer.from(JSON.stringify({ data })),
  pass: 1,
  page: 1,
  seenAt: '2026-01-01T00:00:00.000Z',
  requestId: null,
  isPartOfPass: false,
});

export const memberOf = (id: number) => ({
  id,
  first_name: `Given${id}`,
  last_name: `Family${id % 37}`,
  ssn: `900-10-${String(1000 + id).slice(-4)}`,
  employer: { id: 1 + (id % 3), name: `Employer ${id % 3}` },
  dependents: [{ id: 100_000 + id, first_name: `Child${id}`, last_name: `Family${id % 37}` }],
});
export const claimOf = (id: number, members = [1 + (id % 60)]) => ({
  id,
  status: id % 2 === 0 ? 'Processed' : 'In Process',
  patient_name: `Given${members[0]} Family`,
  amount_billed: id + 0.25,
  date_of_service: { bounds: '[]', start: `${2020 + (id % 6)}-03-01`, end: `${2020 + (id % 6)}-03-02` },
  members: members.map((member) => ({ id: member, first_name: `Given${member}`, last_name: 'Family' })),
  policy_holder: { id: 7, first_name: 'Holder', last_name: 'Person' },
  claim_medical_lines: [
    { id: id * 10, procedure_code: '99213', amount_billed: id },
    { id: id * 10 + 1, procedure_code: 'A0428', amount_billed: 0.25 },
  ],
});

/**
 * Makes the files once. With `keepsLog`, as a killed process leaves them: with the last writes in the write-ahead log.
 */
export function makeDamageBench(options: { claims?: number; keepsLog?: boolean } = {}): DamageBench {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-damage-'));
  const source = join(folder, 'source');
  const key = testBytes(32);
  mkdirSync(source);
  const filePath = join(source, 'records.db');
  const file = openRecordsFile(filePath, key);
  const write = createWriteOperations(file.database);
  const range = (count: number) => Array.from({ length: count }, (_none, index) => index + 1);
  write.ingestPage(pageOf('members', range(60).map(memberOf)));
  const ids = range(options.claims ?? 240);
  const half = Math.floor(ids.length / 2);
  write.ingestPage(
    pageOf(
      'claims',
      ids.slice(0, half).map((id) => claimOf(id)),
    ),
  );
  if (options.keepsLog === true) file.database.pragma('wal_checkpoint(TRUNCATE)');
  write.ingestPage(
    pageOf(
      'claims',
      ids.slice(half).map((id) => claimOf(id)),
    ),
  );
  const taken = join(folder, 'taken');
  if (options.keepsLog === true) {
    file.updateMarks();
    // The mark is written at most once a second.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_010);
    file.updateMarks();
    cpSync(source, taken, { recursive: true, filter: (path) => !path.endsWith('-shm') });
    file.close();
  } else {
    file.close();
    cpSync(source, taken, { recursive: true });
  }
  const connection = openRecords(filePath, key, { isReadOnly: true });
  const truth = { members: readTruth(connection, 'members'), claims: readTruth(connection, 'claims') };
  connection.close();
  let copies = 0;
  return {
    folder,
    key,
    truth,
    copy() {
      copies += 1;
      const target = join(folder, `copy-${copies}`);
      cpSync(taken, target, { recursive: true });
      return target;
    },
    close: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** The records of a list in a file, by ID. */
export function readTruth(
  connection: ReturnType<typeof openRecords>,
  entity: 'members' | 'claims',
): Map<number, string> {
  const keys = connection.prepare(`SELECT id FROM ${entity} ORDER BY id`).pluck().all() as number[];
  const texts = createReadOperations(connection).readRecords({ entity, keys, isSsnShown: true });
  return new Map(keys.map((id, index) => [id, texts[index] ?? '']));
}

/** A function that damages the files of a folder and returns what it did. */
export type Damage = (folder: string) => string;

/** One way of damaging files, chosen by the seed. */
export function makeDamage(seed: number, names: readonly string[]): Damage {
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
  const pick = (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return state % Math.max(1, below);
  };
  for (let warm = 0; warm < 5; warm += 1) pick(2);
  return (folder) => {
    const there = names.filter(
      (name) => existsSync(join(folder, name)) && statSync(join(folder, name)).size > 0,
    );
    const name = there[pick(there.length)] ?? names[0] ?? '';
    const path = join(folder, name);
    const size = statSync(path).size;
    const kind = pick(10);
    if (kind < 5) {
      const bytes = readFileSync(path);
      const flips = [1, 1, 2, 8, 40][pick(5)] ?? 1;
      for (let count = 0; count < flips; count += 1) {
        const at = kind === 0 ? pick(Math.min(size, 4096)) : pick(size);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << pick(8));
      }
      writeFileSync(path, bytes);
      return `${flips} flips in ${name}`;
    }
    if (kind < 7) {
      const length = kind === 5 ? pick(size) : Math.max(0, size - 1 - pick(9000));
      truncateSync(path, length);
      return `${name} cut from ${size} to ${length}`;
    }
    if (kind === 7) {
      rmSync(path);
      return `${name} removed`;
    }
    if (kind === 8) {
      const bytes = readFileSync(path);
      const at = pick(size);
      bytes.fill(0, at, Math.min(size, at + 4096 * (1 + pick(3))));
      writeFileSync(path, bytes);
      return `${name} zeroed from ${at}`;
    }
    const bytes = readFileSync(path);
    const at = pick(size);
    testBytes(512, seed).copy(bytes, at);
    writeFileSync(path, bytes);
    return `${name} overwritten at ${at}`;
  };
}
