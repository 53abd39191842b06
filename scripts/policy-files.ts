import { z } from 'zod';
import { type PolicyRule, policyRules, policySchema, policySources } from '../src/contract/policy.ts';

const madeFrom = 'Made from `src/contract/policy.ts` by `npm run docs`.';
const registryKey = String.raw`Software\Policies\Claimdesk`;
const preferenceDomain = 'com.claimdesk.app';

/** The part of JSON Schema that the values of rules use. */
interface ValueSchema {
  readonly type: 'boolean' | 'integer' | 'string' | 'array';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: ValueSchema;
}

const jsonSchema = z.toJSONSchema(policySchema) as { properties: Record<PolicyRule, ValueSchema> };
const rules = (Object.keys(policyRules) as PolicyRule[]).map((name) => ({
  ...policyRules[name],
  name,
  value: jsonSchema.properties[name],
}));
const versions = [...new Set(rules.map(({ since }) => since))].sort();

const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (letter) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[letter]};`);

/** The values that a rule can have, for people. */
function describeValue({ type, minimum, maximum, description, enum: choices, items }: ValueSchema): string {
  if (type === 'boolean') return 'true or false';
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`;
  if (type === 'array' && items !== undefined) return `a list; each is ${describeValue(items)}`;
  return choices === undefined ? (description ?? 'text') : `one of ${choices.join(', ')}`;
}

const explain = ({ text, value, since }: (typeof rules)[number]): string =>
  `${text} Value: ${describeValue(value)}. Since Claimdesk ${since}.`;

/** How the registry has the values of each type, and which box an administrator types them into. */
const elements: Readonly<
  Record<Exclude<ValueSchema['type'], 'boolean'>, { element: (value: ValueSchema) => string; box: string }>
> = {
  integer: {
    element: ({ minimum, maximum }) => `decimal required="true" minValue="${minimum}" maxValue="${maximum}"`,
    box: 'decimalTextBox',
  },
  string: { element: () => 'text required="true"', box: 'textBox' },
  array: { element: () => 'multiText', box: 'multiTextBox' },
};

