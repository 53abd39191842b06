import { notifications } from '@mantine/notifications';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beginRest, isSecondClick, takePress, watchPresses } from '../../../../src/renderer/lib/presses.ts';
import { isForDialog } from '../../../../src/renderer/lib/shortcuts.ts';

let heard: string[] = [];
let end: () => void = () => undefined;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  document.body.innerHTML =
    '<input><textarea></textarea><button></button><div role="gridcell" tabindex="0"></div>';
  const stop = watchPresses(window);
  const listen = ({ key }: KeyboardEvent) => void heard.push(key);
  document.body.addEventListener('keydown', listen);
  end = () => {
    stop();
    document.body.removeEventListener('keydown', listen);
  };
  // The screens of other test files share this module, and act by the real clock: one act by this clock replaces theirs.
  press('input', 'a');
  beginRest();
  vi.advanceTimersByTime(200);
  heard = [];
});
afterEach(() => {
  end();
  vi.runAllTimers();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Presses a key in the first element of a kind; returns whether its default was prevented. */
function press(where: string, key: string, how: KeyboardEventInit = {}): boolean {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...how });
  document.querySelector(where)?.dispatchEvent(event);
  return event.defaultPrevented;
}
const click = (detail: number) =>
  document.querySelector('button')?.dispatchEvent(new MouseEvent('click', { detail, bubbles: true }));

test('keys of a word that is being composed reach no listener, and keep their effect on the word', () => {
  for (const key of ['Enter', 'Escape', '1', 'Process'])
    expect(press('input', key, { isComposing: true })).toBe(false);
  expect(press('textarea', 'Enter', { keyCode: 229 } as KeyboardEventInit)).toBe(false);
  expect(heard).toEqual([]);
  press('input', 'Enter');
  expect(heard).toEqual(['Enter']);
});

test('a key that is held down acts no more, but moves, deletes and types', () => {
  const acts: readonly (readonly [string, string, KeyboardEventInit?])[] = [
    ['button', 'Enter'],
    ['div', '1'],
    ['button', 'j'],
    ['input', 'Enter'],
    ['textarea', 'Enter', { ctrlKey: true }],
    ['div', 'z', { ctrlKey: true }],
    ['div', 'ArrowLeft', { altKey: true }],
    ['div', 'Escape'],
  ];
  for (const [where, key, how] of acts)
    expect(press(where, key, { ...how, repeat: true }), `${key} in ${where}`).toBe(true);
  expect(heard).toEqual([]);
  const others = [
    ['input', 'a'],
    ['textarea', 'Enter'],
    ['input', 'Backspace'],
    ['div', 'ArrowDown'],
    ['div', 'j'],
  ] as const;
  for (const [where, key] of others) expect(press(where, key, { repeat: true })).toBe(false);
  expect(heard).toEqual(['a', 'Enter', 'Backspace', 'ArrowDown', 'j']);
});

test('of two presses within 200 ms one acts, also where the window handled the second one late', () => {
  press('div', '1');
  expect(takePress()).toBe(true);
  expect(document.documentElement.hasAttribute('data-resting')).toBe(true);
  vi.advanceTimersByTime(150);
  press('div', '1');
  vi.advanceTimersByTime(100);
  // It was made before the rest was over, and is handled after it.
  expect(takePress()).toBe(false);
  expect(document.documentElement.hasAttribute('data-resting')).toBe(false);
  press('div', '1');
  expect(takePress()).toBe(true);
});

test('a press before its target was on screen is refused with a notice, the second of a double press without', () => {
  const show = vi.spyOn(notifications, 'show').mockReturnValue('');
  press('div', '1');
  expect(takePress(false)).toBe(false);
  expect(show).toHaveBeenCalledTimes(1);
  press('div', '1');
  expect(takePress()).toBe(true);
  vi.advanceTimersByTime(150);
  press('div', '1');
  expect([takePress(), takePress(false)]).toEqual([false, false]);
  click(2);
  expect(takePress()).toBe(false);
  expect(show).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(100);
  // The window was busy, and handles an act late: it rests from then on.
  press('div', '4');
  vi.advanceTimersByTime(300);
  expect(takePress()).toBe(true);
  vi.advanceTimersByTime(100);
  press('div', '1');
  expect(takePress()).toBe(false);
  expect(show).toHaveBeenCalledTimes(2);
});

test('the second click of a double click does not act', () => {
  vi.advanceTimersByTime(1000);
  click(1);
  expect(takePress()).toBe(true);
  vi.advanceTimersByTime(300);
  click(2);
  expect(isSecondClick()).toBe(true);
  expect(takePress()).toBe(false);
  vi.advanceTimersByTime(600);
  click(1);
  expect(takePress()).toBe(true);
});

test('Esc that closes a dialog is for it alone, also where the focus is outside of it', () => {
  const dialog = document.body.appendChild(document.createElement('div'));
  dialog.setAttribute('role', 'dialog');
  const forDialog: boolean[] = [];
  const listen = (event: KeyboardEvent) => {
    dialog.remove();
    forDialog.push(isForDialog(event));
  };
  document.body.addEventListener('keydown', listen);
  press('button', 'Escape');
  press('button', 'Escape');
  document.body.removeEventListener('keydown', listen);
  expect(forDialog).toEqual([true, false]);
});
