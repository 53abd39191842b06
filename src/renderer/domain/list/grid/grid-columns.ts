import type {
  ColDef,
  ICellRendererComp,
  ICellRendererParams,
  IHeaderParams,
  IInnerHeaderComponent,
  ValueGetterParams,
} from 'ag-grid-community';
import { formatCode } from '../../../../contract/code-labels.ts';
import { localDayOf } from '../../../../rules/days.ts';
import {
  type Entity,
  type FieldSpec,
  fieldsOf,
  isSortable,
  listNames,
} from '../../../../rules/list-fields.ts';
import { amountOfCell, isUnreadCell } from '../../../../rules/money/amounts.ts';
import { formatPersonName, personNames } from '../../../../rules/person-names.ts';
import type { Cell, Row, Sort } from '../../../../rules/query.ts';
import { reviewedFields } from '../../../../rules/review/reviewed-fields.ts';
import chips from '../../../components/status-chip.module.css';
import { toneOfCode } from '../../../lib/claim-status.ts';
import { formatDayFrom } from '../../../lib/format-date.ts';
import { exactTitle, unreadAmount } from '../../../lib/format-money.ts';
import { formatNames } from '../../../lib/format-name.ts';
import { formatCell, formatSsn } from '../../../lib/format-value.ts';
import { firstDirection } from '../describe-sort.ts';
import { type ListSettings, orderColumns } from '../list-settings.ts';
import { drawIcon } from './draw-icon.ts';
import { chooseNumberCell } from './open-elsewhere-cell.ts';
import styles from './record-grid.module.css';
import { serviceStatusColumn } from './service-status-cell.ts';

type Params = IHeaderParams & { isFiltered?: boolean };

const funnel = 'M4 5h16l-6 7.5v5.5l-4 2v-7.5z';

/**
 * The name of a column with the button that filters it. The grid moves the focus between headers itself, so the
 * button takes none: on the keyboard, `f` in the column does the same.
 */
class FilterHeader implements IInnerHeaderComponent {
  readonly #element = document.createElement('span');
  readonly #name = document.createElement('span');
  readonly #button = document.createElement('button');

  init(params: Params): void {
    this.#element.className = styles.head ?? '';
    this.#name.className = styles.headName ?? '';
    this.#button.type = 'button';
    this.#button.tabIndex = -1;
    this.#button.append(drawIcon(funnel));
    // Stops the event, because the grid's own listener would sort.
    for (const type of ['click', 'mousedown', 'pointerdown', 'dblclick', 'touchstart'] as const)
      this.#button.addEventListener(type, (event) => event.stopPropagation());
    this.#button.addEventListener('click', () => {
      this.#button.dispatchEvent(
        new CustomEvent('filtercolumn', { bubbles: true, detail: params.column.getColId() }),
      );
    });
    this.#element.append(this.#name, this.#button);
    this.refresh(params);
  }

  refresh(params: Params): boolean {
    this.#name.textContent = params.displayName;
    this.#button.className = [styles.funnel, params.isFiltered ? styles.funnelOn : ''].join(' ');
    this.#button.title = `Filter ${params.displayName}`;
    this.#button.setAttribute(
      'aria-label',
      `Filter ${params.displayName}${params.isFiltered ? ' (filtered)' : ''}`,
    );
    return true;
  }

  getGui(): HTMLElement {
    return this.#element;
  }
}

/** Columns with a few meaningful values, shown as a dot of color and the word. */
const chipColumns: ReadonlySet<string> = new Set(['status', 'review.state', 'review.outcome']);

/** A cell of such a column; a blank one is the grid's plain text. */
export class ChipCell implements ICellRendererComp<Row> {
  readonly #chip = document.createElement('span');

  init(params: ICellRendererParams<Row>): void {
    this.refresh(params);
  }

  refresh({ value, valueFormatted, column }: ICellRendererParams<Row>): boolean {
    const isBlank = value === null || value === undefined;
    const tone = isBlank ? null : toneOfCode(column?.getColId() ?? '', value);
    this.#chip.textContent = valueFormatted ?? '';
    this.#chip.className = isBlank ? '' : (chips.chip ?? '');
    if (tone === null) delete this.#chip.dataset.tone;
    else this.#chip.dataset.tone = tone;
    return true;
  }

  getGui(): HTMLElement {
    return this.#chip;
  }
}

