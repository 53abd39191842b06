import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureNode } from './ensure-node.mjs';
import { root, runTool } from './run-tools.mjs';

// Opens exports in LibreOffice (Debian: libreoffice-calc-nogui) and checks how it reads them. Not part of `npm test`. A
// number as argument seeds other cells.
await ensureNode(import.meta.url);

const folder = join(root, 'test', 'spreadsheets');
let worst = 0;
for (const file of readdirSync(folder).filter((name) => name.endsWith('.spreadsheets.ts'))) {
  worst = Math.max(worst, await runTool('node', [join(folder, file), ...process.argv.slice(2)]));
}
process.exit(worst);
