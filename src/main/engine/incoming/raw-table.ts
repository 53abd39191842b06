/** A row of a file as texts. `line`: its line in a CSV file, or its row in a sheet, from 1. */
export interface RawRow {
  readonly line: number;
  /** Missing cells are blank. */
  readonly cells: readonly (string | undefined)[];
}

export interface RawSheet {
  /** Null: the file is a CSV file. */
  readonly name: string | null;
  readonly rows: readonly RawRow[];
  /** Lines with an open quote. */
  readonly broken: readonly number[];
}

export interface RawTable {
  readonly sheets: readonly RawSheet[];
  /** The separator of a CSV file; null: it is a workbook. */
  readonly separator: string | null;
}

/** The largest file that is read; for a workbook, these are unpacked sizes. */
export const limits = {
  fileBytes: 20_000_000,
  unpackedBytes: 100_000_000,
  rows: 200_000,
  columns: 500,
  cells: 2_000_000,
} as const;
