/** Parses RFC 4180 strictly, without any code of the writer: the fields, and whether each was in quotes. */
export function readCsv(text: string): { value: string; isQuoted: boolean }[][] {
  const records: { value: string; isQuoted: boolean }[][] = [];
  let record: { value: string; isQuoted: boolean }[] = [];
  let at = 0;
  while (at < text.length) {
    let value = '';
    const isQuoted = text[at] === '"';
    if (isQuoted) {
      at += 1;
      for (;;) {
        const quote = text.indexOf('"', at);
        if (quote < 0) throw new Error('a quote is open');
        value += text.slice(at, quote);
        at = quote + 1;
        if (text[at] !== '"') break;
        value += '"';
        at += 1;
      }
    } else {
      const end = text.slice(at).search(/[,\r\n"]/);
      if (end < 0) throw new Error('a record has no end');
      value = text.slice(at, at + end);
      at += end;
    }
    record.push({ value, isQuoted });
    if (text[at] === ',') {
      at += 1;
      if (text.startsWith('\r\n', at)) record.push({ value: '', isQuoted: false });
      else continue;
    }
    if (!text.startsWith('\r\n', at)) throw new Error(`no CRLF at ${at}`);
    at += 2;
    records.push(record);
    record = [];
  }
  return records;
}

/** The fields of a file, without its byte-order mark. */
export const parseCsv = (text: string): string[][] =>
  readCsv(text.replace(/^\uFEFF/, '')).map((cells) => cells.map(({ value }) => value));
