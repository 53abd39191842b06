/** `seen`: of an event of this computer, the last entry of its team that its author had read. */
export const sql = `
ALTER TABLE review_events ADD COLUMN seen TEXT;
`;
