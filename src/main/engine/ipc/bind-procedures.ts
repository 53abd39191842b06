import type { EngineProcedureName, Handlers, Output, ParsedInput } from '../../../contract/procedures.ts';

/** Procedures as functions that also take a shared context. */
export type ProceduresOver<Names extends EngineProcedureName, Context> = {
  readonly [P in Names]: (context: Context, input: ParsedInput<P>) => Promise<Output<P>> | Output<P>;
};

/** Binds the procedures to a context, which `open` may choose by the input. */
export function bindProcedures<Names extends EngineProcedureName, Context>(
  procedures: ProceduresOver<Names, Context>,
  open: (name: string, input: { workspaceId: string }) => Context | Promise<Context>,
): Handlers<Names> {
  const handlers = Object.entries(procedures).map(([name, answer]) => [
    name,
    async (input: { workspaceId: string }) =>
      (answer as (context: Context, input: unknown) => unknown)(await open(name, input), input),
  ]);
  return Object.fromEntries(handlers) as Handlers<Names>;
}
