/** Where families stand in their plan years was stored, and read by nothing: a page computes the family that it shows. */
export const sql = 'DROP TABLE family_years;';
