import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Parser } from 'saxen';
import { expect, test } from 'vitest';
import { policyRules } from '../../src/contract/policy.ts';

const pathTo = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url));
const names = Object.keys(policyRules);

interface XmlNode {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlNode[];
  text: string;
}

/** Parses a file strictly: an error or a warning of the parser fails the test. */
function parseXml(file: string): XmlNode {
  const rootNode: XmlNode = { tag: '', attributes: {}, children: [], text: '' };
  const open = [rootNode];
  const fail = (error: Error): void => {
    throw error;
  };
  const parser = new Parser();
  parser.on('openTag', (tag, getAttributes, decode) => {
    const attributes = Object.fromEntries(
      Object.entries(getAttributes()).map(([name, value]) => [name, decode(String(value))]),
    );
    const node: XmlNode = { tag, attributes, children: [], text: '' };
    open.at(-1)?.children.push(node);
    open.push(node);
  });
  parser.on('text', (value, decode) => {
    const node = open.at(-1);
    if (node !== undefined) node.text += decode(value);
  });
  parser.on('closeTag', () => void open.pop());
  parser.on('error', fail);
  parser.on('warn', fail);
  parser.parse(readFileSync(pathTo(file), 'utf8'));
  expect(open).toEqual([rootNode]);
  return rootNode;
}

const findAll = (node: XmlNode, tag: string): XmlNode[] =>
  node.children.flatMap((child) => [...(child.tag === tag ? [child] : []), ...findAll(child, tag)]);
const idsOf = (node: XmlNode, tag: string): string[] =>
  findAll(node, tag).map(({ attributes }) => attributes.id ?? attributes.name ?? '');

test('the page of rules and the templates are what the table makes', () => {
  const script = pathTo('scripts/write-policy-docs.ts');
  expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8', stdio: 'pipe' })).toBe('');
});

test('the ADMX has each rule once, and names only texts, boxes, versions and categories that exist', () => {
  const admx = parseXml('deploy/policy/claimdesk.admx');
  const adml = parseXml('deploy/policy/en-US/claimdesk.adml');
  const policies = findAll(admx, 'policy');
  expect(policies.map(({ attributes }) => attributes.name)).toEqual(names);
  const strings = idsOf(adml, 'string');
  expect(new Set(strings).size).toBe(strings.length);
  const presentations = new Map(findAll(adml, 'presentation').map((node) => [node.attributes.id, node]));
  const references = [
    ...readFileSync(pathTo('deploy/policy/claimdesk.admx'), 'utf8').matchAll(/\$\((\w+)\.(\w+)\)/g),
  ];
  expect(references.length).toBeGreaterThan(2 * names.length);
  for (const [, kind, id] of references)
    expect(kind === 'string' ? strings : [...presentations.keys()]).toContain(id);
  expect(strings.toSorted()).toEqual(
    [...new Set(references.flatMap(([, kind, id]) => (kind === 'string' ? [id] : [])))].toSorted(),
  );
  for (const policy of policies) {
    expect(idsOf(admx, 'category')).toContain(findAll(policy, 'parentCategory')[0]?.attributes.ref);
    expect(idsOf(admx, 'definition')).toContain(findAll(policy, 'supportedOn')[0]?.attributes.ref);
    const [element] = findAll(policy, 'elements').flatMap(({ children }) => children);
    const { name, valueName, presentation } = policy.attributes;
    expect(element?.attributes.valueName ?? valueName).toBe(name);
    if (element === undefined) continue;
    expect(presentation).toBe(`$(presentation.${name})`);
    const boxes = presentations.get(name)?.children.filter(({ attributes }) => 'refId' in attributes);
    expect(boxes?.map(({ attributes }) => attributes.refId)).toEqual([element.attributes.id]);
  }
});

/** A property list's value. */
function readPlist({ tag, children, text }: XmlNode): unknown {
  if (tag === 'true' || tag === 'false') return tag === 'true';
  if (tag === 'integer') return Number(text);
  if (tag === 'string' || tag === 'key') return text;
  if (tag === 'array') return children.map(readPlist);
  expect(tag).toBe('dict');
  return Object.fromEntries(
    children.flatMap((child, index) => {
      if (index % 2 === 1) return [];
      expect(child.tag).toBe('key');
      return [[child.text, readPlist(children[index + 1] as XmlNode)]];
    }),
  );
}

test('the profile for Macs is a property list with the example of each rule', () => {
  const [plist] = findAll(parseXml('deploy/policy/claimdesk.mobileconfig'), 'plist');
  const profile = readPlist(plist?.children[0] as XmlNode);
  const examples = Object.fromEntries(
    Object.entries(policyRules).map(([name, { example }]) => [name, example]),
  );
  expect(profile).toMatchObject({
    PayloadType: 'Configuration',
    PayloadContent: [
      {
        PayloadType: 'com.apple.ManagedClient.preferences',
        PayloadContent: { 'com.claimdesk.app': { Forced: [{ mcx_preference_settings: examples }] } },
      },
    ],
  });
});
