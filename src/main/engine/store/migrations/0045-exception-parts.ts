/** Each claim of Exceptions has the names of the parts that it is in, so that its rows say what is odd about it. */
export const sql = `
ALTER TABLE claim_facts ADD COLUMN exception_parts TEXT;
`;
