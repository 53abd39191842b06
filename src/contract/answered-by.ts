import { type ProcedureName, procedures } from './procedures.ts';

/**
 * The process that answers each procedure. The window and the preload are built with this table alone, without the schemas
 * that it is made from: only the process that answers uses them, and making them took a sixth of the window's evaluation.
 */
export const answeredBy = Object.fromEntries(
  Object.entries(procedures).map(([name, { answeredBy }]) => [name, answeredBy]),
) as Readonly<Record<ProcedureName, 'main' | 'engine'>>;

export const procedureNames = Object.keys(answeredBy) as ProcedureName[];
