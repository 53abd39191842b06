import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOutput } from '../../../src/main/shells/cli/output.ts';
import { parseCommand } from '../../../src/main/shells/cli/parse-command.ts';
import { runCommand } from '../../../src/main/shells/cli/run-command.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';

let bench: Bench;
let folder: string;
beforeAll(async () => {
  bench = await openBench('--members', '5', '--claims', '30', '--seed', '19');
  folder = mkdtempSync(join(tmpdir(), 'claimdesk-runs-cli-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await bench.close();
});

test('a run can be taken from To pay to recorded and back by commands, with a file and results', {
  timeout: 180_000,
}, async () => {
  const profile = await bench.newProfile();
  const session = await bench.open(profile);
  await bench.sync(session);
  const claims = (await bench.readAll(session, 'claims')).map(({ id }) => String(id));
  await session.close();
  let said = '';
  const run = async (...words: string[]): Promise<Record<string, unknown>[]> => {
    let text = '';
    said = '';
    const stdout = new Writable({
      write(chunk, _encoding, done) {
        text += String(chunk);
        done();
      },
    });
    const stderr = new Writable({
      write(chunk, _encoding, done) {
        said += String(chunk);
        done();
      },
    });
    await runCommand(
      parseCommand([...words, '--profile', profile]),
      createOutput({ isJson: false }, { stdout, stderr }),
    );
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  await run('review', 'set', ...claims, '--state', 'done', '--outcome', 'eligible');
  const [made] = await run('runs', 'make', '--name', 'March', '--account', 'HRA');
  const id = String(made?.run);
  expect(made).toMatchObject({ claims: expect.any(Number) });
  expect((await run('runs', 'list'))[0]).toMatchObject({ id, state: 'made', amount: made?.amount });
  const inRun = await run('list', 'claims', '--filter', 'review.run_state=Made', '--reason', 'A test');
  const [first, second, third] = inRun.map((claim) => String(claim.id)) as [string, string, string];
  // A payment of a claim in an open run brings a warning, and a claim that changed needs a confirmation.
  const payments = join(folder, 'payments.csv');
  writeFileSync(payments, `claim,amount,date\n${first},1.00,2026-03-01\n`);
  const [imported] = await run('review', 'pay', '--file', payments);
  expect(said).toContain(`Claim ${first} is in the run March, which isn’t recorded yet`);
  await expect(run('runs', 'check', id)).rejects.toMatchObject({
    code: 'run.marked',
    details: { claims: 1 },
  });
  await run('runs', 'check', id, '--with-changed');
  await run('review', 'undo', String(imported?.eventId));
  const file = join(folder, 'march.xlsx');
  const [written] = await run('runs', 'file', id, '--out', file, '--reason', 'Reimbursement');
  expect(written).toMatchObject({ event: 'done' });
  expect(readFileSync(file).subarray(0, 2).toString()).toBe('PK');
  await run('runs', 'send', id, '--file', file);
  const [sent] = await run('runs', 'show', id);
  expect(sent).toMatchObject({ state: 'sent', marked: 0 });
  const files = (written?.files ?? []) as { sha256: string }[];
  expect(files).toHaveLength(1);
  for (const { sha256 } of files) expect(JSON.stringify(sent?.steps)).toContain(sha256);
  const employers = sent?.employers as { amount: number }[];
  const sum = employers.reduce((before, { amount }) => before + Math.round(amount * 10_000), 0);
  expect(sum).toBe(Math.round((made?.amount as number) * 10_000));
  await run('runs', 'record', id, '--date', '2026-03-02');
  const worklists = await run('review', 'worklist');
  const toPay = worklists.find(({ worklist }) => worklist === 'toPay');
  // Claims whose open amount is not known were left out.
  const notKnown = ((made?.leftOut ?? []) as { reason: string; claims: number }[]).find(
    ({ reason }) => reason === 'notKnown',
  );
  expect(toPay?.claims).toBe(notKnown?.claims ?? 0);
  const csv = join(folder, 'results.csv');
  writeFileSync(csv, `claim,result,reason\n${first},rejected,Closed\nx,paid,\n`);
  expect((await run('runs', 'results', id, csv))[0]).toMatchObject({
    ...{ left: 1, recorded: 0 },
    unmatched: [{ line: 3, of: 'x', reason: 'notInRun' }],
  });
  await run('runs', 'back', id, '--reason', 'Wrong day');
  await run('runs', 'leave-out', id, second, '--reason', 'Changed');
  expect((await run('runs', 'show', id))[0]).toMatchObject({
    ...{ state: 'sent', claims: (made?.claims as number) - 2 },
  });
  await run('runs', 'record', id, '--date', '2026-03-02');
  await run('review', 'set', third, '--state', 'done', '--outcome', 'notEligible');
  const [corrected] = await run('runs', 'make', '--name', 'April', '--corrections');
  expect(corrected).toMatchObject({ claims: 1, leftOut: [] });
  expect(corrected?.amount).toBeLessThan(0);
  await expect(run('runs', 'show', 'none')).rejects.toMatchObject({ code: 'run.unknown' });
});
