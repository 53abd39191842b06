import { Box, Kbd, Switch, Table } from '@mantine/core';
import { Fragment, useState } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { reviewShortcuts } from '../domain/review/review-commands.ts';
import { areSingleKeysOn, setSingleKeys, shortcutScreens, shortcuts, spellKeys } from '../lib/shortcuts.ts';

/** All keys, and the switch for single letters. */
export function ShortcutSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [isOn, setIsOn] = useState(() => areSingleKeysOn(window.localStorage));
  const change = (next: boolean) => {
    setSingleKeys(window.localStorage, next);
    setIsOn(next);
  };
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keyboard shortcuts" size={1080}>
      <Box style={{ columns: '400px 2', columnGap: 28 }}>
        {shortcutScreens.map((screen) => (
          <Table
            key={screen}
            aria-label={screen}
            verticalSpacing={2}
            mb="sm"
            style={{ breakInside: 'avoid' }}
          >
            <Table.Thead>
              <Table.Tr>
                <Table.Th colSpan={2}>{screen}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {[...shortcuts, ...reviewShortcuts]
                .filter((shortcut) => shortcut.where === screen)
                .map((shortcut) => (
                  <Table.Tr key={shortcut.does}>
                    <Table.Td w={170}>
                      {shortcut.keys.map((keys) => (
                        <Fragment key={keys}>
                          <Kbd size="xs">{spellKeys(keys, navigator.platform)}</Kbd>{' '}
                        </Fragment>
                      ))}
                    </Table.Td>
                    <Table.Td>{shortcut.does}</Table.Td>
                  </Table.Tr>
                ))}
            </Table.Tbody>
          </Table>
        ))}
      </Box>
      <Switch
        label="Single-letter shortcuts"
        description="Turn off if they interfere with a screen reader or dictation."
        checked={isOn}
        onChange={(event) => change(event.currentTarget.checked)}
      />
    </Dialog>
  );
}
