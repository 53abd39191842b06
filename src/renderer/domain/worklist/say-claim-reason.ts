import { formatCode } from '../../../contract/code-labels.ts';
import type { Row } from '../../../rules/query.ts';
import { sayReason } from '../../../rules/worklists/worklist-reasons.ts';
import type { WorklistId } from '../../../rules/worklists/worklist-table.ts';
import { formatDayOf } from '../../lib/format-date.ts';
import { formatCell } from '../../lib/format-value.ts';

/** Why a claim is in a worklist, by its values in the fields of the reason (`fieldsOfReason`). `today`: `YYYY-MM-DD`. */
export const sayClaimReason = (id: WorklistId, values: Row, today: string): string =>
  sayReason(id, values, today, (field, value, kind) =>
    kind === 'dateTime' ? formatDayOf(String(value)) : formatCell(formatCode(field, value), kind),
  );
