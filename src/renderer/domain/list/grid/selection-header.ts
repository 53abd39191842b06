import type { IInnerHeaderComponent } from 'ag-grid-community';
import styles from './record-grid.module.css';

/** The head of the column of checkboxes: a name for those who listen. */
export class SelectionHeader implements IInnerHeaderComponent {
  readonly #element = document.createElement('span');

  init(): void {
    this.#element.className = styles.heard ?? '';
    this.#element.textContent = 'Selected';
  }

  refresh(): boolean {
    return true;
  }

  getGui(): HTMLElement {
    return this.#element;
  }
}
