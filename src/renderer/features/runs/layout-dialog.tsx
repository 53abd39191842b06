import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { formatCountOf } from '../../../rules/count.ts';
import { employerKeyOf, serviceOf } from '../../../rules/money/reimbursement.ts';
import {
  columnsOf,
  guardedTexts,
  isOfClaim,
  type LayoutField,
  layoutAmounts,
  layoutDates,
  layoutFieldNames,
  layoutFields,
  type RunLayout,
  runLayoutSchema,
} from '../../../rules/review/run-layout.ts';
import { isSameJson } from '../../../rules/review/same-value.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Dialog, DialogForm } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Scrollable } from '../../components/scrollable.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useWorkspaceSettings } from '../../domain/workspace/use-workspace-settings.ts';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { EmployerSelect } from './employer-select.tsx';
import type { OpenRun, SavedFile } from './open-run.ts';
import { employersAtFirst, useRunFile } from './run-file.tsx';
import { useMarked } from './use-marked.tsx';

interface Props {
  run: OpenRun;
  onClose: () => void;
  onSaved: (file: SavedFile) => void;
}

/** Chooses the layout of the file of a run, shows its first rows, and saves the file. */
export const LayoutDialog = ({ isOpen, ...props }: Props & { isOpen: boolean }) => (
  <Dialog isOpen={isOpen} onClose={props.onClose} title="File layout" size="xl" closeOnClickOutside={false}>
    <ChooseEmployer {...props} />
  </Dialog>
);

/** The file has the claims of one employer, or of all. */
function ChooseEmployer(props: Props) {
  const { employers } = props.run.totals;
  const [chosen, setChosen] = useState(employersAtFirst(props.run));
  return (
    <Stack gap="sm">
      <EmployerSelect employers={employers} value={chosen} onChange={setChosen} />
      <LayoutForm key={chosen} {...props} chosen={chosen} />
    </Stack>
  );
}

/** The options of a layout; the delimiter applies to CSV only. */
const layoutSelects = [
  [
    'rows',
    'Rows',
    [
      { value: 'member', label: 'One for each member' },
      { value: 'claim', label: 'One for each claim' },
      { value: 'line', label: 'One for each claim line' },
    ],
  ],
  [
    'format',
    'File type',
    [
      { value: 'xlsx', label: 'Excel' },
      { value: 'csv', label: 'CSV' },
    ],
  ],
  [
    'delimiter',
    'Delimiter',
    [
      { value: ',', label: 'Comma' },
      { value: ';', label: 'Semicolon' },
      { value: '\t', label: 'Tab' },
      { value: '|', label: 'Vertical bar' },
    ],
  ],
  ['dates', 'Dates', [...layoutDates]],
  ['amounts', 'Amounts', [...layoutAmounts]],
] as const;

function LayoutForm(props: Props & { chosen: string }) {
  const workspace = useWorkspace();
  const { run, chosen, onClose } = props;
  const { settings, save, error } = useWorkspaceSettings();
  const { of, employerId, layout: kept, save: saveRunFile } = useRunFile(run, chosen, props.onSaved);
  const [layout, setLayout] = useState<RunLayout>(kept);
  const change = (part: Partial<RunLayout>) => setLayout({ ...layout, ...part });
  const marked = useMarked(run);
  const isReady = runLayoutSchema.safeParse(layout).success && columnsOf(layout).length > 0;
  const preview = useWorkspaceQuery(
    'runs:preview',
    { ...of, layout },
    { enabled: isReady, keepsPrevious: true },
  );
  const saveFile = () => {
    if (!isSameJson(layout, kept)) {
      const key = employerKeyOf(serviceOf(workspace), employerId);
      save({ runLayouts: { ...settings.runLayouts, [key]: layout } }, [
        { setting: 'runLayout', employerId, value: layout },
      ]);
    }
    onClose();
    saveRunFile(layout, preview.data?.rows ?? 0);
  };
  return (
    <DialogForm
      action="Save file…"
      isReady={isReady && marked.isAnswered}
      onCancel={onClose}
      onSubmit={saveFile}
    >
      <Group gap="sm" align="flex-end">
        {layoutSelects.map(
          ([field, label, data]) =>
            (field !== 'delimiter' || layout.format === 'csv') && (
              <NativeSelect
                key={field}
                label={label}
                value={layout[field]}
                onChange={(event) => change({ [field]: event.currentTarget.value })}
                data={data}
              />
            ),
        )}
      </Group>
      <LayoutColumns layout={layout} onChange={(columns) => change({ columns })} />
      {isReady && preview.data !== undefined && (
        <>
          <Scrollable label="Preview">
            <DataTable
              label="Preview"
              verticalSpacing={3}
              rows={preview.data.first}
              columns={columnsOf(layout).map(
                ({ header }, index) => [header, (row: string[]) => row[index] ?? ''] as const,
              )}
            />
          </Scrollable>
          <SmallPrint>
            The first rows of {formatCountOf(preview.data.rows, 'row')}. The layout is kept for{' '}
            {employerId === null ? 'all employers without their own' : 'this employer'}.
          </SmallPrint>
        </>
      )}
      {!isReady && (
        <SmallPrint role="status">Give each column a name, and have one with the amount.</SmallPrint>
      )}
      {guardedTexts(layout).length > 0 && (
        <SmallPrint role="status">
          The file has an apostrophe before {guardedTexts(layout).join(', ')}, because a spreadsheet would run
          this text as a formula.
        </SmallPrint>
      )}
      {marked.question}
      <ErrorNotice error={preview.error ?? error} />
    </DialogForm>
  );
}

