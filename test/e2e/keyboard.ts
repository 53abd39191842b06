import { expect, type Locator, type Page } from '@playwright/test';
import type { App } from './app.ts';
import { expectSettings } from './steps.ts';

const maxTabs = 90;

/** Goes to a control by Tab, as someone without a mouse does; what cannot be reached so fails. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible();
  for (let pressed = 0; pressed < maxTabs; pressed += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Not reached within ${maxTabs} presses of Tab: ${control}`);
}

/** Goes to a button, a link or a box, and uses it; to one that is greyed there is no way by Tab. */
export async function pressOn(page: Page, control: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await expect(control).toBeEnabled();
  await tabTo(page, control);
  await page.keyboard.press(key);
}

/** Goes to a field and types into it what stands there from then on. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
  await expect(field).toHaveValue(text);
}

/** Pastes into a field what another program copied; Electron's clipboard is not the page's, so there it is put in. */
export async function pasteInto({ page, isElectron }: App, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  if (isElectron) {
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(text);
    return;
  }
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press('ControlOrMeta+v');
}

/** Chooses in a list that opens: down to the option, and Enter. */
export async function chooseIn(page: Page, box: Locator, option: string): Promise<void> {
  await tabTo(page, box);
  await page.keyboard.press('Enter');
  const wanted = page.getByRole('option', { name: option });
  await expect(wanted).toBeVisible();
  for (let pressed = 0; pressed < maxTabs; pressed += 1) {
    if ((await wanted.getAttribute('data-combobox-selected')) !== null) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await expect(wanted).toBeHidden();
}

/** Chooses in a list that is searched: its name, and Enter on the first that matches. */
export async function chooseByTyping(page: Page, box: Locator, option: string): Promise<void> {
  await tabTo(page, box);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(option);
  // The first option that matches is chosen by Enter once it is marked, a moment after it is on screen.
  await expect(page.getByRole('option', { name: option }).first()).toHaveAttribute(
    'data-combobox-selected',
    'true',
  );
  await page.keyboard.press('Enter');
  await expect(box).toHaveValue(new RegExp(option.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
}

/** Returns what the palette offers for a text. */
export async function findInPalette(page: Page, text: string): Promise<Locator> {
  await page.keyboard.press('ControlOrMeta+k');
  const palette = page.getByRole('dialog', { name: 'Search or jump to' });
  await expect(palette.getByRole('textbox', { name: 'Search or jump to' })).toBeFocused();
  await page.keyboard.type(text);
  return palette.getByRole('button');
}

/** Goes somewhere by its name, from anywhere: Enter takes the first row. */
export async function goByName(page: Page, name: string): Promise<void> {
  const offered = await findInPalette(page, name);
  await expect(offered.first()).toContainText(name);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const [, section] = /^Settings: (.*)$/.exec(name) ?? [];
  if (section !== undefined) await expectSettings(page, section);
}
