import { PolicyProblem } from './policy-file.ts';
import type { RunTool } from './run-tool.ts';

/** As with the policy file, no environment variable decides which program is asked. */
const regTool = String.raw`C:\Windows\System32\reg.exe`;
const unreadable = 'The registry key can’t be read.';

/** The character between the texts of a list in what reg.exe prints; none of a rule's values can have it. */
const listSeparator = '|';
const valueLine = /^ {4}(.+?) {4}(REG_[A-Z_]+)(?: {4}(.*))?$/;

/**
 * Reads the rules of a registry key; null where there is no such key. reg.exe ends with the same code for a key that is
 * not there and one that can't be read, and explains the difference in the language of Windows: the list of the key
 * above decides instead.
 * @throws PolicyProblem
 */
export async function readRegistryRules(key: string, run: RunTool): Promise<Record<string, unknown> | null> {
  try {
    if (!(await isListed(key, run))) return null;
    const printed = await query(key, run);
    if (printed === null) throw new PolicyProblem(unreadable);
    return parseKey(key, printed);
  } catch (cause) {
    throw cause instanceof PolicyProblem ? cause : new PolicyProblem(unreadable, { cause });
  }
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
    // The value without a name: Windows shows a word in parentheses, in its language.
    if (!/^\(.*\)$/.test(name)) rules.push([name, toValue(type, text)]);
  }
  return Object.fromEntries(rules);
}

/** Pure: a value of the registry; null, which no rule allows, for other types and for letters that reg.exe alters. */
function toValue(type: string | undefined, text: string): unknown {
  if (!/^[\x20-\x7e]*$/.test(text)) return null;
  if (type === 'REG_DWORD') return /^0x[\da-f]{1,8}$/i.test(text) ? Number(text) : null;
  if (type === 'REG_SZ' || type === 'REG_EXPAND_SZ') return text;
  return type === 'REG_MULTI_SZ' ? text.split(listSeparator).filter((part) => part !== '') : null;
}
