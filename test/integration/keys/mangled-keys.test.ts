import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorTable } from '../../../src/contract/error-codes.ts';
import { readKeyFacts } from '../../../src/main/keys/key-facts.ts';
import { createKeyWorker } from '../../../src/main/keys/key-worker.ts';
import {
  convertBySshKeygen,
  copyOpenSshKey,
  fixturePassphrase,
  makeOpenSshKey,
  makePuttyKey,
  opensslPass,
  runOpenSsl,
} from '../../support/key-fixtures.ts';
import { fuzzRuns, isFuzz } from '../../support/seeds.ts';

/** 300 in `npm test`; `npm run fuzz` asks for more. */
const runs = fuzzRuns(300);

let crashes = 0;
/** Threads that a parser took down, or that did not come to an end: contained, and counted apart. */
const lost = { crashed: 0, timedOut: 0 };
const worker = createKeyWorker({
  timeoutMs: 20_000,
  onLost: (how) => {
    lost[how] += 1;
  },
});
const originals: Buffer[] = [];
const fingerprints = new Set<string>();
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'claimdesk-mangled-'));
  const at = (name: string) => join(folder, name);
  const locked = { passphrase: fixturePassphrase, rounds: 1 };
  const paths = [
    makeOpenSshKey(folder, 'ed', { type: 'ed25519' }),
    makeOpenSshKey(folder, 'ec', { type: 'ecdsa', bits: 521 }),
    makeOpenSshKey(folder, 'rsa', { type: 'rsa', bits: 2048 }),
    makeOpenSshKey(folder, 'ctr', { type: 'ed25519', ...locked }),
    makeOpenSshKey(folder, 'gcm', { type: 'ecdsa', bits: 256, cipher: 'aes256-gcm@openssh.com', ...locked }),
    makeOpenSshKey(folder, 'chacha', { type: 'ed25519', cipher: 'chacha20-poly1305@openssh.com', ...locked }),
  ];
  paths.push(makePuttyKey(folder, 'v2.ppk', at('rsa'), { version: 2, passphrase: fixturePassphrase }));
  paths.push(makePuttyKey(folder, 'v3.ppk', at('ed'), { version: 3 }));
  const argon = { passphrase: fixturePassphrase, extra: ['memory=64', 'passes=1'] };
  paths.push(makePuttyKey(folder, 'v3-locked.ppk', at('ec'), { version: 3, ...argon }));
  for (const format of ['PEM', 'PKCS8'] as const) {
    const path = copyOpenSshKey(at('rsa'), at(`rsa-${format}`));
    convertBySshKeygen(path, format);
    paths.push(path);
  }
  runOpenSsl(
    'rsa',
    '-in',
    at('rsa-PEM'),
    '-aes256',
    '-traditional',
    '-out',
    at('pkcs1'),
    '-passout',
    opensslPass,
  );
  runOpenSsl('pkcs8', '-topk8', '-in', at('rsa-PEM'), '-out', at('pkcs8'), '-passout', opensslPass);
  paths.push(at('pkcs1'), at('pkcs8'), at('ed.pub'));
  for (const path of paths) {
    const bytes = readFileSync(path);
    originals.push(bytes);
    const parsed = await worker.importKey(bytes, fixturePassphrase).catch(() => null);
    if (parsed !== null) fingerprints.add(readKeyFacts(parsed.jwk, 'x').fingerprint);
  }
  process.on('uncaughtExceptionMonitor', countCrash);
});
afterAll(async () => {
  process.off('uncaughtExceptionMonitor', countCrash);
  await worker.close();
  await rm(folder, { recursive: true, force: true });
});

function countCrash(): void {
  crashes += 1;
}

/** One thing that happens to a file: a byte changed, a piece lost, doubled, moved or filled with rubbish. */
const damage = fc.record({
  kind: fc.constantFrom('flip', 'set', 'cut', 'truncate', 'double', 'insert', 'inner'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 40 }),
  byte: fc.integer({ min: 0, max: 255 }),
});
type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;

