import { expect, type Locator, type Page } from '@playwright/test';
import type { App } from './app.ts';

const mostTabs = 90;

/** Goes to a control by Tab, as someone without a mouse does; what cannot be reached so fails. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible();
  for (let pressed = 0; pressed < mostTabs; pressed += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Not reached within ${mostTabs} presses of Tab: ${control}`);
}

/** Goes to a button, a link or a box, and uses it. */
export async function pressOn(page: Page, control: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press(key);
}

/** Goes to a field and types into it what stands there from then on. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
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
  for (let pressed = 0; pressed < mostTabs; pressed += 1) {
    if ((await wanted.getAttribute('data-combobox-selected')) !== null) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await expect(wanted).toBeHidden();
}

/** Goes somewhere by its name, from anywhere. */
export async function goByName(page: Page, name: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.type(name);
  await expect(page.getByRole('dialog').getByRole('button', { name }).first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}
