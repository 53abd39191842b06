/** Reads RFC 4180: a second opinion on what our writer wrote. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const body = text.replace(/^\uFEFF/, '');
  for (let at = 0; at < body.length; at += 1) {
    const character = body[at];
    if (isQuoted && character === '"' && body[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && character === ',') {
      row.push(cell);
      cell = '';
    } else if (!isQuoted && character === '\r' && body[at + 1] === '\n') {
      rows.push([...row, cell]);
      row = [];
      cell = '';
      at += 1;
    } else cell += character;
  }
  return cell === '' && row.length === 0 ? rows : [...rows, [...row, cell]];
}
