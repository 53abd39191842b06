// Preloaded by the soak (NODE_OPTIONS) in main, the engine and each of their threads of the built app, so that the app
// itself needs no measuring code. At SIGUSR2 every thread collects its garbage, and the process writes how much memory
// is still used. Uncaught errors are written at once; the process still ends because of them.
import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';

const path = process.env.SOAK_PROBE_FILE;
/** A thread that was terminated sends no reply, so it is not waited for longer than this. */
const answerLimitMs = 5_000;
/**
 * The lowest number of handles within this time counts, because the connection of the last call may still be closing.
 */
const closingMs = 1_000;
const write = (facts) => appendFileSync(path, `${JSON.stringify({ pid: process.pid, ...facts })}\n`);

/** Bytes of this thread that are still referenced. */
function collect() {
  for (let times = 0; times < 3; times += 1) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function answerSignals(channel) {
  const live = new Set();
  const used = new Map();
  channel.onmessage = ({ data }) => {
    if (data.hasEnded) live.delete(data.threadId);
    else live.add(data.threadId);
    if (data.used !== undefined) used.set(data.threadId, data.used);
  };
  process.on('SIGUSR2', async () => {
    let handles = process.getActiveResourcesInfo();
    used.clear();
    channel.postMessage('collect');
    for (let waitedMs = 0; waitedMs < answerLimitMs; waitedMs += 50) {
      if (waitedMs >= closingMs && [...live].every((id) => used.has(id))) break;
      await wait(50);
      const now = process.getActiveResourcesInfo();
      if (now.length < handles.length) handles = now;
    }
    const ofThreads = [...used.values()];
    for (const id of live) if (!used.has(id)) live.delete(id);
    write({ handles, used: ofThreads.reduce((sum, one) => sum + one, collect()) });
  });
}

if (path !== undefined) {
  process.on('uncaughtExceptionMonitor', (thrown, origin) => write({ origin, text: String(thrown?.stack) }));
  const channel = new BroadcastChannel('memory-probe');
  if (isMainThread) answerSignals(channel);
  else {
    channel.postMessage({ threadId });
    process.on('exit', () => channel.postMessage({ threadId, hasEnded: true }));
    channel.onmessage = ({ data }) => {
      if (data === 'collect') channel.postMessage({ threadId, used: collect() });
    };
  }
  channel.unref();
}
