/** Every key the window listens to, in one table: the `?` sheet is made from it. */
export interface Shortcut {
  readonly keys: readonly string[];
  readonly does: string;
  readonly where: 'Everywhere' | 'Lists' | 'Claim, member and dependent pages';
  /** A single letter, which a person can switch off (it may clash with a screen reader). */
  readonly isSingleKey?: true;
}

export const shortcuts: readonly Shortcut[] = [
  { keys: ['Ctrl K'], does: 'Find a page, a member, a claim or an action', where: 'Everywhere' },
  { keys: ['Ctrl Shift L'], does: 'Lock Claimdesk now', where: 'Everywhere' },
  { keys: ['Alt ←', 'Alt →'], does: 'Back and forward', where: 'Everywhere' },
  { keys: ['?'], does: 'Show this sheet', where: 'Everywhere', isSingleKey: true },
  { keys: ['/'], does: 'Go to the search box', where: 'Lists', isSingleKey: true },
  { keys: ['↑', '↓', '←', '→'], does: 'Move from cell to cell', where: 'Lists' },
  { keys: ['j', 'k'], does: 'Next and previous row', where: 'Lists', isSingleKey: true },
  { keys: ['Page Up', 'Page Down', 'Ctrl Home', 'Ctrl End'], does: 'Move further', where: 'Lists' },
  { keys: ['Enter'], does: 'Open the row; on a column header, sort', where: 'Lists' },
  { keys: ['f'], does: 'Filter by the column of the cell', where: 'Lists', isSingleKey: true },
  { keys: ['Space', 'x'], does: 'Select the row, or no longer', where: 'Lists' },
  { keys: ['Shift ↑', 'Shift ↓', 'Ctrl A'], does: 'Select further rows, or all', where: 'Lists' },
  { keys: ['Ctrl C'], does: 'Copy the selected rows, else the cell', where: 'Lists' },
  { keys: ['Esc'], does: 'Select nothing', where: 'Lists' },
  {
    keys: ['Shift Enter', 'Shift ←', 'Shift →', 'Alt ←', 'Alt →'],
    does: 'On a column header: sort by it too, move it, widen or narrow it',
    where: 'Lists',
  },
  {
    keys: ['j', 'k'],
    does: 'Next and previous record of the list one came from',
    where: 'Claim, member and dependent pages',
    isSingleKey: true,
  },
  { keys: ['Esc'], does: 'Back to the list', where: 'Claim, member and dependent pages' },
];

/** On a Mac the same keys are Command keys. */
export function spellKeys(keys: string, platform: string): string {
  return /mac/i.test(platform) ? keys.replace('Ctrl', '⌘').replace('Shift', '⇧') : keys;
}

const storageKey = 'claimdesk-single-keys';

export function areSingleKeysOn(storage: Pick<Storage, 'getItem'>): boolean {
  return storage.getItem(storageKey) !== 'off';
}

export function setSingleKeys(storage: Pick<Storage, 'setItem'>, isOn: boolean): void {
  storage.setItem(storageKey, isOn ? 'on' : 'off');
}

/** Whether a key press belongs to a field someone types in (a single letter must not act there). */
export function isTypingIn(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
