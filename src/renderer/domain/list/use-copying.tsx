import { useState } from 'react';
import { copiedWithoutReason, isReason } from '../../../contract/export.ts';
import { findExportColumn, needsReason } from '../../../contract/export-columns.ts';
import type { ErrorReport } from '../../../contract/result.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { Dialog, DialogForm } from '../../components/dialog.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { reportOf } from '../../lib/desk-error.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { columnsToCopy, copyRows } from './copy-rows.ts';
import type { RememberedList } from './list-memory.tsx';
import { noReason, ReasonChoice, reasonText } from './reason-choice.tsx';
import { countRows, type RowRanges } from './row-ranges.ts';

const whenCleared = {
  electron: 'The clipboard is cleared after a minute.',
  browser:
    'The clipboard is cleared after a minute only if this tab is in front; clear it yourself otherwise.',
} as const;

interface Wanted {
  readonly ranges: RowRanges;
  /** One cell by the path of its column; all shown columns where absent. */
  readonly cell?: string | undefined;
}

/**
 * Copies rows and reports how many. Asks for a reason, in `dialog`, only for many rows of people and where the
 * organization requires one.
 */
export function useCopying(list: RememberedList, singular: string, plural: string) {
  const bridge = useBridge();
  const [said, setSaid] = useState('');
  const [error, setError] = useState<ErrorReport | null>(null);
  const [asked, setAsked] = useState<Wanted | null>(null);
  const { requireExportReason } = useDeskQuery('app:getInfo', {}).data?.policy ?? {};
  const isExplained = ({ ranges, cell }: Wanted): boolean => {
    if (requireExportReason === true) return true;
    if (countRows(ranges) <= copiedWithoutReason) return false;
    const source = { kind: 'list' as const, query: { entity: list.plan.entity } };
    const paths = cell === undefined ? columnsToCopy(list) : [cell];
    return needsReason(paths.flatMap((path) => findExportColumn(source, path) ?? []));
  };
  const run = ({ ranges, cell }: Wanted, reason?: string) => {
    setError(null);
    setAsked(null);
    copyRows(bridge, list, ranges, { cell, reason }).then(
      (rows) => {
        const what = cell === undefined ? formatCountOf(rows, singular, plural) : 'Cell';
        setSaid(`${what} copied. ${whenCleared[bridge.shell]}`);
      },
      (thrown: unknown) => setError(reportOf(thrown)),
    );
  };
  const copy = (ranges: RowRanges, cell?: string) => {
    const request = { ranges, cell };
    if (isExplained(request)) setAsked(request);
    else run(request);
  };
  const dialog = (
    <Dialog isOpen={asked !== null} onClose={() => setAsked(null)} title="Copy">
      {asked !== null && (
        <CopyReason onCopy={(reason) => run(asked, reason)} onClose={() => setAsked(null)} />
      )}
    </Dialog>
  );
  return { said, error, dialog, copy, copySelected: () => copy(list.selection.getRanges()) };
}

function CopyReason(props: { onCopy: (reason: string) => void; onClose: () => void }) {
  const [reason, setReason] = useState(noReason);
  const why = reasonText(reason);
  return (
    <DialogForm
      onSubmit={() => isReason(why) && props.onCopy(why)}
      onCancel={props.onClose}
      action="Copy"
      isReady={isReason(why)}
    >
      <ReasonChoice reason={reason} onChange={setReason} />
    </DialogForm>
  );
}
