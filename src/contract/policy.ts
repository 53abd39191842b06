import { z } from 'zod';
import { exportFormats } from './export.ts';

interface RuleFacts<Value> {
  /** The first version of Claimdesk that has the rule; an older one opens nothing where it is set. */
  readonly since: '0.2' | '0.3';
  readonly title: string;
  /** The effect of the rule, for an administrator. */
  readonly text: string;
  readonly example: Value;
  /** The rule as a sentence in Settings. */
  readonly say: (value: Value) => string;
}

const rule = <Schema extends z.ZodType>(schema: Schema, facts: RuleFacts<z.infer<Schema>>) => ({
  schema,
  ...facts,
});

const addresses = z.array(
  z.url({ protocol: /^https?$/ }).describe('an address, such as https://claims.example.com'),
);

/** A folder of Windows, of a network, or below the root. Windows allows none of the excluded letters but the percent sign. */
const folder = z
  .string()
  .regex(/^(?:[A-Za-z]:\\|\\\\[^\\]|\/)[^%*?"<>|]*$/)
  .describe('the whole path of a folder, without variables');

const minutes = z.int().min(1).max(1440);

const listOf = (values: readonly string[]): string => values.join(', ') || 'none';
const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/**
 * The rules that an administrator can set for every profile of a computer. The check of the rules, Settings,
 * `docs/policy.md`, and the templates in `deploy/policy` are made of this table.
 */
export const policyRules = {
  allowedServices: rule(addresses, {
    since: '0.2',
    title: 'Allowed claims services',
    text: 'No other claims service is added, and no request to another one is signed. Records that are already here stay readable. Only scheme, host, and port count.',
    example: ['https://claims.example.com'],
    say: (value) => `Claims services: ${listOf(value)}.`,
  }),
  teamServers: rule(addresses, {
    since: '0.3',
    title: 'Allowed team servers',
    text: 'No workspace joins a team on another server, and no request to another one is signed. Only scheme, host, and port count.',
    example: ['https://team.example.com'],
    say: (value) => `Team servers: ${listOf(value)}.`,
  }),
  requireUnlockPassphrase: rule(z.boolean(), {
    since: '0.2',
    title: 'Require an unlock passphrase',
    text: 'If true, no workspace is added or joins a team, and no request is signed, until a passphrase is set. It can’t be removed.',
    example: true,
    say: (value) => `An unlock passphrase is ${value ? 'required' : 'optional'}.`,
  }),
  maxLockMinutes: rule(z.int().min(1).max(60), {
    since: '0.2',
    title: 'Longest time without activity before Claimdesk locks, in minutes',
    text: 'Claimdesk locks after this time or sooner. A longer time that was chosen before is shortened.',
    example: 5,
    say: (value) => `Locks after ${countOf(value, 'minute')} without activity, or sooner.`,
  }),
  allowSsnExport: rule(z.boolean(), {
    since: '0.2',
    title: 'Allow full Social Security numbers in exports',
    text: 'If false, exports and commands that list records have masked numbers only.',
    example: false,
    say: (value) => `Exports ${value ? 'can' : 'never'} have full Social Security numbers.`,
  }),
  requireExportReason: rule(z.boolean(), {
    since: '0.2',
    title: 'Require a reason for every export',
    text: 'If true, exports, printed lists, copied rows, and commands that list or show records need a reason, even if no column identifies anyone.',
    example: true,
    say: (value) =>
      value ? 'Every export needs a reason.' : 'Exports need a reason where they identify people.',
  }),
  exportFormats: rule(z.array(z.enum(exportFormats)), {
    since: '0.3',
    title: 'Allowed file types of exports',
    text: 'No list, run, statement, or letter is saved as another type of file. Printing and copying are not limited.',
    example: ['xlsx', 'pdf'],
    say: (value) => `Exports are saved as: ${listOf(value)}.`,
  }),
  exportFolders: rule(z.array(folder), {
    since: '0.3',
    title: 'Allowed folders for exports',
    text: 'Claimdesk saves files only in these folders and those below them, apart from SSH keys; the first one that exists is proposed. Symbolic links are followed first. What commands print can still be written to any file.',
    example: [String.raw`\\fileserver\claims`, '/srv/claims'],
    say: (value) => `Files are saved in: ${listOf(value)}.`,
  }),
  minAuditYears: rule(z.int().min(1).max(50), {
    since: '0.2',
    title: 'Shortest time that the audit log is kept, in years',
    text: 'Entries are kept this long or longer. A shorter time that was chosen before is extended.',
    example: 7,
    say: (value) => `The audit log is kept for at least ${countOf(value, 'year')}.`,
  }),
  backupFolder: rule(folder, {
    since: '0.3',
    title: 'Folder of backups elsewhere',
    text: 'Every profile backs up what was written in it to a separate folder below this one, once its user has a recovery code or a passphrase for backups. No other folder can be chosen.',
    example: '\\\\server\\claimdesk-backups',
    say: (value) => `Backups are made in ${value}.`,
  }),
  auditTarget: rule(
    z
      .url({ protocol: /^(https?|syslog\+tls)$/ })
      // Without a name or password; plain http on this computer alone.
      .regex(
        /^(https|syslog\+tls):\/\/[^@/?#]+([/?#]|$)|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/,
      )
      .describe('an address, such as syslog+tls://siem.example.com:6514'),
    {
      since: '0.3',
      title: 'Server that the audit log is sent to',
      text: 'Entries are sent as they come, without personal data: to an https address as JSON lines, or by syslog over TLS. Unsent entries are kept up to one year longer than others.',
      example: 'syslog+tls://siem.example.com:6514',
      say: (value) => `The audit log is sent to ${value}, without names.`,
    },
  ),
  minRefreshMinutes: rule(minutes, {
    since: '0.3',
    title: 'Shortest time between automatic refreshes, in minutes',
    text: 'Workspaces are refreshed automatically after this time or later, or never. Set the same value as the longest time for a fixed interval.',
    example: 30,
    say: (value) => `Refreshes automatically at most every ${countOf(value, 'minute')}.`,
  }),
  maxRefreshMinutes: rule(minutes, {
    since: '0.3',
    title: 'Longest time between automatic refreshes, in minutes',
    text: 'Workspaces are refreshed automatically after this time or sooner; it can’t be switched off. If the two disagree, this time is used.',
    example: 240,
    say: (value) => `Refreshes automatically at least every ${countOf(value, 'minute')}.`,
  }),
  allowSample: rule(z.boolean(), {
    since: '0.3',
    title: 'Allow sample data',
    text: 'If false, the window can’t open sample data. The commands demo and sandbox, which don’t use your profile, still run.',
    example: false,
    say: (value) => `Sample data ${value ? 'can' : 'can’t'} be opened.`,
  }),
  updateAddress: rule(z.url({ protocol: /^https$/ }).describe('an address that begins with https'), {
    since: '0.3',
    title: 'Address of updates',
    text: 'Copies that update themselves look for updates here instead of at their distributor’s address. Signatures are checked as before.',
    example: 'https://updates.example.com/claimdesk',
    say: (value) => `Updates come from ${value}.`,
  }),
  allowUpdates: rule(z.boolean(), {
    since: '0.2',
    title: 'Allow Claimdesk to update itself',
    text: 'If false, Claimdesk doesn’t look for updates, and the setting can’t be switched on.',
    example: false,
    say: (value) => `Claimdesk ${value ? 'can update' : 'doesn’t update'} itself.`,
  }),
} as const;

type PolicyRules = typeof policyRules;
export type PolicyRule = keyof PolicyRules;

/** Absent rules are not set. An unknown name is an error, so that a misspelled rule is not ignored. */
export const policySchema = z.strictObject(
  Object.fromEntries(Object.entries(policyRules).map(([name, { schema }]) => [name, schema.optional()])) as {
    [Name in PolicyRule]: z.ZodOptional<PolicyRules[Name]['schema']>;
  },
);
export type Policy = z.infer<typeof policySchema>;

/** Pure: the time between automatic refreshes that the policy allows and that is nearest to the chosen one; 0: never. */
export function limitRefresh(
  chosen: number,
  { minRefreshMinutes: min, maxRefreshMinutes: max }: Policy,
): number {
  const raised = chosen === 0 ? 0 : Math.max(chosen, min ?? chosen);
  return max === undefined || (raised !== 0 && raised <= max) ? raised : max;
}

/** Where rules can be set, in the order in which they count: the first that has a rule decides on it. */
export const policySources = {
  computerRegistry: 'the registry of this computer',
  userRegistry: 'the registry of this user',
  userPreferences: 'the managed preferences of this user',
  computerPreferences: 'the managed preferences of this computer',
  file: 'the policy file of this computer',
} as const;
export type PolicySource = keyof typeof policySources;

export const policySourcesSchema = z.partialRecord(
  z.enum(Object.keys(policyRules) as [PolicyRule, ...PolicyRule[]]),
  z.enum(Object.keys(policySources) as [PolicySource, ...PolicySource[]]),
);

/** Each rule that is set, as a sentence, with where it was set; in the order of the table. */
export function describePolicy(
  policy: Policy,
  sources: z.infer<typeof policySourcesSchema>,
): { readonly rule: PolicyRule; readonly sentence: string; readonly source: string | null }[] {
  return (Object.keys(policyRules) as PolicyRule[])
    .filter((name) => policy[name] !== undefined)
    .map((name) => {
      const say = policyRules[name].say as (value: unknown) => string;
      const source = sources[name];
      return {
        rule: name,
        sentence: say(policy[name]),
        source: source === undefined ? null : policySources[source],
      };
    });
}
