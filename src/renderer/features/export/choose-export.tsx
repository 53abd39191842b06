import { Button, Checkbox, Group, NativeSelect, SegmentedControl, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import {
  type ExportFormat,
  type ExportSource,
  isOfPages,
  isReason,
  tableFormats,
  tableOf,
} from '../../../contract/export.ts';
import {
  type ExportColumn,
  exportColumnsOf,
  listsOf,
  needsReason,
  presetsOf,
  toUnknownColumn,
} from '../../../contract/export-columns.ts';
import type { ErrorReport } from '../../../contract/result.ts';
import { formatCount } from '../../../rules/count.ts';
import { formatDay, localDayOf } from '../../../rules/days.ts';
import { type LetterKind, letterKinds, letterTable } from '../../../rules/letters/letter-kinds.ts';
import { ReportNotice } from '../../components/error-notice.tsx';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Hint, Status } from '../../components/text.tsx';
import { nounsOf } from '../../domain/list/open-record.ts';
import { noReason, ReasonChoice, reasonText, reimbursement } from '../../domain/list/reason-choice.tsx';
import { useIsReader } from '../../domain/team/use-is-reader.ts';
import type { ExportRequest } from '../../lib/app-actions.tsx';
import { isMaskedAtDesk } from '../../lib/desk-mask.ts';
import { useDeskQuery, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { useDeskMode } from '../../lib/use-desk-mode.ts';
import { useSaveLabel } from '../../lib/use-save-label.ts';
import { useSettings } from '../../lib/use-settings.ts';
import { ColumnChoice } from './column-choice.tsx';
import { type ColumnSet, columnSetLabels, columnsOfSet, describeWhatLeaves } from './column-sets.ts';
import styles from './export-dialog.module.css';
import { maxPrintedRows, type readPrinted } from './read-printed.ts';
import type { ChosenExport } from './use-export.ts';

type Shape = 'records' | 'claimLines' | 'payments' | 'statements' | 'letters' | 'groups';
type TableFormat = (typeof tableFormats)[number];

/** A labeled row of choices. */
function Choice<Value extends string>(props: {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  data: readonly { value: Value; label: string; disabled?: boolean }[];
}) {
  return (
    <div>
      <Text size="sm" fw={600} mb={4} aria-hidden>
        {props.label}
      </Text>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={props.label}
        value={props.value}
        onChange={(value) => props.onChange(value as Value)}
        data={[...props.data]}
      />
    </div>
  );
}

const formatLabels: Readonly<Record<TableFormat, string>> = {
  xlsx: 'Excel',
  'excel-csv': 'CSV for Excel',
  csv: 'CSV for systems',
};
const formats = tableFormats.map((value) => ({ value, label: formatLabels[value] }));

const letterFormats = [
  { value: 'pdf', label: 'PDF' },
  { value: 'text', label: 'Text for mail' },
] as const;

/** Returns what the file contains: a list's records, claim lines, payments, statements, letters or groups. */
function makeSource({ source, groupBy }: ExportRequest, shape: Shape, letter: LetterKind): ExportSource {
  if (source.kind !== 'list') return source;
  if (shape === 'letters') return { kind: shape, query: source.query, letter, typed: {} };
  if (shape === 'claimLines' || shape === 'payments' || shape === 'statements')
    return { kind: shape, query: source.query };
  if (shape === 'groups' && groupBy) return { kind: 'groups', query: source.query, by: groupBy };
  return source;
}

/** The heading of a printed list. */
const titleOf = (source: ExportSource, today: Date): string =>
  `${source.kind === 'list' ? nounsOf[source.query.entity].title : 'Claims with lines'}, ${formatDay(localDayOf(today))}`;

/** The number of people in the claims of a list; null while it is not known, or where the list has no claims. */
function usePeople(source: ExportSource): number | null {
  const { sort: _sort, ...query } = 'query' in source ? source.query : { entity: 'claims' as const };
  const isOfClaims = 'query' in source && query.entity === 'claims';
  const groups = useWorkspaceQuery(
    'records:group',
    {
      query: {
        ...query,
        conditions: [
          ...(query.conditions ?? []),
          { field: 'members.id', operator: 'isNotEmpty' as const, values: [] },
        ],
      },
      by: 'members.id',
      limit: 1,
    },
    { enabled: isOfClaims },
  );
  return isOfClaims ? (groups.data?.total ?? null) : null;
}

/** Fields that came with claims or lines and that Claimdesk does not know, as columns of the file. */
function useUnknownColumns(source: ExportSource): ExportColumn[] {
  const lists = listsOf(source);
  const prefixOf = (list: 'claims' | 'lines') => lists.find(({ entity }) => entity === list)?.prefix;
  const [ofClaims, ofLines] = [prefixOf('claims'), prefixOf('lines')];
  const claims = useWorkspaceQuery(
    'records:listUnknownFields',
    { list: 'claims' },
    { enabled: ofClaims !== undefined },
  );
  const lines = useWorkspaceQuery(
    'records:listUnknownFields',
    { list: 'lines' },
    { enabled: ofLines !== undefined },
  );
  const toColumns = (prefix: string | undefined, fields: readonly string[] = []): ExportColumn[] =>
    prefix === undefined ? [] : fields.map((name) => toUnknownColumn(prefix, name));
  return [...toColumns(ofClaims, claims.data?.fields), ...toColumns(ofLines, lines.data?.fields)];
}

/** Form, rows, columns and reason of an export. */
export function ChooseExport(props: {
  request: ExportRequest;
  error: ErrorReport | null;
  onStart: (chosen: ChosenExport) => void;
  onPrint: (printRequest: Parameters<typeof readPrinted>[2]) => void;
  onClose: () => void;
}) {
  const { request } = props;
  const { requireExportReason, exportFormats } = useDeskQuery('app:getInfo', {}).data?.policy ?? {};
  const isAllowed = (value: ExportFormat) => exportFormats?.includes(value) !== false;
  const settings = useSettings();
  const saveLabel = useSaveLabel();
  const isReader = useIsReader();
  const { isOn: isDeskMode } = useDeskMode();
  const isOffered = (path: string) =>
    !isDeskMode || !(isMaskedAtDesk(path) || path === 'before' || path === 'after');
  const layout = request.source.kind === 'run' ? request.source.layout : null;
  const [tableFormat, setTableFormat] = useState<TableFormat>(
    layout?.format ?? [settings.exportFormat, ...tableFormats].find(isAllowed) ?? settings.exportFormat,
  );
  const [isSelection, setIsSelection] = useState(request.selected !== undefined);
  const [shape, setShape] = useState<Shape>('records');
  const [letter, setLetter] = useState<LetterKind>('notEligible');
  const [letterFormat, setLetterFormat] = useState<'pdf' | 'text'>('pdf');
  const source = makeSource(request, shape, letter);
  const isPages = isOfPages(source);
  const format = source.kind === 'letters' ? letterFormat : isPages ? 'pdf' : tableFormat;
  const table = tableOf(source);
  const isFixed = presetsOf(table).length === 1;
  const sets: readonly ColumnSet[] = ['shown', ...presetsOf(table)];
  const [set, setSet] = useState<ColumnSet>('shown');
  /** Columns chosen by the user; null: those of the chosen set. */
  const [ticked, setTicked] = useState<ReadonlySet<string> | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [reason, setReason] = useState(layout === null ? noReason : reimbursement);
  const [isSigned, setIsSigned] = useState(settings.exportIsSigned);
  const unknown = useUnknownColumns(source);
  const offered = [...exportColumnsOf(source), ...unknown].filter(({ path }) => isOffered(path));
  const usual = isFixed ? offered.map(({ path }) => path) : columnsOfSet(source, set, request.shownColumns);
  const chosen = new Set([...(ticked ?? usual)].filter(isOffered));
  const columns = [...chosen].flatMap((path) => offered.find((column) => column.path === path) ?? []);
  const { removal } = request;
  const people = usePeople(request.source);
  const leaves = describeWhatLeaves(columns, isSelection || removal !== undefined ? null : people);
  const wantsReason = needsReason(columns) || requireExportReason === true;
  const why = wantsReason ? reasonText(reason) : '';
  const isReady = isAllowed(format) && columns.length > 0 && (!wantsReason || isReason(why));
  const start = () =>
    props.onStart({
      source,
      format,
      columns: columns.map(({ path }) => path),
      ...(why === '' ? {} : { reason: why }),
      ...(isSigned ? { isSigned } : {}),
      ...(layout?.format === 'csv' ? { delimiter: layout.delimiter } : {}),
      ...(removal === undefined ? {} : { removal }),
      ...(isSelection && request.selected !== undefined && table !== 'groups'
        ? { selected: { snapshotId: request.selected.snapshotId, places: request.selected.places } }
        : {}),
    });
  const chooseShape = (next: Shape) => {
    setShape(next);
    setTicked(null);
    setSet('shown');
  };
  const isPrintable = !isFixed && removal === undefined;
  const printedRows = isSelection ? (request.selected?.count ?? 0) : request.total;
  const isOfClaims = request.source.kind === 'list' && request.source.query.entity === 'claims';
  const hasGroups = typeof request.groupBy === 'string';
  return (
    <Form onSubmit={() => isReady && start()} gap="md">
      {props.error !== null && <ReportNotice report={props.error} title="Couldn’t export" />}
      {layout === null && !isPages && (
        <Choice
          label="Format"
          value={tableFormat}
          onChange={setTableFormat}
          data={formats.map((choice) => ({ ...choice, disabled: !isAllowed(choice.value) }))}
        />
      )}
      {exportFormats !== undefined && (
        <Hint>
          {isAllowed(format)
            ? 'Some file types are off, set by your IT.'
            : 'This file type is off, set by your IT.'}
        </Hint>
      )}
      {(isOfClaims || hasGroups) && (
        <Choice
          label="Contents"
          value={shape}
          onChange={chooseShape}
          data={[
            { value: 'records', label: isOfClaims ? 'Claims' : 'Records' },
            ...(isOfClaims
              ? [
                  { value: 'claimLines' as const, label: 'Claims with lines' },
                  { value: 'payments' as const, label: 'Payments' },
                  { value: 'statements' as const, label: 'Statements' },
                  ...(isReader ? [] : [{ value: 'letters' as const, label: 'Letters' }]),
                ]
              : []),
            ...(hasGroups ? [{ value: 'groups' as const, label: 'Groups with sums' }] : []),
          ]}
        />
      )}
      {request.selected !== undefined && table !== 'groups' && (
        <Choice
          label="Rows"
          value={isSelection ? 'selected' : 'all'}
          onChange={(value) => setIsSelection(value === 'selected')}
          data={[
            { value: 'selected', label: `Selected (${formatCount(request.selected.count)})` },
            { value: 'all', label: `All (${formatCount(request.total)})` },
          ]}
        />
      )}
      {shape === 'letters' && (
        <NativeSelect
          label="Letter"
          value={letter}
          onChange={(event) => setLetter(event.currentTarget.value as LetterKind)}
          data={letterKinds
            .filter((kind) => letterTable[kind].typedLabel === undefined)
            .map((kind) => ({ value: kind, label: letterTable[kind].label }))}
        />
      )}
      {source.kind === 'letters' && (
        <>
          <Choice
            label="Format"
            value={letterFormat}
            onChange={setLetterFormat}
            data={letterFormats.map((choice) => ({ ...choice, disabled: !isAllowed(choice.value) }))}
          />
          <Hint>
            One letter for each claim, in the order of the list, with the amounts of its decision. Each is
            recorded on its claim. Claims whose letter lacks a part are left out and listed.
          </Hint>
        </>
      )}
      {source.kind === 'statements' && (
        <Hint>
          A PDF to save or print, with at least one page for each claim: the expense by the carrier’s data,
          missing items, the decision, payments, and the sync it comes from. Notes are left out.
        </Hint>
      )}
      {!isFixed && (
        <div>
          <NativeSelect
            label={`Columns (${columns.length})`}
            value={ticked === null ? set : 'ticked'}
            onChange={(event) => {
              setTicked(null);
              setSet(event.currentTarget.value as ColumnSet);
            }}
            data={[
              ...sets.map((columnSet) => ({ value: columnSet, label: columnSetLabels[columnSet] })),
              ...(ticked === null ? [] : [{ value: 'ticked', label: 'As checked below', disabled: true }]),
            ]}
          />
          <UnstyledButton
            className={styles.disclosure ?? ''}
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
            Choose columns
          </UnstyledButton>
          {isOpen && <ColumnChoice columns={offered} chosen={chosen} onChange={setTicked} />}
        </div>
      )}
      {wantsReason && <ReasonChoice reason={reason} onChange={setReason} />}
      <Checkbox
        size="xs"
        checked={isSigned}
        onChange={(event) => setIsSigned(event.currentTarget.checked)}
        label="Sign the file"
        description="Saves a signature by this workspace’s SSH key beside it, which shows later whether the file was changed."
      />
      {leaves !== null ? (
        <Notice tone="caution" p="xs">
          <Status>
            The file will include {leaves}. It is not encrypted: keep it in a protected folder.
            {isDeskMode && ' Columns hidden by privacy mode are left out.'}
          </Status>
        </Notice>
      ) : (
        <Hint role="status">
          This file doesn’t identify anyone. It isn’t encrypted.
          {isDeskMode && ' Columns hidden by privacy mode are left out.'}
        </Hint>
      )}
      <Group justify="flex-end" data-dialog-end>
        {isPrintable && (
          <Button
            variant="default"
            mr="auto"
            leftSection={<IconPrinter size={14} aria-hidden />}
            disabled={!isReady || printedRows > maxPrintedRows}
            onClick={() =>
              props.onPrint({
                source,
                columns,
                isSelection,
                reason: why === '' ? undefined : why,
                title: titleOf(source, new Date()),
              })
            }
          >
            Print…
          </Button>
        )}
        <Button variant="default" onClick={props.onClose}>
          Close
        </Button>
        <Button type="submit" disabled={!isReady} {...(wantsReason ? {} : { 'data-autofocus': true })}>
          {saveLabel}
        </Button>
      </Group>
    </Form>
  );
}
