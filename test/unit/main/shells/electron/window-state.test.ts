import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  chooseWindowState,
  readWindowState,
  writeWindowState,
} from '../../../../../src/main/shells/electron/window-state.ts';
import { givenTempProfile } from '../../../../support/temp-profile.ts';

const folder = givenTempProfile();
const screenArea = { x: 0, y: 0, width: 1920, height: 1080 };
const stored = { bounds: { x: 100, y: 100, width: 1300, height: 900 }, isMaximized: true };

test('the first time it is 1280 × 800, wherever the system puts it', () => {
  expect(chooseWindowState(null, [screenArea])).toEqual({
    bounds: { width: 1280, height: 800 },
    isMaximized: false,
  });
});

test('it opens where it was', () => {
  expect(chooseWindowState(stored, [screenArea])).toEqual(stored);
});

test.each([
  ['on a screen that is gone', { x: 2500, y: 100, width: 1300, height: 900 }],
  ['with its title bar above the screen', { x: 100, y: -50, width: 1300, height: 900 }],
  ['but for a strip', { x: 1800, y: 100, width: 1300, height: 900 }],
  ['under the screen', { x: 100, y: 1050, width: 1300, height: 900 }],
])('not where it was %s', (_name, bounds) => {
  expect(chooseWindowState({ bounds, isMaximized: false }, [screenArea]).bounds).toEqual({
    width: 1300,
    height: 900,
  });
});

test('on a second screen, and never below its minimum size', () => {
  const second = { x: -1920, y: 0, width: 1920, height: 1080 };
  const bounds = { x: -1900, y: 10, width: 300, height: 200 };
  expect(chooseWindowState({ bounds, isMaximized: false }, [screenArea, second]).bounds).toEqual({
    x: -1900,
    y: 10,
    width: 900,
    height: 600,
  });
});

test('the stored state is read back; anything else counts as nothing', async () => {
  const path = join(folder(), 'window.json');
  expect(readWindowState(path)).toBeNull();
  await writeWindowState(path, stored);
  expect(readWindowState(path)).toEqual(stored);
  await writeFile(path, '{"bounds":{"x":"1"}}');
  expect(readWindowState(path)).toBeNull();
  await mkdir(join(folder(), 'folder'));
  await expect(writeWindowState(join(folder(), 'folder'), stored)).resolves.toBeUndefined();
});
