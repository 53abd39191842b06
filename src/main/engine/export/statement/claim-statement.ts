/** A text of a statement. `missing`: what an auditor needs and the record lacks. */
export interface Text {
  readonly text: string;
  readonly tone?: 'missing' | 'strong' | 'faint';
}
export interface Field {
  readonly label: string;
  readonly value: Text;
  /** Aligned to the right, with digits below each other. */
  readonly isAmount?: true;
}
interface Column {
  readonly label: string;
  /** The width in points; null: what the other columns leave. */
  readonly width: number | null;
  readonly isAmount?: true;
}

/** A part of a statement, under its heading. */
export type Section = { readonly heading: string } & (
  | {
      readonly kind: 'pairs';
      readonly left: readonly Field[];
      readonly right: readonly Field[];
      readonly note?: string;
    }
  | {
      readonly kind: 'table';
      readonly columns: readonly Column[];
      readonly rows: readonly (readonly Text[])[];
    }
  | { readonly kind: 'text'; readonly paragraphs: readonly string[] }
);

export interface ClaimStatement {
  readonly claim: string;
  readonly subtitle: string;
  readonly verdict: {
    readonly isComplete: boolean;
    readonly title: string;
    readonly sentences: readonly string[];
  };
  readonly sections: readonly Section[];
}
