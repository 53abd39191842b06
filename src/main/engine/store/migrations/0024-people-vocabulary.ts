/** The words of the text indexes of people, as of claims: by them a search finds what was meant by a wrong letter. */
export const sql = `
CREATE VIRTUAL TABLE members_words USING fts5vocab(members_text, row);
CREATE VIRTUAL TABLE dependents_words USING fts5vocab(dependents_text, row);
`;
