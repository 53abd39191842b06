import { useCallback, useEffect, useReducer, useRef } from 'react';
import type { EventPayload } from '../../../contract/events.ts';
import type { ExportFormat, ExportProgress, ExportResult } from '../../../contract/export.ts';
import type { ErrorReport } from '../../../contract/result.ts';
import type { ExportRequest } from '../../lib/app-actions.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask, reportOf } from '../../lib/desk-error.ts';
import { suggestFileName } from './export-columns.ts';

export interface ChosenExport {
  readonly format: ExportFormat;
  readonly columns: string[];
  readonly reason?: string;
}

export type ExportState =
  | { step: 'choosing'; error: ErrorReport | null }
  | { step: 'running'; exportId: string | null; path: string; progress: ExportProgress | null }
  | { step: 'done'; path: string; result: ExportResult };

type Change =
  | { type: 'reset' }
  | { type: 'begun'; path: string }
  | { type: 'started'; exportId: string }
  | { type: 'progress'; progress: ExportProgress }
  | { type: 'done'; result: ExportResult }
  | { type: 'failed'; error: ErrorReport };

export function reduceExport(state: ExportState, change: Change): ExportState {
  switch (change.type) {
    case 'reset':
      return { step: 'choosing', error: null };
    case 'begun':
      return { step: 'running', exportId: null, path: change.path, progress: null };
    case 'started':
      return state.step === 'running' ? { ...state, exportId: change.exportId } : state;
    case 'progress':
      return state.step === 'running' ? { ...state, progress: change.progress } : state;
    case 'done':
      return { step: 'done', path: change.result.files[0]?.path ?? '', result: change.result };
    case 'failed':
      return { step: 'choosing', error: change.error };
  }
}

type Finished = EventPayload<'export:finished'>;

/** Runs one export at a time: target, start, progress, cancel, end. */
export function useExport() {
  const bridge = useBridge();
  const [state, change] = useReducer(reduceExport, { step: 'choosing', error: null });
  const runningId = useRef<string | null>(null);
  /** Results that arrived before the answer with the export's ID (a small list is written at once). */
  const early = useRef<Finished[]>([]);

  const settle = useCallback((end: Finished) => {
    runningId.current = null;
    if (end.result !== null) change({ type: 'done', result: end.result });
    else if (end.error?.code === 'export.canceled' || end.error === null) change({ type: 'reset' });
    else change({ type: 'failed', error: end.error });
  }, []);

  useEffect(() => {
    const ends = [
      bridge.subscribe('export:progress', (progress) => {
        if (progress.exportId === runningId.current) change({ type: 'progress', progress });
      }),
      bridge.subscribe('export:finished', (end) => {
        if (end.exportId === runningId.current) settle(end);
        else early.current.push(end);
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [bridge, settle]);

  const start = async (request: ExportRequest, chosen: ChosenExport) => {
    try {
      const target = await ask(bridge, 'files:chooseSaveTarget', {
        purpose: chosen.format === 'xlsx' ? 'workbook' : 'records',
        suggestedName: suggestFileName(request.query.entity, chosen.format, new Date()),
      });
      if (target === null) return;
      early.current = [];
      change({ type: 'begun', path: target.displayPath });
      const { exportId } = await ask(bridge, 'export:start', {
        workspaceId: request.workspaceId,
        source: { kind: 'list', query: request.query },
        ...chosen,
        targetId: target.targetId,
      });
      runningId.current = exportId;
      change({ type: 'started', exportId });
      const end = early.current.find((candidate) => candidate.exportId === exportId);
      if (end !== undefined) settle(end);
    } catch (error) {
      change({ type: 'failed', error: reportOf(error) });
    }
  };

  const cancel = () => {
    if (runningId.current !== null) void bridge.call['export:cancel']({ exportId: runningId.current });
  };
  return { state, start, cancel, reset: () => change({ type: 'reset' }) };
}
