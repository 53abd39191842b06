import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** A sheet's cells, by row. */
export type Sheet = { type: string; value: string; formula: string }[][];

/** The import filter of a CSV as users open it: comma, quotes, UTF-8, guessed types, formulas evaluated. */
export const asExcelReads = '--infilter=CSV:44,34,76,1,,1033,false,true,false,false,false,0,true';

/** Returns LibreOffice's cells: type and value of each, from its own plain XML. */
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
