import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Schema, Validator } from '@cfworker/json-schema';
import { expect, test } from 'vitest';

const script: string = new URL('../../../electron-builder.config.mjs', import.meta.url).href;
const { default: config } = (await import(script)) as { default: Record<string, unknown> };

test('the configuration of the packager is what it takes, and its protections are on', () => {
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
    mac: { hardenedRuntime: true },
    nsis: { perMachine: false, allowElevation: false },
    linux: { target: ['AppImage', 'deb'] },
  });
  expect(rest).not.toHaveProperty('disableAsarIntegrity');
});
