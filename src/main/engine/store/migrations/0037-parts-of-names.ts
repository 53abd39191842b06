/**
 * SQL that marks the records whose search text has a word in Chinese, Japanese, or Korean, so that they are written
 * again once the file is open: the index then has each part of such a word. U+1100 is the first of these characters.
 */
const mark = (kind: 'claims' | 'members', table: string, id: string): string =>
  `CREATE VIRTUAL TABLE ${table}_found USING fts5vocab(${table}_text, instance);
INSERT OR IGNORE INTO records_to_write (kind, id) SELECT DISTINCT '${kind}', ${id} FROM ${table}_found
  WHERE term>=char(0x1100);
DROP TABLE ${table}_found;
`;

export const sql = [
  mark('claims', 'claims', 'doc'),
  mark('members', 'members', 'doc'),
  mark('members', 'dependents', '(SELECT parent FROM dependents WHERE ref=doc)'),
];
