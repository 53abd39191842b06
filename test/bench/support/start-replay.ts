import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { firstLine } from '../../integration/sandbox/start-sandbox.ts';

const entry = fileURLToPath(new URL('replay-service.ts', import.meta.url));

/** Starts the replay; `change` changes one claim in `changeEvery` and removes one; `throttle` is in records a second. */
export async function startReplay(claims: number, members: number, changeEvery = 1_000) {
  const child = spawn(process.execPath, [entry, ...[claims, members, changeEvery].map(String)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { baseUrl } = JSON.parse(await firstLine(child)) as { baseUrl: string };
  const post = async (path: string): Promise<void> =>
    void (await fetch(`${baseUrl}${path}`, { method: 'POST', redirect: 'manual' }));
  return {
    baseUrl,
    change: () => post('/next'),
    throttle: (perSecond: number) => post(`/throttle?perSecond=${perSecond}`),
    async stop(): Promise<void> {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.end();
      await ended;
    },
  };
}
