import { IconPointer } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { PaletteAction } from './palette-actions.tsx';

/** Where buttons belong to a row, a form, a question, or the review, whose commands the palette has by their keys. */
const notOfPage = 'table, form, fieldset, li, [role="grid"], [role="dialog"], [aria-label="Review"]';

/**
 * The commands of the open page: its buttons that are in sight and enabled, each by its name, as they are when the
 * palette opens. The button itself is pressed, so that a command has one place.
 */
export function usePageCommands(isOpened: boolean): readonly PaletteAction[] {
  return useMemo(() => (isOpened ? listPageCommands() : []), [isOpened]);
}

function listPageCommands(): PaletteAction[] {
  const buttons = document.querySelectorAll<HTMLButtonElement>('#content button:not(:disabled)');
  const commands = new Map<string, HTMLButtonElement>();
  for (const button of buttons) {
    const name = (button.getAttribute('aria-label') ?? button.textContent ?? '').trim();
    const isInSight =
      button.offsetParent !== null && button.closest('[aria-hidden="true"], [inert]') === null;
    // Names with digits show a count or an amount, not a command.
    if (!isInSight || !/^\p{Lu}\D{3,40}$/u.test(name) || button.closest(notOfPage) !== null) continue;
    if (!commands.has(name)) commands.set(name, button);
  }
  return [...commands].map(([name, button]) => ({
    id: `page ${name}`,
    label: name,
    hint: 'This page',
    icon: <IconPointer size={17} aria-hidden />,
    run: () => {
      if (!button.isConnected) return;
      button.focus();
      button.click();
    },
  }));
}
