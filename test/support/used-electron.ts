import type { App, BrowserWindow, Session, WebContents } from 'electron';

// The parts of Electron that Claimdesk uses. Both the fake of unit tests and the stand-in of the built app implement
// them.

export type UsedApp = Pick<
  App,
  | 'setName'
  | 'setPath'
  | 'getPath'
  | 'getVersion'
  | 'requestSingleInstanceLock'
  | 'enableSandbox'
  | 'whenReady'
  | 'quit'
  | 'exit'
  | 'isPackaged'
  | 'disableHardwareAcceleration'
>;

export type UsedSession = Pick<
  Session,
  | 'setPermissionRequestHandler'
  | 'setPermissionCheckHandler'
  | 'setDevicePermissionHandler'
  | 'setSpellCheckerEnabled'
>;

export type UsedWebContents = Pick<
  WebContents,
  | 'send'
  | 'isDestroyed'
  | 'forcefullyCrashRenderer'
  | 'getOSProcessId'
  | 'setWindowOpenHandler'
  | 'setWebRTCIPHandlingPolicy'
>;

export type UsedWindow = Pick<
  BrowserWindow,
  | 'loadURL'
  | 'show'
  | 'hide'
  | 'focus'
  | 'restore'
  | 'maximize'
  | 'isMaximized'
  | 'isMinimized'
  | 'getNormalBounds'
  | 'destroy'
>;
