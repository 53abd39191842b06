/** The step of the wizard in the address: IDs and a time, no personal data. */
export interface WizardStep {
  /** A member of the store whose data fill the form. */
  readonly memberId?: number;
  /** The member who was added at that time. */
  readonly broughtIn?: string;
  readonly payerId?: number;
}

export function readWizardStep(search: Readonly<Record<string, unknown>>): WizardStep {
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