function applyDamage(bytes: Buffer, { kind, at, length, byte }: Damage): Buffer {
  const index = Math.floor(at * Math.max(0, bytes.length - 1));
  const [before, after] = [bytes.subarray(0, index), bytes.subarray(index)];
  const piece = after.subarray(0, length);
  switch (kind) {
    case 'flip':
    case 'set': {
      const copy = Buffer.from(bytes);
      copy[index] = kind === 'set' ? byte : (copy[index] ?? 0) ^ (1 << (byte % 8));
      return copy;
    }
    case 'cut':
      return Buffer.concat([before, after.subarray(length)]);
    case 'truncate':
      return Buffer.from(before);
    case 'double':
      return Buffer.concat([before, piece, after]);
    case 'insert':
      return Buffer.concat([before, Buffer.alloc(length, byte), after]);
    default:
      return damageInside(bytes, at, byte);
  }
}

/** Changes a byte of what the base64 holds, so that the damage reaches the parsers behind the armor. */
function damageInside(bytes: Buffer, at: number, byte: number): Buffer {
  const text = bytes.toString('latin1');
  const runsOfBase64 = [...text.matchAll(/(?:^[A-Za-z0-9+/=]{20,}\r?\n)+/gm)];
  const run = runsOfBase64[byte % Math.max(1, runsOfBase64.length)];
  if (run === undefined) return bytes;
  const inner = Buffer.from(run[0], 'base64');
  const index = Math.floor(at * Math.max(0, inner.length - 1));
  inner[index] = (inner[index] ?? 0) ^ (byte === 0 ? 1 : byte);
  const lines = inner.toString('base64').match(/.{1,64}/g) ?? [];
  return Buffer.from(text.replace(run[0], `${lines.join('\n')}\n`), 'latin1');
}

test(`${runs} mangled key files never crash, always have a code, and never give another key`, {
  timeout: Math.max(120_000, runs * 1000),
}, async () => {
  const outcomes = new Map<string, number>();
  const mangled = fc.tuple(
    fc.nat().map((index) => originals[index % originals.length] ?? Buffer.alloc(0)),
    fc.array(damage, { minLength: 1, maxLength: 3 }),
    fc.constantFrom(fixturePassphrase, fixturePassphrase, null, 'wrong'),
  );
  await fc.assert(
    fc.asyncProperty(mangled, async ([original, damages, passphrase]) => {
      const bytes = damages.reduce(applyDamage, original);
      const outcome = await worker.importKey(bytes, passphrase).then(
        ({ jwk }) => {
          // Damage outside the key (a comment, a line's width) may leave it whole; then it is the same key.
          expect(fingerprints).toContain(readKeyFacts(jwk, 'x').fingerprint);
          return 'unharmed';
        },
        (error: { code?: unknown }) => {
          expect(Object.keys(errorTable)).toContain(error.code);
          expect(error.code).toMatch(/^key\./);
          return String(error.code);
        },
      );
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }),
    { numRuns: runs },
  );
  expect(crashes).toBe(0);
  expect(lost.timedOut).toBe(0);
  // Each costs a new thread. sshpk throws out of a stream's event on some files; no parser of ours may.
  expect(lost.crashed).toBeLessThanOrEqual(runs / 100);
  const total = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
  expect(total).toBe(runs);
  // If nearly all were unharmed, or all had one code, this test would test little.
  expect(outcomes.size).toBeGreaterThanOrEqual(4);
  expect(outcomes.get('unharmed') ?? 0).toBeLessThan(runs / 2);
  if (isFuzz) {
    process.stdout.write(
      `${JSON.stringify({ fuzz: 'mangled keys', runs, threadsLost: lost, ...Object.fromEntries(outcomes) })}\n`,
    );
  }
});