function makeAdmx(): string {
  const policies = rules.map(({ name, since, value }) => {
    const isFlag = value.type === 'boolean';
    const named = isFlag ? `valueName="${name}"` : `presentation="$(presentation.${name})"`;
    const inside = isFlag
      ? `      <enabledValue><decimal value="1" /></enabledValue>
      <disabledValue><decimal value="0" /></disabledValue>`
      : `      <elements>
        <${elements[value.type].element(value)} id="${name}" valueName="${name}" />
      </elements>`;
    return `    <policy name="${name}" class="Both" displayName="$(string.${name})" explainText="$(string.${name}_text)" key="${registryKey}" ${named}>
      <parentCategory ref="claimdesk" />
      <supportedOn ref="since_${since.replace('.', '_')}" />
${inside}
    </policy>`;
  });
  const definitions = versions.map((version) => {
    const id = `since_${version.replace('.', '_')}`;
    return `      <definition name="${id}" displayName="$(string.${id})" />`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<!-- ${madeFrom} -->
<policyDefinitions xmlns="http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions" revision="1.0" schemaVersion="1.0">
  <policyNamespaces>
    <target prefix="claimdesk" namespace="Claimdesk.Policies" />
  </policyNamespaces>
  <resources minRequiredRevision="1.0" />
  <supportedOn>
    <definitions>
${definitions.join('\n')}
    </definitions>
  </supportedOn>
  <categories>
    <category name="claimdesk" displayName="$(string.claimdesk)" />
  </categories>
  <policies>
${policies.join('\n')}
  </policies>
</policyDefinitions>
`;
}

function makeAdml(): string {
  const strings = [
    ['claimdesk', 'Claimdesk'] as const,
    ...versions.map(
      (version) => [`since_${version.replace('.', '_')}`, `At least Claimdesk ${version}`] as const,
    ),
    ...rules.flatMap((one) => [[one.name, one.title] as const, [`${one.name}_text`, explain(one)] as const]),
  ].map(([id, text]) => `      <string id="${id}">${escapeXml(text)}</string>`);
  const presentations = rules.flatMap(({ name, title, value }) => {
    if (value.type === 'boolean') return [];
    const { box } = elements[value.type];
    const label = escapeXml(title);
    const inside = {
      decimalTextBox: `<decimalTextBox refId="${name}">${label}</decimalTextBox>`,
      textBox: `<textBox refId="${name}"><label>${label}</label></textBox>`,
      multiTextBox: `<text>One a line</text><multiTextBox refId="${name}" />`,
    }[box];
    return [`      <presentation id="${name}">${inside}</presentation>`];
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<!-- ${madeFrom} -->
<policyDefinitionResources xmlns="http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions" revision="1.0" schemaVersion="1.0">
  <displayName>Claimdesk</displayName>
  <description>Rules for Claimdesk</description>
  <resources>
    <stringTable>
${strings.join('\n')}
    </stringTable>
    <presentationTable>
${presentations.join('\n')}
    </presentationTable>
  </resources>
</policyDefinitionResources>
`;
}

function toPlist(value: unknown): string {
  if (typeof value === 'boolean') return `<${value} />`;
  if (typeof value === 'number') return `<integer>${value}</integer>`;
  if (Array.isArray(value)) return `<array>${value.map(toPlist).join('')}</array>`;
  return `<string>${escapeXml(String(value))}</string>`;
}

function makeMobileconfig(): string {
  const settings = rules.map(
    (one) => `                  <!-- ${escapeXml(one.title)}. ${escapeXml(explain(one))} -->
                  <key>${one.name}</key>
                  ${toPlist(one.example)}`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${madeFrom} Every rule is in it, with an example: delete those that you don’t set, and give the two payloads UUIDs of your own. -->
<plist version="1.0">
<dict>
  <key>PayloadType</key>
  <string>Configuration</string>
  <key>PayloadVersion</key>
  <integer>1</integer>
  <key>PayloadScope</key>
  <string>System</string>
  <key>PayloadIdentifier</key>
  <string>${preferenceDomain}.policy</string>
  <key>PayloadUUID</key>
  <string>6F0C1B52-3C5B-4E0F-9B0E-2C1D7A9E4A10</string>
  <key>PayloadDisplayName</key>
  <string>Claimdesk</string>
  <key>PayloadContent</key>
  <array>
    <dict>
      <key>PayloadType</key>
      <string>com.apple.ManagedClient.preferences</string>
      <key>PayloadVersion</key>
      <integer>1</integer>
      <key>PayloadIdentifier</key>
      <string>${preferenceDomain}.policy.rules</string>
      <key>PayloadUUID</key>
      <string>6F0C1B52-3C5B-4E0F-9B0E-2C1D7A9E4A11</string>
      <key>PayloadContent</key>
      <dict>
        <key>${preferenceDomain}</key>
        <dict>
          <key>Forced</key>
          <array>
            <dict>
              <key>mcx_preference_settings</key>
              <dict>
${settings.join('\n')}
              </dict>
            </dict>
          </array>
        </dict>
      </dict>
    </dict>
  </array>
</dict>
</plist>
`;
}

function makePage(): string {
  const rows = rules.map(
    ({ name, title, text, value, since }) =>
      `| \`${name}\` | ${title}. ${text} | ${describeValue(value)} | ${since} |`,
  );
  const example = Object.fromEntries(rules.map(({ name, example: shown }) => [name, shown]));
  const order = Object.values(policySources).map((source) => `- ${source}`);
  return `# Rules of an organization

${madeFrom}

An administrator can set rules for everyone who uses Claimdesk on a computer. Each is enforced where the data is, in
main or the engine, for the window and for the command line; the window also says *Set by your IT*. Settings, Security
names each rule and where it was set. The rules do not apply to other programs on the computer.

## Where rules are set

| System | Locations, in order |
|---|---|
| Windows | \`HKEY_LOCAL_MACHINE\\${registryKey}\`, \`HKEY_CURRENT_USER\\${registryKey}\`, \`C:\\ProgramData\\Claimdesk\\policy.json\` |
| macOS | \`/Library/Managed Preferences/USER/${preferenceDomain}.plist\`, \`/Library/Managed Preferences/${preferenceDomain}.plist\`, \`/Library/Application Support/Claimdesk/policy.json\` |
| Linux | \`/etc/claimdesk/policy.json\` |

**Of each rule, the first location in this order that has it decides; the others' value of that rule is ignored.** Lists
are not merged. Settings calls the locations:

${order.join('\n')}

Every shell reads all locations at its start, before it opens the profile; a change counts from the next start. A
location that can't be read, or has a rule or a value that Claimdesk doesn't know, is \`policy.damaged\`: nothing opens
until it is corrected, also where another location decides on that rule. The message names the location and the rule. So
set a rule only when every computer has at least the version in the last column.

## Rules

Rules that are left out are not set.

| Rule | What it does | Value | Since |
|---|---|---|---|
${rows.join('\n')}

## Windows

Copy \`deploy/policy/claimdesk.admx\` and \`deploy/policy/en-US/claimdesk.adml\` to the central store
(\`\\\\DOMAIN\\SYSVOL\\DOMAIN\\Policies\\PolicyDefinitions\`) or to \`C:\\Windows\\PolicyDefinitions\`. The rules are in
*Administrative Templates*, *Claimdesk*, for computers and for users. By hand or with other tools: true and false are
the REG_DWORD 1 and 0, a number is a REG_DWORD, a text is a REG_SZ, and a list is a REG_MULTI_SZ. Variables such as
\`%USERNAME%\` are not replaced. Texts of the registry have plain ASCII letters; one with others belongs in the file,
because \`reg.exe\`, by which Claimdesk reads the registry, alters them. It is started as
\`C:\\Windows\\System32\\reg.exe\`, wherever variables say that Windows is. Users can't write to the two keys as Windows
sets them up. Where IT prevents access to registry editing tools, Windows refuses \`reg.exe\` every key; Windows
PowerShell then reads them by fixed scripts, so leave users able to run one of the two. The file counts only where its
owner is Administrators, SYSTEM, or TrustedInstaller, which PowerShell reads as well; any other one is ignored, and a
notice names it. Let others only read it and its folder: that isn't checked.

## macOS

\`deploy/policy/claimdesk.mobileconfig\` has every rule with an example: delete those that you don't set, and install it
by your management server, for a computer or for users. The preferences and the file count as damaged if the person who
starts Claimdesk can change them or their folder. They are read by \`/usr/bin/plutil\`.

## The file, on every system

UTF-8, or UTF-16 with a byte order mark. On Linux and macOS it counts as damaged if the person who starts Claimdesk can
change it or its folder. \`deploy/policy/policy.schema.json\` is its JSON Schema.

\`\`\`json
${JSON.stringify(example, null, 2)}
\`\`\`

## What was never run

The readers of the registry, of owners, and of managed preferences are tested with outputs of \`reg.exe\`, PowerShell, and
\`plutil\` that were written after the documentation of these programs (\`test/unit/main/lib/read-policy.test.ts\`), not on Windows or macOS.
The ADMX was never loaded in a Group Policy editor, and the profile was never installed on a Mac. Try both on one computer
first: Settings, Security names what arrived.
`;
}

/** The text of each file that is made of the table of rules, by its path. */
export const makePolicyFiles = (): Readonly<Record<string, string>> => ({
  'docs/policy.md': makePage(),
  'deploy/policy/claimdesk.admx': makeAdmx(),
  'deploy/policy/en-US/claimdesk.adml': makeAdml(),
  'deploy/policy/claimdesk.mobileconfig': makeMobileconfig(),
  'deploy/policy/policy.schema.json': `${JSON.stringify(jsonSchema, null, 2)}\n`,
});
