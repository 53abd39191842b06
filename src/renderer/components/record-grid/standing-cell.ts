import type { ColDef, ICellRendererComp, ICellRendererParams } from 'ag-grid-community';
import type { Row } from '../../../contract/query.ts';
import { standingOf } from '../../lib/standing.ts';
import styles from './record-grid.module.css';

/** No column of the service's: it is there while a list shows what it usually leaves out. */
export const standingPath = '$standing';

/** The standing of a row as a badge. */
class StandingCell implements ICellRendererComp<Row> {
  readonly #badge = document.createElement('span');

  init(params: ICellRendererParams<Row>): void {
    this.refresh(params);
  }

  refresh({ value }: ICellRendererParams<Row>): boolean {
    this.#badge.textContent = value ?? '';
    this.#badge.className = value ? (styles.standing ?? '') : '';
    return true;
  }

  getGui(): HTMLElement {
    return this.#badge;
  }
}

export const standingColumn = (isFrozen: boolean): ColDef<Row> => ({
  colId: standingPath,
  headerName: 'Standing',
  width: 142,
  pinned: isFrozen ? 'left' : null,
  sortable: false,
  resizable: false,
  suppressMovable: true,
  flex: null,
  sort: null,
  valueGetter: ({ data }) => (data === undefined ? null : standingOf(data)),
  tooltipValueGetter: ({ value }) => value ?? null,
  cellRenderer: StandingCell,
});
