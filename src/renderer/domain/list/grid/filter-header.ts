import type { IHeaderParams, IInnerHeaderComponent } from 'ag-grid-community';
import styles from './record-grid.module.css';

type Params = IHeaderParams & { isFiltered?: boolean };

/** A funnel icon, built as elements: the content security policy allows no markup from text. */
function drawFunnel(): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const icon = document.createElementNS(space, 'svg');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', 'M4 5h16l-6 7.5v5.5l-4 2v-7.5z');
  icon.append(path);
  return icon;
}

/**
 * The name of a column with the button that filters it. The grid moves the focus between headers itself, so the
 * button takes none: on the keyboard, `f` in the column does the same.
 */
export class FilterHeader implements IInnerHeaderComponent {
  readonly #element = document.createElement('span');
  readonly #name = document.createElement('span');
  readonly #button = document.createElement('button');

  init(params: Params): void {
    this.#element.className = styles.head ?? '';
    this.#name.className = styles.headName ?? '';
    this.#button.type = 'button';
    this.#button.tabIndex = -1;
    this.#button.append(drawFunnel());
    // Otherwise the grid's own listener would sort.
    for (const type of ['click', 'mousedown', 'pointerdown', 'dblclick', 'touchstart'] as const) {
      this.#button.addEventListener(type, (event) => event.stopPropagation());
    }
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
