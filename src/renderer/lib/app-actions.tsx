import { createContext, type ReactNode, useContext } from 'react';
import type { ExportResult, ExportSource } from '../../contract/export.ts';
import type { TeamRemoval } from '../../contract/store.ts';

export interface ExportRequest {
  readonly workspaceId: string;
  readonly source: Extract<
    ExportSource,
    { kind: 'list' | 'statements' | 'letters' | 'changes' | 'report' | 'run' }
  >;
  readonly total: number;
  /** The shown columns in the list's order, selected first in the export. */
  readonly shownColumns: readonly string[];
  readonly filters?: readonly { readonly field: string; readonly text: string }[];
  /** The column by which the list is grouped, if any. */
  readonly groupBy?: string | null;
  /** The selected rows, if any. */
  readonly selected?: {
    readonly snapshotId: string;
    readonly places: [number, number][];
    readonly count: number;
  };
  readonly removal?: TeamRemoval;
  /** Called when the dialog is closed after the file was written. */
  readonly onExported?: (result: ExportResult) => void;
}

/** The claim or member on screen, to whose page a file can be dropped. `subject`: as reviews have it. */
export interface AttachTarget {
  readonly subject: number;
  /** Whether the press that is handled now is for it. */
  readonly mayPress: () => boolean;
}

/** Actions of the whole window that any screen may use; the app provides them, since no feature imports another. */
export interface AppActions {
  readonly requestExport: (request: ExportRequest) => void;
  readonly lockNow: () => void;
  readonly showShortcuts: () => void;
  readonly openPalette: () => void;
  /** Lets files be chosen, and asks where to attach them. */
  readonly chooseDocument: () => void;
  readonly offerTarget: (target: AttachTarget) => () => void;
}

const AppActionsContext = createContext<AppActions | null>(null);

export function AppActionsProvider({ actions, children }: { actions: AppActions; children: ReactNode }) {
  return <AppActionsContext value={actions}>{children}</AppActionsContext>;
}

export function useAppActions(): AppActions {
  const actions = useContext(AppActionsContext);
  if (actions === null) throw new Error('There are no app actions above this component.');
  return actions;
}
