import type { EngineProcedureName, Handlers, Output, ParsedInput } from '../../../contract/procedures.ts';

/** Procedures as functions over what they have in common. */
export type ProceduresOver<Names extends EngineProcedureName, Context> = {
  readonly [P in Names]: (context: Context, input: ParsedInput<P>) => Promise<Output<P>> | Output<P>;
};

/** The same procedures over one context, which `open` may find by the input. */
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
