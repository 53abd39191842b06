import type { ICellRendererComp, ICellRendererParams } from 'ag-grid-community';
import type { Row } from '../../../../rules/query.ts';
import { drawIcon } from './draw-icon.ts';
import styles from './record-grid.module.css';

/** Who else of the team has a claim open, by claim. */
export type Openers = ReadonlyMap<number, string>;

const person = 'M8 7a4 4 0 1 0 8 0a4 4 0 0 0-8 0M5 21v-1a6 6 0 0 1 6-6h2a6 6 0 0 1 6 6v1';

/** Renders a claim's number with a mark where the claim is open elsewhere in the team. */
class OpenElsewhereCell implements ICellRendererComp<Row> {
  readonly #cell = document.createElement('span');
  readonly #number = document.createElement('span');
  readonly #mark = document.createElement('span');

  init(params: ICellRendererParams<Row>): void {
    this.#cell.className = styles.openElsewhere ?? '';
    this.#mark.setAttribute('role', 'img');
    this.#mark.append(drawIcon(person));
    this.#cell.append(this.#number, this.#mark);
    this.refresh(params);
  }

  refresh({ value, valueFormatted, context }: ICellRendererParams<Row>): boolean {
    const said = `${(context as { openers: Openers }).openers.get(Number(value)) ?? ''} has it open`;
    this.#number.textContent = valueFormatted ?? '';
    this.#mark.title = said;
    this.#mark.setAttribute('aria-label', said);
    return true;
  }

  getGui(): HTMLElement {
    return this.#cell;
  }
}

/** Other cells stay plain text, so that a list costs nothing more without a team. */
export const chooseNumberCell = ({ value, context }: ICellRendererParams<Row>) =>
  (context as { openers: Openers }).openers.has(Number(value)) ? { component: OpenElsewhereCell } : undefined;
