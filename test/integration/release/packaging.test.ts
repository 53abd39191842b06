import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Schema, Validator } from '@cfworker/json-schema';
import { expect, test } from 'vitest';

const script: string = new URL('../../../electron-builder.config.mjs', import.meta.url).href;
const { default: config } = (await import(script)) as { default: Record<string, unknown> };

const root = fileURLToPath(new URL('../../..', import.meta.url));
const app = 'packaging/entitlements.mac.plist';
const helpers = 'packaging/entitlements.mac.inherit.plist';

test.each([app, helpers])('%s entitles to compiling at run time and nothing else', (path) => {
  const text = readFileSync(join(root, path), 'utf8');
  const entries = [...text.matchAll(/<key>([^<]+)<\/key>\s*<(\w+)\/>/g)].map(([, key, value]) => [
    key,
    value,
  ]);
  expect(entries).toEqual([['com.apple.security.cs.allow-jit', 'true']]);
  expect(text.match(/<key>/g)).toHaveLength(1);
});

test('the icon is large enough for every system, and small in bytes', () => {
  const { buildResources } = config.directories as { buildResources: string };
  const png = readFileSync(join(root, buildResources, 'icon.png'));
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1024, 1024]);
  expect(png.length).toBeLessThan(60_000);
});

test('a Debian package has all required fields, even outside a clone', async () => {
  const require = createRequire(createRequire(import.meta.url).resolve('electron-builder'));
  const { default: FpmTarget } = require('app-builder-lib/out/targets/FpmTarget') as {
    default: { prototype: { computeFpmMetaInfoOptions: () => Promise<Record<string, string>> } };
  };
  const { AppInfo } = require('app-builder-lib/out/appInfo') as {
    AppInfo: { prototype: { computePackageUrl: () => Promise<string> } };
  };
  const metadata = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
  const info = { metadata, repositoryInfo: null };
  const appInfo = {
    linuxPackageName: 'claimdesk',
    computePackageUrl: () => AppInfo.prototype.computePackageUrl.call({ info, notNullDevMetadata: {} }),
  };
  const target = { packager: { appInfo, info: { ...info, appInfo } }, options: config.linux };
  const said = await FpmTarget.prototype.computeFpmMetaInfoOptions.call(target);
  expect(said).toMatchObject({
    name: 'claimdesk',
    url: metadata.homepage,
    maintainer: expect.stringMatching(/^[\w ]+ <[^@ ]+@[^@ ]+>$/),
  });
});

test.each([
  ['', false],
  ['file:///certificate.p12', true],
])('with the certificate %j, an unsigned package is refused: %s', (certificate, isRefused) => {
  const program = `import config from '${script}'; process.stdout.write(String(config.forceCodeSigning));`;
  const env = { ...process.env, CSC_LINK: certificate };
  const args = ['--input-type=module', '--eval', program];
  expect(execFileSync(process.execPath, args, { env, encoding: 'utf8' })).toBe(String(isRefused));
});

test('the packager’s configuration is valid, and its protections are on', () => {
  const packager = createRequire(import.meta.resolve('electron-builder'));
  const schema = JSON.parse(readFileSync(packager.resolve('app-builder-lib/scheme.json'), 'utf8')) as Schema;
  // A function is no JSON.
  const { afterPack, ...rest } = config;
  expect(afterPack).toBeTypeOf('function');
  const { valid, errors } = new Validator(schema, '7').validate(rest);
  expect(errors.slice(-1)).toEqual([]);
  expect(valid).toBe(true);
  expect(rest).toMatchObject({
    asar: true,
    mac: { hardenedRuntime: true, entitlements: app, entitlementsInherit: helpers },
    // For one account, without a question, and the profiles stay.
    nsis: { oneClick: true, perMachine: false, allowElevation: false, deleteAppDataOnUninstall: false },
    // For all accounts; nothing is started at the end, and a version replaces the one before.
    msi: { perMachine: true, runAfterFinish: false, upgradeCode: 'EBD9C660-0E73-443C-B6F6-1B8588D44F1C' },
    pkg: { isRelocatable: false, allowAnywhere: false, allowCurrentUserHome: false },
    linux: { target: ['AppImage', 'deb', 'rpm'] },
  });
  const targets = [rest.win, rest.mac].map((one) => (one as { target: { target: string }[] }).target);
  expect(targets.map((one) => one.map(({ target }) => target))).toEqual([
    ['nsis', 'msi'],
    ['dmg', 'pkg', 'zip'],
  ]);
  // The keychain's library has other names where packages are of another kind.
  expect((rest.rpm as { depends: string[] }).depends.join()).toContain('libsecret');
  expect(readFileSync(join(root, 'packaging/after-remove.tpl'), 'utf8')).toContain('[ "$1" = 1 ] && exit 0');
  expect(rest).not.toHaveProperty('disableAsarIntegrity');
});
