import type { ICellRendererComp, ICellRendererParams } from 'ag-grid-community';
import type { Row } from '../../../../contract/query.ts';
import chips from '../../../components/status-chip.module.css';
import { toneOfCode } from '../../../lib/claim-status.ts';
import styles from './record-grid.module.css';

/** Columns whose values are few and mean something: shown as a chip with a color and the word. */
export const chipColumns: ReadonlySet<string> = new Set([
  'status',
  'network',
  'review.state',
  'review.outcome',
]);

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
    this.#chip.className = isBlank ? '' : `${chips.chip ?? ''} ${styles.chip ?? ''}`;
    if (tone === null) delete this.#chip.dataset.tone;
    else this.#chip.dataset.tone = tone;
    return true;
  }

  getGui(): HTMLElement {
    return this.#chip;
  }
}
