import { type ExportFormat, isReason } from '../../../contract/export.ts';
import type { Policy } from '../../../contract/policy.ts';
import { DeskError } from '../../lib/errors.ts';

/**
 * Throws where the policy of this computer does not allow that records leave Claimdesk as requested.
 * @throws DeskError `policy.ssnMasked`, `policy.reasonNeeded`, `policy.formatNotAllowed`
 */
export function checkExportPolicy(
  { allowSsnExport, requireExportReason, exportFormats }: Policy,
  options: { readonly isSsnShown: boolean; readonly reason: string; readonly format?: ExportFormat },
): void {
  if (allowSsnExport === false && options.isSsnShown) throw new DeskError('policy.ssnMasked');
  if (requireExportReason === true && !isReason(options.reason)) throw new DeskError('policy.reasonNeeded');
  if (options.format !== undefined && exportFormats?.includes(options.format) === false)
    throw new DeskError('policy.formatNotAllowed');
}
