import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** By row, then by cell. */
export type Sheet = { type: string; value: string; formula: string }[][];

/** As a person opens a CSV: comma, quotes, UTF-8, cells taken for what they seem to be, formulas evaluated. */
export const asExcelReads = '--infilter=CSV:44,34,76,1,,1033,false,true,false,false,false,0,true';

/** What LibreOffice has in its cells: type and value of each, from its own plain XML. */
export function openInLibreOffice(folder: string, file: string, filter: readonly string[] = []): Sheet {
  execFileSync(
    'soffice',
    [
      `-env:UserInstallation=file://${join(folder, 'office')}`,
      '--headless',
      ...filter,
      '--convert-to',
      'fods',
      '--outdir',
      folder,
      join(folder, file),
    ],
    { stdio: ['ignore', 'ignore', 'ignore'], timeout: 300_000 },
  );
  const read = execFileSync(
    'python3',
    [join(import.meta.dirname, 'read_fods.py'), join(folder, file.replace(/\.\w+$/, '.fods'))],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  return JSON.parse(read) as Sheet;
}
