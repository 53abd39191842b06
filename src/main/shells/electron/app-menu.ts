import { Menu, type MenuItemConstructorOptions } from 'electron';

/**
 * Pure: the menu. Released builds have zoom, but neither reload nor developer tools. The window handles the shortcut
 * for locking; the menu only shows it.
 */
export function planMenu(options: {
  platform: NodeJS.Platform;
  isReleased: boolean;
  lockNow: () => void;
}): MenuItemConstructorOptions[] {
  const isMac = options.platform === 'darwin';
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const lock: MenuItemConstructorOptions = {
    label: 'Lock Now',
    accelerator: 'CmdOrCtrl+Shift+L',
    registerAccelerator: false,
    click: options.lockNow,
  };
  const developer: MenuItemConstructorOptions[] = options.isReleased
    ? []
    : [separator, { role: 'reload' }, { role: 'toggleDevTools' }];
  return [
    ...(isMac
      ? [
          {
            role: 'appMenu',
            submenu: [
              { role: 'about' },
              separator,
              lock,
              separator,
              { role: 'hide' },
              { role: 'hideOthers' },
              { role: 'unhide' },
              separator,
              { role: 'quit' },
            ],
          } satisfies MenuItemConstructorOptions,
        ]
      : [
          {
            label: 'File',
            submenu: [lock, separator, { role: 'quit' }],
          } satisfies MenuItemConstructorOptions,
        ]),
    {
      label: 'Edit',
      submenu: [
        { role: 'undo' },
        { role: 'redo' },
        separator,
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'selectAll' },
      ],
    },
    {
      label: 'View',
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        separator,
        { role: 'togglefullscreen' },
        ...developer,
      ],
    },
    { label: 'Window', submenu: [{ role: 'minimize' }, { role: 'close' }] },
  ];
}

export function setAppMenu(options: Parameters<typeof planMenu>[0]): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(planMenu(options)));
}
