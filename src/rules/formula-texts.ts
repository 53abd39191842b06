/**
 * Characters that make a spreadsheet run a text as a formula if they are its first (OWASP, CSV injection), including
 * full-width forms.
 */
const runs = /^[=+\-@\t\r\n＝＋－＠]/;

/** Whether a spreadsheet that opens a CSV file would run this text as a formula; files have one `'` in front of it. */
export const isFormula = (text: string): boolean => runs.test(text);
