import { contextBridge, ipcRenderer } from 'electron';
import { buildBridge } from './build-bridge.ts';

contextBridge.exposeInMainWorld('claimdesk', buildBridge(ipcRenderer));
