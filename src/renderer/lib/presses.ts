import { notifications } from '@mantine/notifications';
import { colorOfTone } from './claim-status.ts';
import { isTypingIn, watchDialog } from './shortcuts.ts';

/** After an act no press acts for this long, in milliseconds: two presses that close together are one. */
const restMs = 200;

/** The press that is handled now. Times are of `performance.now()`, as `Event.timeStamp` is. */
const press = { atMs: 0, isSecondClick: false };
let restsUntilMs = Number.NEGATIVE_INFINITY;
let rowsRestUntilMs = Number.NEGATIVE_INFINITY;
/** The ID of the record that had the focus before rows were replaced. */
let keptId: unknown;
/** When the last press that acted was made. */
let actedAtMs = Number.NEGATIVE_INFINITY;
let restTimer: ReturnType<typeof setTimeout> | undefined;

/** Keys that move or delete, which the user holds down on purpose. */
const movingKeys = /^(Arrow(Up|Down|Left|Right)|Page(Up|Down)|Home|End|Tab|Backspace|Delete)$/;

/** Whether a key that is held down may go on doing what it does: move, delete or type, but never act. */
function mayRepeat({ key, target, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (movingKeys.test(key)) return !altKey;
  if (!(target instanceof Element)) return false;
  // Enter alone begins a line in a text of several lines.
  if (isTypingIn(target))
    return (
      key !== 'Enter' || (!ctrlKey && !metaKey && target.tagName !== 'INPUT' && target.tagName !== 'SELECT')
    );
  return (key === 'j' || key === 'k') && target.closest('[role="gridcell"]') !== null;
}

/** An input method composes a word: its keys, also Enter and Escape, choose among words. 229 is how browsers mark them. */
const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229;

/**
 * Chooses the option that is marked in the open list of a field, and returns whether there is one. A list of Mantine
 * finds its marked option by a number that a timer sets after the list has opened: keys that are pressed before that
 * leave a number of no option, and Enter would submit the form instead.
 */
function chooseMarkedOption({ key, target, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (key !== 'Enter' || altKey || ctrlKey || metaKey || !(target instanceof Element)) return false;
  const listId = target.getAttribute('aria-controls');
  if (target.getAttribute('role') !== 'combobox' || listId === null) return false;
  const option = document.getElementById(listId)?.querySelector<HTMLElement>('[data-combobox-selected]');
  option?.click();
  return option !== null && option !== undefined;
}

/**
 * Looks at every press before the window's other listeners do. Keys of a word that is being composed reach none of them,
 * nor does the repetition of a key that acts. A file that is dropped anywhere is a press, and never opened in place of the window.
 * Returns what ends it.
 */
export function watchPresses(target: Window): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event)) {
      event.stopImmediatePropagation();
      return;
    }
    Object.assign(press, { atMs: event.timeStamp, isSecondClick: false });
    watchDialog(event);
    if (event.repeat ? mayRepeat(event) : !chooseMarkedOption(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const onClick = (event: MouseEvent): void => {
    Object.assign(press, { atMs: event.timeStamp, isSecondClick: event.detail > 1 });
  };
  const onDrag = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    if (event.type === 'drop') Object.assign(press, { atMs: event.timeStamp, isSecondClick: false });
  };
  target.addEventListener('dragover', onDrag, true);
  target.addEventListener('drop', onDrag, true);
  target.addEventListener('keydown', onKeyDown, true);
  target.addEventListener('click', onClick, true);
  return () => {
    target.removeEventListener('dragover', onDrag, true);
    target.removeEventListener('drop', onDrag, true);
    target.removeEventListener('keydown', onKeyDown, true);
    target.removeEventListener('click', onClick, true);
  };
}

/** When the press that is handled now was made, which may be some time before a busy window handles it. */
export const pressedAtMs = (): number => press.atMs;

/** Whether the press that is handled now is the second click of a double click. */
export const isSecondClick = (): boolean => press.isSecondClick;

/** Whether the press that is handled now is the second of a double press: it belongs to the one before, and does nothing. */
const isSecondPress = (): boolean => press.isSecondClick || press.atMs < actedAtMs + restMs;

/** Shows that the press that is handled now came too early and does nothing. The second of a double press shows nothing. */
export function refusePress(): void {
  if (isSecondPress()) return;
  // With an ID, a notice that is still on screen is not shown again.
  notifications.show({
    id: 'refused press',
    color: colorOfTone.caution,
    title: 'Press again',
    message: 'You pressed before the page was ready, so nothing changed.',
    autoClose: 3_000,
  });
}

/**
 * Whether the press that is handled now may act: it is no second press, long enough after the last act, and what it acts on
 * was on screen (`isReady`). One that came too early is refused with a notice.
 */
export function mayPress(isReady = true): boolean {
  const isInTime = isReady && press.atMs >= restsUntilMs;
  if (!isInTime) refusePress();
  return isInTime && !isSecondPress();
}

/** Sets the attribute `data-resting` of the document while some presses don't act, and returns until when that is. */
function beginPause(): number {
  const { documentElement } = document;
  documentElement.setAttribute('data-resting', '');
  clearTimeout(restTimer);
  // A timer may be a millisecond early: the attribute ends when the rest is surely over.
  restTimer = setTimeout(() => documentElement.removeAttribute('data-resting'), restMs + 10);
  return performance.now() + restMs;
}

/** An act was made: presses that follow too soon don't act. */
export function beginRest(): void {
  actedAtMs = press.atMs;
  restsUntilMs = beginPause();
}

/**
 * The rows of the list on screen are replaced. Keys for a row that follow too soon act only on `focusedId`, the ID of the
 * record that had the focus before. All other presses act.
 */
export function beginRestOfRows(focusedId: unknown): void {
  // A record that got the focus during the rest may not be the record that the user saw.
  if (performance.now() >= rowsRestUntilMs) keptId = focusedId;
  rowsRestUntilMs = beginPause();
}

/** Whether the record of this row was on screen long enough when the key that is handled now was pressed. */
export const isRowReady = (id: unknown): boolean => press.atMs >= rowsRestUntilMs || id === keptId;

/** Takes the press that is handled now for an act. `isReady`: see `mayPress`. False: it must not act. */
export function takePress(isReady = true): boolean {
  if (!mayPress(isReady)) return false;
  beginRest();
  return true;
}
