import type { IInnerHeaderComponent } from 'ag-grid-community';
import styles from './record-grid.module.css';

/** The header of the checkbox column: a name for screen readers. */
export class SelectionHeader implements IInnerHeaderComponent {
  readonly #element = document.createElement('span');

  init(): void {
    this.#element.className = styles.named ?? '';
    this.#element.textContent = 'Selected';
  }

  refresh(): boolean {
    return true;
  }

  getGui(): HTMLElement {
    return this.#element;
  }
}
