import type { DeskBridge } from '../../contract/bridge.ts';
import { errorTable } from '../../contract/error-codes.ts';
import { type Input, type ProcedureName, procedures } from '../../contract/procedures.ts';
import type { Result } from '../../contract/result.ts';
import { deskMask, isMaskedAtDesk, maskForDesk } from './desk-mask.ts';

type Ask = (input: never) => Promise<Result<unknown>>;

const refused: Result<never> = {
  ok: false,
  error: { code: 'desk.masked', ...errorTable['desk.masked'] },
};

/** Procedures refused in desk mode: their answer would contain, or overwrite, what is masked. */
function isRefused(name: ProcedureName, input: unknown): boolean {
  switch (name) {
    case 'records:revealSsn':
      return true;
    case 'records:group':
      return isMaskedAtDesk((input as Input<'records:group'>).by);
    case 'records:listValues':
      return isMaskedAtDesk((input as Input<'records:listValues'>).field);
    case 'records:copy':
      return (input as Input<'records:copy'>).fields.every(isMaskedAtDesk);
    case 'export:start':
      return (input as Input<'export:start'>).columns?.some(isMaskedAtDesk) ?? true;
    case 'notes:save':
      return (input as Input<'notes:save'>).id !== undefined;
    default:
      return false;
  }
}

/** Copies only the remaining columns; refused calls do not get here. */
function withoutMasked(name: ProcedureName, input: unknown): unknown {
  if (name !== 'records:copy') return input;
  const copy = input as Input<'records:copy'>;
  return { ...copy, fields: copy.fields.filter((path) => !isMaskedAtDesk(path)) };
}

function maskAnswer(name: ProcedureName, value: unknown): unknown {
  if (name.startsWith('records:')) return maskForDesk(value);
  if (name === 'notes:list') {
    const { notes } = value as { notes: { facts: string | null }[] };
    return {
      notes: notes.map((note) => ({ ...note, text: deskMask, facts: note.facts === null ? null : deskMask })),
    };
  }
  if (name === 'sync:listChanges') {
    const answer = value as { changes: { fields: { path: string }[] }[] };
    const changes = answer.changes.map((change) => ({
      ...change,
      fields: change.fields.map((field) =>
        isMaskedAtDesk(field.path) ? { ...field, before: deskMask, after: deskMask } : field,
      ),
    }));
    return { ...answer, changes };
  }
  return value;
}

export interface DeskMode {
  /** The same bridge; in desk mode its answers have no masked value, so that no screen can show one. */
  readonly bridge: DeskBridge;
  readonly isOn: () => boolean;
  /** Called before the answer that switched the mode is returned. */
  readonly onChange: (listener: () => void) => void;
}

/** Wraps the backend for the window, and follows the setting in its answers. */
export function createDeskMode(backend: DeskBridge): DeskMode {
  let isOn = false;
  const listeners = new Set<() => void>();
  const follow = (settings: { isDeskMode: boolean }): void => {
    if (settings.isDeskMode === isOn) return;
    isOn = settings.isDeskMode;
    for (const listener of listeners) listener();
  };
  const wrap = (name: ProcedureName) => async (input: unknown) => {
    const ask = backend.call[name] as unknown as Ask;
    if (isOn && isRefused(name, input)) return refused;
    const result = await ask((isOn ? withoutMasked(name, input) : input) as never);
    if (!result.ok) return result;
    if (name === 'settings:get' || name === 'settings:set') follow(result.value as { isDeskMode: boolean });
    return isOn ? { ok: true, value: maskAnswer(name, result.value) } : result;
  };
  const names = Object.keys(procedures) as ProcedureName[];
  return {
    bridge: {
      shell: backend.shell,
      call: Object.fromEntries(names.map((name) => [name, wrap(name)])) as unknown as DeskBridge['call'],
      subscribe: backend.subscribe,
    },
    isOn: () => isOn,
    onChange: (listener) => void listeners.add(listener),
  };
}
