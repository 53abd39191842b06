import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// `node fetch-electron.mjs [SECONDS]` runs the installer of the electron package with a progress display, and fails if
// no data arrives for that many seconds (20). The installer alone shows nothing for half a minute and waits without a
// limit.
const stallMs = Number(process.argv[2] ?? 20) * 1000;
const require = createRequire(import.meta.url);
const { version } = require('electron/package.json');
const megabyte = 1_000_000;

const fail = (reason) => {
  process.stderr.write(`Electron could not be fetched: ${reason}.\n`);
  process.exit(1);
};
const stalled = setTimeout(() => fail(`nothing arrived for ${stallMs / 1000} seconds`), stallMs);

/** Prints each tenth of a download. */
function tellProgress(total) {
  let [arrived, told] = [0, 0];
  return (bytes) => {
    stalled.refresh();
    arrived += bytes;
    const tenths = Math.floor((10 * arrived) / total);
    if (tenths === told) return;
    told = tenths;
    process.stderr.write(`${10 * told} %${told < 10 ? ' … ' : '\n'}`);
  };
}

const plainFetch = globalThis.fetch;
globalThis.fetch = async (...wanted) => {
  const response = await plainFetch(...wanted).catch((thrown) =>
    fail(`${new URL(wanted[0]).host} could not be reached (${thrown.cause?.code ?? thrown.message})`),
  );
  stalled.refresh();
  const total = Number(response.headers.get('content-length') ?? 0);
  if (!response.ok || response.body === null || total < megabyte) return response;
  process.stderr.write(`Fetching Electron ${version}, ${Math.round(total / megabyte)} MB: `);
  const tell = tellProgress(total);
  const counted = new TransformStream({
    transform(chunk, out) {
      tell(chunk.length);
      out.enqueue(chunk);
    },
    // After the download, the installer checks and unpacks on this computer.
    flush: () => clearTimeout(stalled),
  });
  return new Response(response.body.pipeThrough(counted), {
    status: response.status,
    headers: response.headers,
  });
};

process.env.ELECTRON_GET_NO_PROGRESS = '1';
// The installer prints a stack trace; one sentence is enough.
console.error = (text) =>
  fail(
    String(text)
      .split('\n')[0]
      .replace(/^\w*Error: /, ''),
  );
process.on('exit', () => clearTimeout(stalled));
require(join(dirname(require.resolve('electron/package.json')), 'install.js'));
