/** Where one is, in the address: ids and a time, nothing of the person. */
export interface WizardPlace {
  /** A member of the store, to fill the form in. */
  readonly memberId?: number;
  /** The member who was brought in at that time. */
  readonly broughtIn?: string;
  readonly payerId?: number;
}

export function readWizardPlace(search: Readonly<Record<string, unknown>>): WizardPlace {
  const idOf = (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : null);
  const memberId = idOf(search.memberId);
  const payerId = idOf(search.payerId);
  const { broughtIn } = search;
  return {
    ...(memberId === null ? {} : { memberId }),
    ...(typeof broughtIn === 'string' && /^[\dTZ:.+-]{10,40}$/.test(broughtIn) ? { broughtIn } : {}),
    ...(payerId === null ? {} : { payerId }),
  };
}
