import type { z } from 'zod';
import {
  type Output as Answer,
  type Input,
  type ProcedureName,
  procedures,
} from '../../../contract/procedures.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { DeskError } from '../../lib/errors.ts';
import type { Printer } from './output.ts';
import { type Command, everywhere, type OptionName, oneOf, parseWhole } from './parse-command.ts';
import { inSession, inWorkspace, type Work, type Writes } from './run-in-session.ts';
import type { Session } from './session.ts';
import { UsageError } from './usage.ts';

/** Runs one command to its end; the exit code is 0 done, 1 failed, 2 wrong usage. */
export type Runner = (command: Command, output: Printer) => Promise<number>;

type Field<P extends ProcedureName> = keyof Input<P> & string;
/** The parts of a field's schema that are needed to read an option. */
type FieldSchema = z.ZodType & { readonly unwrap?: () => FieldSchema; readonly options?: readonly string[] };

/** A command that calls one procedure: its options are the fields of the input (`--setup-code` is `setupCode`). */
interface Row<P extends ProcedureName> {
  readonly call: P;
  /** Whether it takes the profile's write lock. */
  readonly writes?: Writes;
  /** The fields that the arguments after its words fill. `workspaceId` takes the name of a workspace too. */
  readonly arguments?: readonly Field<P>[];
  /** The fields of options that have another name. */
  readonly options?: { readonly [Name in OptionName]?: Field<P> };
  /** Values of fields that have no option, or whose option is absent. */
  readonly input?: Partial<Input<P>>;
  /** The printed values, one a line; if absent, the answer is printed. */
  readonly lines?: (
    answer: Answer<P>,
    called: { input: Input<P>; workspace: Workspace | null },
  ) => readonly unknown[];
  /** The next step for the user; null: nothing. */
  readonly info?: (answer: Answer<P>) => string | null;
}

/** The fields of a procedure's input. */
export const fieldsOf = (call: ProcedureName): Readonly<Record<string, FieldSchema>> =>
  (procedures[call].input as z.ZodObject).shape as Readonly<Record<string, FieldSchema>>;

export const toField = (option: string): string =>
  option.replace(/-(.)/g, (_dash, letter: string) => letter.toUpperCase());
const toOption = (field: string): string => field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Reads a value by the schema of its field. @throws UsageError */
function readField(schema: FieldSchema, given: unknown, name: string): unknown {
  let inner = schema;
  while (inner.unwrap !== undefined) inner = inner.unwrap();
  if (inner.def.type === 'enum') return oneOf(inner.options ?? [], String(given), name);
  const value = inner.def.type === 'number' ? parseWhole(String(given), name) : given;
  if (!schema.safeParse(value).success) throw new UsageError(`${name} has a value that isn’t allowed`);
  return value;
}

/** The input of a row's procedure by its arguments and options. @throws UsageError */
function readInput<P extends ProcedureName>(
  row: Row<P>,
  { words, options }: Command,
): Record<string, unknown> {
  const fields = fieldsOf(row.call);
  const input: Record<string, unknown> = { ...row.input };
  const args = row.arguments ?? [];
  for (const [at, field] of args.entries()) {
    const word = words[words.length - args.length + at] as string;
    input[field] = readField(fields[field] as FieldSchema, word, `the ${field}`);
  }
  for (const [name, value] of Object.entries(options)) {
    const field = fields[row.options?.[name as OptionName] ?? toField(name)];
    if (field === undefined || everywhere.includes(name as OptionName)) continue;
    input[row.options?.[name as OptionName] ?? toField(name)] = readField(field, value, `--${name}`);
  }
  for (const [field, schema] of Object.entries(fields))
    if (field !== 'workspaceId' && input[field] === undefined && !schema.safeParse(undefined).success)
      throw new UsageError(`--${toOption(field)} is required`);
  return input;
}

/** The workspace of a procedure; null if it needs none and there is none. @throws DeskError `workspace.*` */
async function findWorkspace(session: Session, field: FieldSchema | undefined, isNamed: boolean) {
  if (field === undefined) return null;
  return session.findWorkspace().catch((thrown) => {
    if ((thrown as DeskError).code !== 'workspace.missing') throw thrown;
    if (isNamed) throw new DeskError('workspace.unknown');
    if (field.safeParse(undefined).success) return null;
    throw thrown;
  });
}

/** Makes the command of a row. */
export function row<P extends ProcedureName>(made: Row<P>): Runner & { readonly row: Row<P> } {
  const run: Runner = (command, output) => {
    const { workspaceId: named, ...given } = readInput(made, command);
    const options = named === undefined ? command.options : { ...command.options, workspace: String(named) };
    return inSession({ options }, made.writes ?? false, async (session) => {
      const workspace = await findWorkspace(session, fieldsOf(made.call).workspaceId, named !== undefined);
      const input = { ...given, ...(workspace && { workspaceId: workspace.id }) } as Input<P>;
      const answer = await session.call(made.call, input);
      for (const line of made.lines?.(answer, { input, workspace }) ?? [answer]) await output.json(line);
      const info = made.info?.(answer) ?? null;
      if (info !== null) output.info(info);
      return 0;
    });
  };
  return Object.assign(run, { row: made });
}

/** Makes a command that does more than call one procedure, in the workspace that is named, or the only one. */
export const inWork =
  (writes: Writes, act: (work: Work) => Promise<unknown>): Runner =>
  (command, output) =>
    inWorkspace(command, writes, (session, workspaceId) => act({ session, workspaceId, command, output }));
