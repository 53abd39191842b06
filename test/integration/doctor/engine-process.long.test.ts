import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DoctorResult, doctorResultSchema } from '../../../src/contract/doctor.ts';
import { forkEngine } from '../../../src/main/shells/browser/fork-engine.ts';
import {
  callAs,
  type OpenPage,
  type ShellUnderTest,
  startShellUnderTest,
} from '../../support/browser-shell.ts';
import { expectCause, expectCleanReport, stepOf } from './doctor-desk.ts';

let under: ShellUnderTest;
let page: OpenPage;
let workspaceId: string;
let isEngineDeaf = false;

/** Starts the engine as its own process, which can be made to ignore calls. */
const forkDeafly: typeof forkEngine = (preferredPort) => {
  const engine = forkEngine(preferredPort);
  const post: typeof engine.pipe.post = (message) => {
    if (isEngineDeaf && message.kind === 'call') return;
    engine.pipe.post(message);
  };
  return { ...engine, pipe: { ...engine.pipe, post } };
};

beforeAll(async () => {
  under = await startShellUnderTest({ startEngineProcess: forkDeafly });
  page = await under.loadPage(await under.enter());
  workspaceId = String((await call('sample:open', {})).id);
});
afterAll(() => under?.close());

async function call(
  procedure: Parameters<typeof callAs>[3],
  input: unknown,
): Promise<Record<string, unknown>> {
  const result = await callAs(under, page, 'main', procedure, input);
  expect(result).toMatchObject({ ok: true });
  return result.ok ? result.value : {};
}

const diagnose = async (): Promise<DoctorResult> =>
  doctorResultSchema.parse(await call('doctor:run', { workspaceId }));

test('in the window’s shell, with the engine in its own process, the sample works', async () => {
  const result = await diagnose();
  expect(result).toMatchObject({ outcome: 'works', cause: null, workspaceId });
  expect(stepOf(result, 'keychain').code).toBe('keychain.inMemory');
  expectCleanReport(result);
});

test('a service that can’t be reached is reported', async () => {
  await call('sample:setServiceRunning', { isRunning: false });
  expectCause(await diagnose(), 'tcp.refused');
  await call('sample:setServiceRunning', { isRunning: true });
});

test('an engine that does not answer is reported in time, next to what main has found', async () => {
  isEngineDeaf = true;
  const result = await diagnose();
  isEngineDeaf = false;
  expectCause(result, 'step.noEngine');
  expect(['keychain', 'key', 'token'].map((id) => stepOf(result, id as 'key').status)).toEqual([
    'ok',
    'ok',
    'ok',
  ]);
});

test('an unknown workspace and a locked desk have their own answers', async () => {
  const ask = () => callAs(under, page, 'main', 'doctor:run', { workspaceId: 'nobody-1234' });
  expect(await ask()).toMatchObject({ ok: false, error: { code: 'workspace.unknown' } });
  await call('lock:lock', {});
  expect(await ask()).toMatchObject({ ok: false, error: { code: 'app.locked' } });
});
