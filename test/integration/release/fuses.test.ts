import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { givenTempProfile } from '../../support/temp-profile.ts';

const script: string = new URL('../../../scripts/electron-fuses.mjs', import.meta.url).href;
const { flipAndReadFuses, readFuses, wantedFuses } = (await import(script)) as {
  wantedFuses: Record<string, boolean>;
  readFuses: (path: string) => Promise<Record<string, boolean>>;
  flipAndReadFuses: (path: string) => Promise<Record<string, boolean>>;
};
const folder = givenTempProfile();

/** A program with fuses as Electron has them in its own: a mark, version 1, their number, and a byte each. */
async function givenProgram(fuses: string): Promise<string> {
  const path = join(folder(), 'claimdesk');
  const mark = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
  const wire = Buffer.concat([Buffer.from(mark), Buffer.from([1, fuses.length]), Buffer.from(fuses)]);
  await writeFile(path, Buffer.concat([Buffer.alloc(5000, 7), wire, Buffer.alloc(500, 7)]));
  return path;
}

test('every fuse is flipped and read back', async () => {
  const path = await givenProgram('101100011');
  await expect(readFuses(path)).rejects.toThrow(/RunAsNode, EnableCookieEncryption/);
  expect(await flipAndReadFuses(path)).toEqual(wantedFuses);
  expect(wantedFuses).toEqual({
    RunAsNode: false,
    EnableCookieEncryption: true,
    EnableNodeOptionsEnvironmentVariable: false,
    EnableNodeCliInspectArguments: false,
    EnableEmbeddedAsarIntegrityValidation: true,
    OnlyLoadAppFromAsar: true,
    LoadBrowserProcessSpecificV8Snapshot: false,
    GrantFileProtocolExtraPrivileges: false,
    WasmTrapHandlers: true,
  });
});

test('a fuse that Electron has and nobody decided on is an error', async () => {
  const path = await givenProgram('1011000110');
  await expect(flipAndReadFuses(path)).rejects.toThrow(/strictlyRequireAllFuses/);
});
