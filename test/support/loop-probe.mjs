// Preloaded by benchmarks (`node --import`): measures the event loop's delay of a process of the app and writes it to a
// file with its pid at SIGUSR2, so that the app itself needs no measuring code.
import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const path = process.env.CLAIMDESK_LOOP_PROBE;
if (isMainThread && path !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  process.on('SIGUSR2', () => {
    const toMs = (value) => Math.round(value / 1e4) / 100;
    const figures = {
      pid: process.pid,
      p50Ms: toMs(delay.percentile(50)),
      p99Ms: toMs(delay.percentile(99)),
      maxMs: toMs(delay.max),
    };
    appendFileSync(
      path,
      `${JSON.stringify({ entry: process.argv[1], rssMb: Math.round(process.memoryUsage().rss / 1e6), ...figures })}\n`,
    );
    delay.reset();
  });
}
