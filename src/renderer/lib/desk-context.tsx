import { createContext, type ReactNode, useContext } from 'react';
import type { DeskBridge } from '../../contract/bridge.ts';

const BridgeContext = createContext<DeskBridge | null>(null);

export function BridgeProvider({ bridge, children }: { bridge: DeskBridge; children: ReactNode }) {
  return <BridgeContext value={bridge}>{children}</BridgeContext>;
}

export function useBridge(): DeskBridge {
  const bridge = useContext(BridgeContext);
  if (bridge === null) throw new Error('There is no bridge above this component.');
  return bridge;
}
