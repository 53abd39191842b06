/** Shown instead of a masked value. */
export const deskMask = '••••';

const maskedNames =
  /^(date_of_birth|birth_?date|birthday|dob|.*diagnos[ei]s.*|icd\w*|remarks?|notes?|comments?)$/i;

/** Whether desk mode masks the field at the end of this path: birth dates, diagnoses, notes of any kind. */
export function isMaskedAtDesk(path: string): boolean {
  if (/(^|\.)review\.reason$/.test(path)) return true;
  return maskedNames.test(path.slice(path.lastIndexOf('.') + 1).replace(/\[\d*\]$/, ''));
}

/** A copy in which every masked field is replaced, at any depth; absent fields stay absent. */
export function maskForDesk(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskForDesk);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const isThere = inner !== null && inner !== undefined && inner !== '';
      return [name, isThere && isMaskedAtDesk(name) ? deskMask : maskForDesk(inner)];
    }),
  );
}