/** How a list shows one of its fields. Absent values follow from the field's kind. */
export interface ColumnLayout {
  readonly path: string;
  readonly width?: number;
  /** The width of the window in pixels from which the column is shown by default; always where absent. */
  readonly fromPx?: number;
  /** The width that the column needs while something is beside the list, if more than its usual width. */
  readonly fittingWidth?: number;
  /** While something is beside the list, columns of rank 1 have space before those of rank 2, and these before others. */
  readonly besideRank?: 1 | 2;
  /** Its share of the remaining width. */
  readonly flex?: number;
  readonly header?: string;
  /** A click opens the row. */
  readonly isLink?: true;
}

const widths = {
  id: 92,
  integer: 100,
  number: 100,
  money: 108,
  text: 140,
  boolean: 96,
  date: 104,
  dateTime: 170,
  dateRange: 140,
} as const satisfies Record<FieldSpec['kind'], number>;

const isRightAligned = (spec: FieldSpec): boolean =>
  spec.kind === 'money' || spec.kind === 'number' || spec.kind === 'integer';

/** Days that say how long is left, or how long it has been. */
const daysFromToday: ReadonlySet<string> = new Set([
  'review.reminder',
  'facts.appeal_check_by',
  'facts.run_out_day',
  'facts.decide_by',
  'facts.due_day',
  'facts.pending_since',
]);
const daysFromTodayPx = 190;

/** Names of reviewed fields, with a space between them, as their labels. */
const labelFields = (names: string): string =>
  names
    .split(' ')
    .map((name) => reviewedFields.find((field) => field.name === name)?.label ?? name)
    .join(', ');

/** The width in pixels of a title with the mark of its sort beside it, and of its filter where it has one. */
const titlePx = (title: string, isFiltered: boolean): number =>
  (isFiltered ? 54 : 34) + Math.ceil(title.length * 7.2);

/** Returns a value as the cells of its column show it. */
function formatInColumn(spec: FieldSpec, value: Cell | undefined): string {
  if (spec.sensitivity === 'ssn') return formatSsn(value);
  const format = personNames.has(spec.path) ? formatPersonName : undefined;
  if (spec.isMany === true && typeof value === 'string') return formatNames(value, format);
  if (format !== undefined && typeof value === 'string') return format(value);
  if (daysFromToday.has(spec.path) && typeof value === 'string')
    return formatDayFrom(value, localDayOf(new Date()));
  if (spec.path === 'review.changed_fields' && typeof value === 'string') return labelFields(value);
  if (spec.path === 'review.changed_responsibility' && Number(value) > 0)
    return `+${formatCell(value, spec.kind)}`;
  if (isUnread(spec, value)) return `⚠ ${formatCell(value, 'text')}`;
  return formatCell(formatCode(spec.path, value), spec.kind);
}

/** Whether an amount is not a number: it is shown as received, with a mark. */
const isUnread = (spec: FieldSpec, value: Cell | undefined): boolean =>
  spec.kind === 'money' && isUnreadCell(value);

interface ColumnState {
  readonly layout: ColumnLayout | undefined;
  /** The width that the user set. */
  readonly width: number | undefined;
  readonly sort: readonly Sort[];
  readonly isFrozen: boolean;
  readonly isHidden: boolean;
  readonly isFiltered: boolean;
  /** Its cells show who else has the claim open. */
  readonly isClaimNumber: boolean;
  /** Owners with a mark: who is not in the team. */
  readonly isOutsider: (owner: string) => boolean;
}

/** The width of a column in pixels; of a flexible one, the smallest. */
function columnWidth(
  spec: FieldSpec,
  layout: ColumnLayout | undefined,
  setByPerson: number | undefined,
): number {
  return setByPerson ?? layout?.width ?? (daysFromToday.has(spec.path) ? daysFromTodayPx : widths[spec.kind]);
}

/** The width that a column needs beside a record or groups; where there is less, columns from the right are left out. */
export function fittingWidth(
  spec: FieldSpec,
  layout: ColumnLayout | undefined,
  setByPerson: number | undefined,
): number {
  return setByPerson ?? layout?.fittingWidth ?? columnWidth(spec, layout, setByPerson);
}

