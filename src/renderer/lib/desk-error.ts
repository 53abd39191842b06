import type { DeskBridge } from '../../contract/bridge.ts';
import { errorTable } from '../../contract/error-codes.ts';
import type { Input, Output, ProcedureName } from '../../contract/procedures.ts';
import type { ErrorReport } from '../../contract/result.ts';

/** A failed call, with its report: code, plain sentence, one next step. */
export class DeskError extends Error {
  readonly report: ErrorReport;

  constructor(report: ErrorReport) {
    super(report.message);
    this.name = 'DeskError';
    this.report = report;
  }
}

/** The report of anything thrown; anything but a DeskError is a fault of Claimdesk. */
export function reportOf(error: unknown): ErrorReport {
  if (error instanceof DeskError) return error.report;
  return errorTable['internal.fault'];
}

/** The report for a receipt, which has only the code and the request ID. */
export function reportOfCode(code: string | null, requestId: string | null): ErrorReport {
  const knownCode =
    code !== null && Object.hasOwn(errorTable, code) ? (code as keyof typeof errorTable) : 'internal.fault';
  return { ...errorTable[knownCode], ...(requestId === null ? {} : { requestId }) };
}

/** Calls a procedure and returns its value. @throws DeskError with the report of the answer. */
export async function ask<P extends ProcedureName>(
  bridge: DeskBridge,
  procedure: P,
  input: Input<P>,
): Promise<Output<P>> {
  const result = await bridge.call[procedure](input);
  if (result.ok) return result.value;
  throw new DeskError(result.error);
}

/** Details for support: no personal data, because a report has none. */
export const describeForSupport = (report: ErrorReport, at: Date): string =>
  [
    `Claimdesk error ${report.code}`,
    report.message,
    ...(report.requestId === undefined ? [] : [`Request ID: ${report.requestId}`]),
    `Time: ${at.toISOString()}`,
  ].join('\n');
