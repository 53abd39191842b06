/** Claims that were paid and never decided are compared as well. The rows of reviews are made again. */
export const sql = `
DELETE FROM sync_state WHERE name='reviews';
`;
