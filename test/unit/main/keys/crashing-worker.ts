import { serveThread } from '../../../../src/main/lib/thread.ts';

/** Simulates a parser that fails like sshpk on some files: throws where no code can catch it, or hangs. */
serveThread((_name, input) => {
  const request = Buffer.from((input as { bytes: Uint8Array }).bytes).toString();
  if (request === 'crash') setImmediate(() => Promise.reject(new Error('out of reach')));
  else if (request === 'exit') process.exit(3);
  else if (request === 'hang') for (;;) Math.sqrt(2);
  else return { jwk: {}, comment: request };
  return new Promise(() => undefined);
});
