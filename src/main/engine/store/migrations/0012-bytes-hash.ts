/**
 * The hash of the bytes by which each record came last: a record that comes by the same bytes is not parsed. Null: it is
 * parsed when it comes next. A migration after which records must be parsed again sets it to null.
 */
export const sql = [
  'ALTER TABLE members ADD COLUMN bytes_hash BLOB;',
  'ALTER TABLE claims ADD COLUMN bytes_hash BLOB;',
];