function columnOf(spec: FieldSpec, state: ColumnState): ColDef<Row> {
  const { layout, sort } = state;
  const title = layout?.header ?? spec.label;
  const isSorted = sort.some(({ field }) => field === spec.path);
  const width = Math.max(
    columnWidth(spec, layout, state.width),
    isSorted && state.width === undefined ? titlePx(title, state.isFiltered) : 0,
  );
  const isFlexible = layout?.flex !== undefined && state.width === undefined;
  return {
    colId: spec.path,
    sortable: isSortable(spec),
    hide: state.isHidden,
    pinned: state.isFrozen ? 'left' : null,
    headerComponentParams: {
      innerHeaderComponent: FilterHeader,
      innerHeaderComponentParams: { isFiltered: state.isFiltered },
    },
    headerName: title,
    valueGetter: (params: ValueGetterParams<Row>) => params.data?.[spec.path],
    // A row that is not loaded yet stays blank: a dash would mean that the service sent nothing.
    valueFormatter: ({ data, value }) => {
      if (data === undefined) return '';
      const isMarked = spec.path === 'review.owner' && typeof value === 'string' && state.isOutsider(value);
      return `${formatInColumn(spec, value)}${isMarked ? ' (not in the team)' : ''}`;
    },
    tooltipValueGetter: ({ value, valueFormatted }) => {
      if (isUnread(spec, value)) return unreadAmount;
      if (spec.kind === 'money') return exactTitle(amountOfCell(value)) ?? null;
      if (spec.isMany === true && typeof value === 'string') return listNames(value).join(', ');
      return spec.kind === 'text' ? valueFormatted : null;
    },
    ...(isRightAligned(spec) ? { type: 'rightAligned' } : {}),
    sortingOrder: firstDirection(spec.kind) === 'desc' ? ['desc', 'asc', null] : ['asc', 'desc', null],
    ...(chipColumns.has(spec.path) ? { cellRenderer: ChipCell } : {}),
    ...(state.isClaimNumber ? { cellRendererSelector: chooseNumberCell } : {}),
    ...(isFlexible ? { flex: layout.flex ?? 1, minWidth: width } : { width, flex: null }),
    cellClassRules: {
      [styles.link ?? 'link']: () => layout?.isLink === true,
      // A hyphen as wide as a digit would look like a dash in texts.
      [styles.number ?? 'number']: () => spec.kind !== 'text',
      [styles.zero ?? 'zero']: (params) => spec.kind === 'money' && params.value === 0,
      [styles.negative ?? 'negative']: (params) =>
        spec.kind === 'money' && typeof params.value === 'number' && params.value < 0,
    },
    sort: sort.find((entry) => entry.field === spec.path)?.direction ?? null,
    sortIndex: sort.some((entry) => entry.field === spec.path)
      ? sort.findIndex((entry) => entry.field === spec.path)
      : null,
  };
}

/**
 * Column definitions for the visible columns, frozen ones first; paths that are no column are skipped. A hidden
 * column that is sorted by is included, hidden, since the grid would drop the sort otherwise. The service status
 * comes after the frozen columns.
 */
export function gridColumns(
  entity: Entity,
  layouts: readonly ColumnLayout[],
  settings: Pick<ListSettings, 'columns' | 'frozen' | 'widths' | 'sort' | 'conditions'>,
  showsServiceStatus = false,
  isOutsider: (owner: string) => boolean = () => false,
): ColDef<Row>[] {
  const { columns, frozen, sort, conditions } = settings;
  const specs = new Map(fieldsOf[entity].map((spec) => [spec.path, spec]));
  const hidden = sort.map(({ field }) => field).filter((field) => !columns.includes(field));
  const shown = [...orderColumns(columns, frozen), ...hidden].flatMap((path) => {
    const spec = specs.get(path);
    if (spec === undefined) return [];
    return [
      columnOf(spec, {
        layout: layouts.find((layout) => layout.path === path),
        width: settings.widths[path],
        sort,
        isFrozen: frozen.includes(path),
        isHidden: !columns.includes(path),
        isFiltered: conditions.some(({ field }) => field === path),
        isClaimNumber: entity === 'claims' && path === 'id',
        isOutsider,
      }),
    ];
  });
  return showsServiceStatus
    ? [
        ...shown.slice(0, frozen.length),
        serviceStatusColumn(frozen.length > 0),
        ...shown.slice(frozen.length),
      ]
    : shown;
}