/** The columns in their order: what each has, its name, and the text of a fixed one. */
function LayoutColumns(props: { layout: RunLayout; onChange: (columns: RunLayout['columns']) => void }) {
  const { layout, onChange } = props;
  const { columns, rows } = layout;
  const offered = layoutFieldNames.filter((field) => rows !== 'member' || !isOfClaim(field));
  const replace = (at: number, part: Partial<RunLayout['columns'][number]>) =>
    onChange(columns.map((column, index) => (index === at ? { ...column, ...part } : column)));
  const move = (at: number, offset: number) => {
    const moved = [...columns];
    moved.splice(at + offset, 0, ...moved.splice(at, 1));
    onChange(moved);
  };
  return (
    <Stack gap={6} role="group" aria-label="Columns">
      {columns.map(({ field, header, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is known by its place alone
        <Group key={at} gap={6} wrap="nowrap">
          <NativeSelect
            aria-label={`Column ${at + 1}`}
            value={field}
            onChange={(event) => {
              const next = event.currentTarget.value as LayoutField;
              const isUsual = header === layoutFields[field].label;
              replace(at, { field: next, ...(isUsual ? { header: layoutFields[next].label } : {}) });
            }}
            data={[...new Set([...offered, field])].map((value) => ({
              value,
              label: `${layoutFields[value].label}${offered.includes(value) ? '' : ' (claims only)'}`,
            }))}
          />
          <TextField
            aria-label={`Name of column ${at + 1}`}
            maxLength={80}
            value={header}
            onChange={(typed) => replace(at, { header: typed })}
          />
          {field === 'fixed' && (
            <TextField
              aria-label={`Text of column ${at + 1}`}
              placeholder="Text"
              maxLength={200}
              value={text ?? ''}
              onChange={(typed) => replace(at, { text: typed })}
            />
          )}
          <IconButton
            label={`Move column ${at + 1} up`}
            disabled={at === 0}
            onClick={() => move(at, -1)}
            icon={<IconArrowUp size={14} aria-hidden />}
          />
          <IconButton
            label={`Move column ${at + 1} down`}
            disabled={at === columns.length - 1}
            onClick={() => move(at, 1)}
            icon={<IconArrowDown size={14} aria-hidden />}
          />
          <IconButton
            label={`Remove column ${at + 1}`}
            disabled={columns.length === 1}
            onClick={() => onChange(columns.filter((_one, index) => index !== at))}
            icon={<IconX size={14} aria-hidden />}
          />
        </Group>
      ))}
      <Button
        size="compact-sm"
        variant="default"
        mr="auto"
        disabled={columns.length >= 40}
        onClick={() => onChange([...columns, { field: 'fixed', header: layoutFields.fixed.label, text: '' }])}
      >
        Add column
      </Button>
    </Stack>
  );
}
