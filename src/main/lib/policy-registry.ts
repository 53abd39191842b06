import { PolicyProblem } from './policy-file.ts';
import type { RunTool } from './run-tool.ts';

/** As with the policy file, no environment variable decides which program is asked. */
const regTool = String.raw`C:\Windows\System32\reg.exe`;
const powerShell = String.raw`C:\Windows\System32\WindowsPowerShell\v1.0\powershell.exe`;
const unreadable =
  'The registry key can’t be read, neither by reg.exe nor by Windows PowerShell. Users need to be able to run one of them.';

/** The character between the texts of a list in what reg.exe prints; none of a rule's values can have it. */
const listSeparator = '|';
const valueLine = /^ {4}(.+?) {4}(REG_[A-Z_]+)(?: {4}(.*))?$/;

/**
 * Runs a fixed script in Windows' own PowerShell; see `RunTool`. It has cmdlets and properties alone, because methods are
 * refused where IT restricts the language of scripts.
 */
export const runScript = (script: string, run: RunTool): Promise<Buffer | null> =>
  run(powerShell, ['-NoProfile', '-NonInteractive', '-Command', `$ErrorActionPreference='Stop'; ${script}`]);

/**
 * Reads the rules of a registry key; null where there is no such key. Where reg.exe can't, PowerShell does, which takes
 * longer: Windows refuses reg.exe every key where IT prevents access to registry editing tools.
 * @throws PolicyProblem
 */
export async function readRegistryRules(key: string, run: RunTool): Promise<Record<string, unknown> | null> {
  try {
    return await readByTool(key, run).catch(() => readByScript(key, run));
  } catch (cause) {
    throw new PolicyProblem(unreadable, { cause });
  }
}

/** Reads a key without PowerShell's own properties of it; an absent one has no values. */
async function readByScript(key: string, run: RunTool): Promise<Record<string, unknown>> {
  const path = `'Registry::${key}'`;
  const script = `'[' + $(if (Test-Path -LiteralPath ${path}) { Get-ItemProperty -LiteralPath ${path} | Select-Object * -ExcludeProperty PS* | ConvertTo-Json -Compress }) + ']'`;
  const printed = (await runScript(script, run))?.toString('latin1') ?? '';
  const [values = {}] = JSON.parse(printed) as Record<string, unknown>[];
  const named = Object.entries(values).filter(([name]) => !isUnnamed(name));
  return Object.fromEntries(
    named.map(([name, value]) => [name, isAscii(JSON.stringify(value)) ? value : null]),
  );
}

/**
 * reg.exe ends with the same code for a key that is not there and one that can't be read, and explains the difference in
 * the language of Windows: the list of the key above decides instead.
 */
async function readByTool(key: string, run: RunTool): Promise<Record<string, unknown> | null> {
  if (!(await isListed(key, run))) return null;
  const printed = await query(key, run);
  if (printed === null) throw new PolicyProblem(unreadable);
  return parseKey(key, printed);
}

async function query(key: string, run: RunTool): Promise<string | null> {
  return (await run(regTool, ['query', key, '/se', listSeparator]))?.toString('latin1') ?? null;
}

async function isListed(key: string, run: RunTool): Promise<boolean> {
  const above = key.slice(0, key.lastIndexOf('\\'));
  const printed = await query(above, run);
  if (printed !== null)
    return printed.split(/\r*\n/).some((line) => line.toLowerCase() === key.toLowerCase());
  if (!above.includes('\\') || (await isListed(above, run))) throw new PolicyProblem(unreadable);
  return false;
}

/** Pure: the values of a key, by name. A line that is no value of it, nor its name, is an error. */
function parseKey(key: string, printed: string): Record<string, unknown> {
  const rules: [string, unknown][] = [];
  for (const line of printed.split(/\r*\n/)) {
    const isOfKey = line.toLowerCase().startsWith(key.toLowerCase());
    if (line === '' || (isOfKey && line.length === key.length)) continue;
    if (isOfKey && line[key.length] === '\\') {
      // A key below this one holds no rules, so it is treated as a rule that doesn't exist.
      rules.push([line.slice(key.length + 1), null]);
      continue;
    }
    const [, name, type, text = ''] = valueLine.exec(line) ?? [];
    if (name === undefined) throw new PolicyProblem(unreadable);
    if (!isUnnamed(name)) rules.push([name, toValue(type, text)]);
  }
  return Object.fromEntries(rules);
}

/** The value without a name: Windows shows a word in parentheses, in its language. */
const isUnnamed = (name: string): boolean => /^\(.*\)$/.test(name);
const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** Pure: a value of the registry; null, which no rule allows, for other types and for letters that reg.exe alters. */
function toValue(type: string | undefined, text: string): unknown {
  if (!isAscii(text)) return null;
  if (type === 'REG_DWORD') return /^0x[\da-f]{1,8}$/i.test(text) ? Number(text) : null;
  if (type === 'REG_SZ' || type === 'REG_EXPAND_SZ') return text;
  return type === 'REG_MULTI_SZ' ? text.split(listSeparator).filter((part) => part !== '') : null;
}
