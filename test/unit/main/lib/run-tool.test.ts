import { expect, test } from 'vitest';
import { runTool } from '../../../../src/main/lib/run-tool.ts';

const run = (script: string, input?: Buffer) => runTool(process.execPath, ['-e', script], input);

test('what a program prints is its answer, including its input', async () => {
  const echo = 'process.stdin.pipe(process.stdout)';
  expect((await run(echo, Buffer.from('bplist00')))?.toString()).toBe('bplist00');
  expect((await run('process.stdout.write(process.env.HOME ?? "none")'))?.toString()).toBe('none');
});

test('an exit code is not an answer, even if the input was not read', async () => {
  expect(await run('process.exit(1)', Buffer.alloc(200_000))).toBeNull();
});

test.each([
  ['prints too much', () => run('process.stdout.write("x".repeat(2_000_000))')],
  ['is not there', () => runTool('/none/reg.exe', [])],
  ['is ended by a signal', () => run('process.kill(process.pid, "SIGKILL")')],
])('a program that %s is an error', async (_what, ran) => {
  await expect(ran()).rejects.toThrow();
});
