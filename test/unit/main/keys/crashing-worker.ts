import { parentPort } from 'node:worker_threads';

/** Stands for a parser that does what sshpk does on some files: throw where nobody can catch it, or hang. */
parentPort?.on('message', ({ bytes }: { bytes: Uint8Array }) => {
  const request = Buffer.from(bytes).toString();
  if (request === 'crash') setImmediate(() => Promise.reject(new Error('out of reach')));
  else if (request === 'exit') process.exit(3);
  else if (request === 'hang') for (;;) Math.sqrt(2);
  else parentPort?.postMessage({ ok: true, value: { jwk: {}, comment: request } });
});
