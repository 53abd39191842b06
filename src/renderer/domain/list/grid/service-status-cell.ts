import type { ColDef, ICellRendererComp, ICellRendererParams } from 'ag-grid-community';
import type { Row } from '../../../../rules/query.ts';
import { serviceStatusOf } from '../service-status.ts';
import styles from './record-grid.module.css';

/** Not a column of the service: shown while a list includes archived or missing records. */
export const serviceStatusPath = '$serviceStatus';
export const serviceStatusWidthPx = 184;

/** Whether a row is archived or no longer in the service, as a badge. */
class ServiceStatusCell implements ICellRendererComp<Row> {
  readonly #badge = document.createElement('span');

  init(params: ICellRendererParams<Row>): void {
    this.refresh(params);
  }

  refresh({ value }: ICellRendererParams<Row>): boolean {
    this.#badge.textContent = value ?? '';
    this.#badge.className = value ? (styles.serviceStatus ?? '') : '';
    return true;
  }

  getGui(): HTMLElement {
    return this.#badge;
  }
}

export const serviceStatusColumn = (isFrozen: boolean): ColDef<Row> => ({
  colId: serviceStatusPath,
  headerName: 'Service status',
  width: serviceStatusWidthPx,
  pinned: isFrozen ? 'left' : null,
  sortable: false,
  resizable: false,
  suppressMovable: true,
  flex: null,
  sort: null,
  valueGetter: ({ data }) => (data === undefined ? null : serviceStatusOf(data)),
  tooltipValueGetter: ({ value }) => value ?? null,
  cellRenderer: ServiceStatusCell,
});
