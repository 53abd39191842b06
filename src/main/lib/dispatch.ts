import { type ProcedureName, procedures } from '../../contract/procedures.ts';
import type { Result } from '../../contract/result.ts';
import { DeskError, toErrorReport } from './errors.ts';

type Handler = (input: unknown, caller: unknown) => unknown;

/**
 * Answers the procedures of the contract that one process answers: looks the procedure up, parses its input, calls its
 * handler. Never rejects: an error is passed to `onFailed` and returned as a report.
 *
 * `handlers` has one for each procedure of that process; the caller checks that with `satisfies`. `refuse` throws for
 * a procedure that is not allowed now, before the input is parsed. `around` is called with the parsed input instead of
 * the handler.
 */
export function createDispatcher<Caller = undefined>(options: {
  readonly answeredBy: 'main' | 'engine';
  readonly handlers: object;
  readonly refuse?: (name: ProcedureName) => void;
  readonly around?: (call: {
    name: ProcedureName;
    input: unknown;
    caller: Caller | undefined;
    run: () => unknown;
  }) => unknown;
  readonly onFailed: (thrown: unknown, call: { name: string; input: unknown }) => void;
}): (name: string, input: unknown, caller?: Caller) => Promise<Result<unknown>> {
  const { answeredBy, handlers, refuse, around = ({ run }) => run(), onFailed } = options;
  return async (name, input, caller) => {
    try {
      const procedure = Object.hasOwn(procedures, name) ? procedures[name as ProcedureName] : undefined;
      if (procedure?.answeredBy !== answeredBy) throw new DeskError('usage.invalid');
      refuse?.(name as ProcedureName);
      const parsed = procedure.input.safeParse(input);
      if (!parsed.success) throw new DeskError('usage.invalid', { details: { procedure: name } });
      const handler = (handlers as Readonly<Record<string, Handler>>)[name];
      if (handler === undefined) throw new DeskError('usage.invalid');
      const run = (): unknown => handler(parsed.data, caller);
      return {
        ok: true,
        value: await around({ name: name as ProcedureName, input: parsed.data, caller, run }),
      };
    } catch (thrown) {
      onFailed(thrown, { name, input });
      return { ok: false, error: toErrorReport(thrown) };
    }
  };
}
