import { userInfo } from 'node:os';
import { posix } from 'node:path';
import { type core, z } from 'zod';
import {
  type Policy,
  type PolicyRule,
  type PolicySource,
  policyRules,
  policySchema,
} from '../../contract/policy.ts';
import { DeskError } from './errors.ts';
import {
  PolicyProblem,
  parseRulesFile,
  policyFilePath,
  readRulesFile,
  type SystemUser,
  thisUser,
} from './policy-file.ts';
import { readRegistryRules, runScript } from './policy-registry.ts';
import { type RunTool, runTool } from './run-tool.ts';

/** The rules of this computer, and where each was set. */
export interface FoundPolicy {
  readonly rules: Policy;
  readonly sources: Readonly<Partial<Record<PolicyRule, PolicySource>>>;
  /** Whether there is a policy file that doesn't count, because anyone could have written it. */
  readonly isPolicyFileIgnored: boolean;
}

/** What reading the rules needs of a computer; tests replace it. */
export interface PolicyComputer {
  readonly platform: NodeJS.Platform;
  readonly userName: string;
  readonly person: SystemUser | null;
  readonly run: RunTool;
  readonly readFile: typeof readRulesFile;
}

const thisComputer = (): PolicyComputer => ({
  platform: process.platform,
  userName: userInfo().username,
  person: thisUser(),
  run: runTool,
  readFile: readRulesFile,
});

interface Location {
  readonly source: PolicySource;
  readonly path: string;
  /** The rules, not yet checked; undefined where there are none. @throws PolicyProblem */
  readonly read: () => Promise<unknown>;
}

/**
 * Reads the rules from every location of this computer: of each rule, the first location that has it decides. `file` is
 * read instead of all of them, in tests.
 * @throws DeskError `policy.damaged` with `path`, the location, and `problem`, a sentence that names the rule, where any
 *   location can't be read, has a rule or a value that doesn't exist, or could have been written by this user
 */
export async function readPolicy(
  file?: string,
  computer: PolicyComputer = thisComputer(),
): Promise<FoundPolicy> {
  let isPolicyFileIgnored = false;
  const ignoreFile = (): void => {
    isPolicyFileIgnored = true;
  };
  const locations =
    file === undefined ? locationsOf(computer, ignoreFile) : [fileAt(file, { ...computer, person: null })];
  const policies = await Promise.all(locations.map(readLocation));
  const rules: Record<string, unknown> = {};
  const sources: Partial<Record<PolicyRule, PolicySource>> = {};
  for (const [index, { source }] of locations.entries())
    for (const [name, value] of Object.entries(policies[index] ?? {})) {
      if (Object.hasOwn(rules, name)) continue;
      rules[name] = value;
      sources[name as PolicyRule] = source;
    }
  return { rules: rules as Policy, sources, isPolicyFileIgnored };
}

/** The locations of a system in the order in which they count. */
function locationsOf(computer: PolicyComputer, ignoreFile: () => void): Location[] {
  const { platform, userName } = computer;
  const file = fileAt(policyFilePath(platform), computer);
  if (platform === 'win32')
    return [
      registryAt('computerRegistry', 'HKEY_LOCAL_MACHINE', computer),
      registryAt('userRegistry', 'HKEY_CURRENT_USER', computer),
      onlyOwned(file, computer, ignoreFile),
    ];
  if (platform === 'darwin')
    return [
      preferencesAt('userPreferences', userName, computer),
      preferencesAt('computerPreferences', '', computer),
      file,
    ];
  return [file];
}

function fileAt(path: string, { readFile, person }: PolicyComputer): Location {
  return {
    source: 'file',
    path,
    async read() {
      const bytes = readFile(path, person);
      return bytes === null ? undefined : parseRulesFile(bytes);
    },
  };
}

/** Administrators, SYSTEM, and Windows itself (TrustedInstaller), as owners in the text of a security descriptor. */
const administrators = /^O:(BA|SY|S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464)G:/;

/**
 * A file on Windows, which counts only where an administrator is its owner: every user can make one in ProgramData, also one
 * that can't be read. Where its owner can't be asked for at all, it is damaged.
 */
function onlyOwned(file: Location, { run }: PolicyComputer, ignore: () => void): Location {
  const script = `(Get-Acl -LiteralPath '${file.path}').Sddl`;
  return {
    ...file,
    async read() {
      const reading = file.read();
      if ((await reading.catch(() => null)) === undefined) return undefined;
      const owner = await runScript(script, run).catch((cause: unknown) => {
        throw new PolicyProblem('The file’s owner can’t be read by Windows PowerShell.', { cause });
      });
      if (administrators.test(owner?.toString() ?? '')) return reading;
      return ignore();
    },
  };
}

function registryAt(source: PolicySource, hive: string, { run }: PolicyComputer): Location {
  const path = String.raw`${hive}\Software\Policies\Claimdesk`;
  return {
    source,
    path,
    async read() {
      const values = await readRegistryRules(path, run);
      return values === null ? undefined : toBooleans(values);
    },
  };
}

/** The registry has no booleans: 0 and 1 are those of a rule that is one. */
const toBooleans = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const isBoolean = policyRules[name as PolicyRule]?.schema instanceof z.ZodBoolean;
      return [name, isBoolean && (value === 0 || value === 1) ? value === 1 : value];
    }),
  );

function preferencesAt(
  source: PolicySource,
  folder: string,
  { readFile, person, run }: PolicyComputer,
): Location {
  const path = posix.join('/Library/Managed Preferences', folder, 'com.claimdesk.app.plist');
  return {
    source,
    path,
    async read() {
      const bytes = readFile(path, person);
      if (bytes === null) return undefined;
      try {
        const printed = await run('/usr/bin/plutil', ['-convert', 'json', '-o', '-', '-'], bytes);
        const values = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(printed ?? Buffer.of()));
        return withoutPayloadKeys(values);
      } catch (cause) {
        throw new PolicyProblem('The preferences can’t be read.', { cause });
      }
    },
  };
}

/** Some servers that manage Macs add the profile's own keys (`PayloadUUID`) to the preferences. */
const withoutPayloadKeys = (values: unknown): unknown =>
  values === null || typeof values !== 'object' || Array.isArray(values)
    ? values
    : Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith('Payload')));

async function readLocation({ path, read }: Location): Promise<Policy | null> {
  const damaged = (problem: string, cause: unknown): DeskError =>
    new DeskError('policy.damaged', { details: { path, problem }, cause });
  const values = await read().catch((cause: unknown) => {
    if (cause instanceof PolicyProblem) throw damaged(cause.message, cause);
    throw cause;
  });
  if (values === undefined) return null;
  const parsed = policySchema.safeParse(values);
  if (!parsed.success) throw damaged(describeIssue(parsed.error.issues[0]), parsed.error);
  return parsed.data;
}

function describeIssue(issue: core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys') return `There is no rule named “${issue.keys[0]}”.`;
  const [name] = issue?.path ?? [];
  return name === undefined ? 'There are no rules in it.' : `The value of “${String(name)}” isn’t valid.`;
}
