import { navigation } from './navigation.tsx';

/** The places where keys work, in the order of the `?` sheet and of the help. */
export const shortcutScreens = [
  'Everywhere',
  'Go to a page',
  'Lists',
  'Claim, member, and dependent pages',
  'Review of claims',
] as const;

/** A key that the window handles; those of reviews follow from their acts. The `?` sheet and its page of the help are made from the table. */
export interface Shortcut {
  readonly keys: readonly string[];
  readonly does: string;
  readonly where: (typeof shortcutScreens)[number];
  /** A single letter; these can be switched off, because they may conflict with a screen reader. */
  readonly isSingleKey?: true;
}

export const shortcuts: readonly Shortcut[] = [
  { keys: ['Ctrl K'], does: 'Search or jump to a page, member, claim, or command', where: 'Everywhere' },
  { keys: ['Ctrl Shift L'], does: 'Lock Claimdesk', where: 'Everywhere' },
  { keys: ['Ctrl Enter'], does: 'Submit the form or note you’re in', where: 'Everywhere' },
  { keys: ['Alt ←', 'Alt →'], does: 'Back and forward', where: 'Everywhere' },
  { keys: ['F1'], does: 'Open help', where: 'Everywhere' },
  { keys: ['?'], does: 'Show keyboard shortcuts', where: 'Everywhere', isSingleKey: true },
  { keys: ['/'], does: 'Go to search (lists and help)', where: 'Everywhere', isSingleKey: true },
  ...navigation.map(
    ({ goKey, label }): Shortcut => ({
      keys: [`g ${goKey}`],
      does: label,
      where: 'Go to a page',
      isSingleKey: true,
    }),
  ),
  {
    keys: ['↑', '↓', '←', '→'],
    does: 'Move between cells; ↓ from the heading goes to the rows',
    where: 'Lists',
  },
  { keys: ['j', 'k'], does: 'Next / previous row', where: 'Lists', isSingleKey: true },
  {
    keys: ['Page Up', 'Page Down', 'Ctrl Home', 'Ctrl End'],
    does: 'Page up / down, first / last row',
    where: 'Lists',
  },
  { keys: ['Enter'], does: 'Open row; on a column header, sort', where: 'Lists' },
  { keys: ['f'], does: 'Filter this column', where: 'Lists', isSingleKey: true },
  { keys: ['Shift F'], does: 'Add filter', where: 'Lists', isSingleKey: true },
  { keys: ['v'], does: 'Split view: list and record side by side', where: 'Lists', isSingleKey: true },
  { keys: ['Enter', 'Esc'], does: 'In split view: go to record / back to list', where: 'Lists' },
  { keys: ['Space', 'x'], does: 'Select or deselect row', where: 'Lists' },
  { keys: ['Shift ↑', 'Shift ↓', 'Ctrl A'], does: 'Extend selection / Select all', where: 'Lists' },
  { keys: ['Ctrl P'], does: 'Print or export the list', where: 'Lists' },
  { keys: ['Ctrl C'], does: 'Copy selected rows (or the cell)', where: 'Lists' },
  { keys: ['Esc'], does: 'Clear selection', where: 'Lists' },
  {
    keys: ['Shift Enter', 'Shift ←', 'Shift →', 'Alt ←', 'Alt →'],
    does: 'On a column header: add to sort, move column, resize column',
    where: 'Lists',
  },
  {
    keys: ['j', 'k'],
    does: 'Next / previous record',
    where: 'Claim, member, and dependent pages',
    isSingleKey: true,
  },
  {
    keys: ['l'],
    does: 'On a member page: log this call',
    where: 'Claim, member, and dependent pages',
    isSingleKey: true,
  },
  { keys: ['Esc'], does: 'Back to list', where: 'Claim, member, and dependent pages' },
];

/** On a Mac the same keys are Command keys. */
export const spellKeys = (keys: string, platform: string): string =>
  /mac/i.test(platform) ? keys.replace('Ctrl', '⌘').replace('Shift', '⇧') : keys;

const dialogs = '[role="dialog"]:not([aria-hidden="true"]), [role="menu"]';

export const isDialogOpen = (): boolean => document.querySelector(dialogs) !== null;

const pressedOverPage = new WeakSet<KeyboardEvent>();

/** Keeps whether a dialog or menu is open at a press, before a listener can close it. */
export function watchDialog(event: KeyboardEvent): void {
  if (isDialogOpen()) pressedOverPage.add(event);
}

/**
 * Whether a key is for a dialog or menu: one that is open, even before it has the focus, or one that was when the key was
 * pressed, even if the key has closed it.
 */
export function isForDialog(event: KeyboardEvent): boolean {
  const isPressedInOne = event.target instanceof Element && event.target.closest(dialogs) !== null;
  return isPressedInOne || pressedOverPage.has(event) || isDialogOpen();
}

const storageKey = 'claimdesk-single-keys';

export const areSingleKeysOn = (storage: Pick<Storage, 'getItem'>): boolean =>
  storage.getItem(storageKey) !== 'off';

export function setSingleKeys(storage: Pick<Storage, 'setItem'>, isOn: boolean): void {
  storage.setItem(storageKey, isOn ? 'on' : 'off');
}

/** Whether a key press belongs to a text field, where a single letter must not act. */
export function isTypingIn(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
