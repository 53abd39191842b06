import { useCallback, useEffect, useReducer, useRef } from 'react';
import type { EventPayload } from '../../../contract/events.ts';
import {
  type ExportProgress,
  type ExportResult,
  findCloudFolder,
  purposeOf,
} from '../../../contract/export.ts';
import type { Input } from '../../../contract/procedures.ts';
import type { ErrorReport } from '../../../contract/result.ts';
import type { ExportRequest } from '../../lib/app-actions.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask, reportOf } from '../../lib/desk-error.ts';
import { useSettings } from '../../lib/use-settings.ts';
import { suggestFileName } from './column-sets.ts';

/** The name of one row of a file of pages. */
const rowNames: Partial<Record<ChosenExport['source']['kind'], string>> = {
  statements: 'statement',
  letters: 'letter',
};

export type ChosenExport = Omit<Input<'export:start'>, 'workspaceId' | 'targetId'>;

/** The target is in a folder that syncs to a cloud service; the user has to confirm it. */
interface Question {
  readonly cloud: string;
  readonly path: string;
  readonly targetId: string;
  readonly chosen: ChosenExport;
}

/** `row`: what the rows of the file are called. */
export type ExportState =
  | { step: 'choosing'; error: ErrorReport | null }
  | ({ step: 'asking' } & Question)
  | { step: 'running'; exportId: string | null; path: string; progress: ExportProgress | null; row: string }
  | { step: 'done'; path: string; result: ExportResult; row: string };

type Change =
  | { type: 'reset' }
  | { type: 'asked'; question: Question }
  | { type: 'begun'; path: string; row: string }
  | { type: 'started'; exportId: string }
  | { type: 'progress'; progress: ExportProgress }
  | { type: 'done'; result: ExportResult }
  | { type: 'failed'; error: ErrorReport };

export function reduceExport(state: ExportState, change: Change): ExportState {
  switch (change.type) {
    case 'reset':
      return { step: 'choosing', error: null };
    case 'asked':
      return { step: 'asking', ...change.question };
    case 'begun':
      return { step: 'running', exportId: null, path: change.path, progress: null, row: change.row };
    case 'started':
      return state.step === 'running' ? { ...state, exportId: change.exportId } : state;
    case 'progress':
      return state.step === 'running' ? { ...state, progress: change.progress } : state;
    case 'done':
      return {
        step: 'done',
        path: change.result.files[0]?.path ?? '',
        result: change.result,
        row: state.step === 'running' ? state.row : 'row',
      };
    case 'failed':
      return { step: 'choosing', error: change.error };
  }
}

type Finished = EventPayload<'export:finished'>;

/** Runs one export at a time: target, the question about a synced folder, start, progress, cancel, end. */
export function useExport() {
  const bridge = useBridge();
  const settings = useSettings();
  const [state, change] = useReducer(reduceExport, { step: 'choosing', error: null });
  const runningId = useRef<string | null>(null);
  /** Results that arrived before the answer with the export's ID (a small list is written at once). */
  const early = useRef<Finished[]>([]);

  const finish = useCallback((end: Finished) => {
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
        if (end.exportId === runningId.current) finish(end);
        else early.current.push(end);
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [bridge, finish]);

  const run = async (request: ExportRequest, { path, targetId, chosen }: Omit<Question, 'cloud'>) => {
    try {
      early.current = [];
      change({ type: 'begun', path, row: rowNames[chosen.source.kind] ?? 'row' });
      const { exportId } = await ask(bridge, 'export:start', {
        workspaceId: request.workspaceId,
        ...chosen,
        targetId,
      });
      runningId.current = exportId;
      change({ type: 'started', exportId });
      const end = early.current.find((candidate) => candidate.exportId === exportId);
      if (end !== undefined) finish(end);
    } catch (error) {
      change({ type: 'failed', error: reportOf(error) });
    }
  };

  const start = async (request: ExportRequest, chosen: ChosenExport) => {
    try {
      const target = await ask(bridge, 'files:chooseSaveTarget', {
        purpose: purposeOf[chosen.format],
        suggestedName: suggestFileName(chosen.source, chosen.format, new Date()),
      });
      if (target === null) return;
      const exportFormat =
        chosen.format === 'pdf' || chosen.format === 'text' ? settings.exportFormat : chosen.format;
      const remembered = { exportFormat, exportIsSigned: chosen.isSigned === true };
      if (
        chosen.source.kind !== 'run' &&
        (remembered.exportFormat !== settings.exportFormat ||
          remembered.exportIsSigned !== settings.exportIsSigned)
      )
        void ask(bridge, 'settings:set', remembered).catch(() => undefined);
      const exportTarget = { path: target.displayPath, targetId: target.targetId, chosen };
      const cloud = findCloudFolder(target.displayPath);
      if (cloud !== null) change({ type: 'asked', question: { ...exportTarget, cloud } });
      else await run(request, exportTarget);
    } catch (error) {
      change({ type: 'failed', error: reportOf(error) });
    }
  };

  const cancel = () => {
    if (runningId.current !== null) void bridge.call['export:cancel']({ exportId: runningId.current });
  };
  return { state, start, run, cancel, reset: () => change({ type: 'reset' }) };
}
