import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  claimLineShape,
  claimShape,
  type Shape,
} from '../../../src/main/engine/store/record/record-columns.ts';
import { fieldsOf } from '../../../src/rules/list-fields.ts';
import { findPython } from '../../interop/tokens/interop-programs.ts';

interface ScriptResult {
  readonly rows: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** Runs a script of this folder's parent, which prints its result as JSON. */
async function run(script: string, args: readonly string[]): Promise<unknown> {
  const path = fileURLToPath(new URL(`../${script}`, import.meta.url));
  const { stdout } = await promisify(execFile)(findPython(), ['-B', path, ...args], { maxBuffer: 1e6 });
  return JSON.parse(stdout);
}

/** Pages claims into a CSV file. */
export const pageToCsv = async (baseUrl: string, path: string): Promise<ScriptResult> =>
  (await run('page_to_csv.py', [baseUrl, 'bench@example.org', path])) as ScriptResult;

/** The columns that Claimdesk has for a record, with the path of each in the record. The script has the ID itself. */
const columnsOf = ({ columns, inline }: Shape, own: readonly string[]) => [
  ...columns
    .filter(({ key }) => !own.includes(key))
    .map(({ key, column, kind }) => ({ name: column, path: [key], kind })),
  ...inline.flatMap((object) =>
    object.columns.map(({ key, column, kind }) => ({ name: column, path: [object.key, key], kind })),
  ),
];

/** Pages claims into a file of SQLCipher with Claimdesk's columns and words; null where SQLCipher is not installed. */
export async function pageToSqlcipher(
  baseUrl: string,
  path: string,
): Promise<(ScriptResult & { readonly version: string; readonly index: string }) | null> {
  const columns = {
    claims: columnsOf(claimShape, ['id']),
    lines: columnsOf(claimLineShape, []),
    words: {
      claim: fieldsOf.claims.filter((field) => field.isSearchable).map((field) => field.path.split('.')),
      line: ['procedure_code', 'procedure_name', 'diagnosis_code', 'national_drug_code'],
    },
  };
  try {
    const args = [baseUrl, 'bench@example.org', path, JSON.stringify(columns)];
    return (await run('page_to_sqlcipher.py', args)) as never;
  } catch (thrown) {
    // How the script says that there is no SQLCipher.
    if ((thrown as { code?: unknown }).code === 3) return null;
    throw thrown;
  }
}
