import './lib/configure-zod.ts';
import { setNonce } from 'get-nonce';
import { showNoEntry } from './app/no-entry.tsx';
import { loadListsAhead } from './app/pages.tsx';
import { startDesk } from './app/start.tsx';
import { openBackend } from './lib/bridge.ts';
import { readPageMarks } from './lib/page-marks.ts';

const marks = readPageMarks(document);
if (marks.nonce !== '') setNonce(marks.nonce);
const container = document.getElementById('root');
if (container !== null) {
  // While the window waits to be let in.
  loadListsAhead();
  const backend = await openBackend(marks);
  if (backend === null) showNoEntry(container);
  else void startDesk(container, backend, marks.nonce);
}
