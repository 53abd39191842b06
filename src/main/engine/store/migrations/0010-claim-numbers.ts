/** Claims by the carrier's number, by which one claim is found through two connections. */
export const sql = `
CREATE INDEX claims_by_number ON claims (vendor_system_id) WHERE vendor_system_id<>'';
`;
