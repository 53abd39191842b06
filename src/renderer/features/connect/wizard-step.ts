/** The step of the wizard in the address: IDs and a time, no personal data. */
export interface WizardStep {
  /** A member of the store whose data fill the form. */
  readonly memberId?: number;
  /** The member who was added at that time. */
  readonly addedAt?: string;
  readonly payerId?: number;
}

export function readWizardStep(search: Readonly<Record<string, unknown>>): WizardStep {
  const idOf = (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : null);
  const memberId = idOf(search.memberId);
  const payerId = idOf(search.payerId);
  const { addedAt } = search;
  return {
    ...(memberId === null ? {} : { memberId }),
    ...(typeof addedAt === 'string' && /^[\dTZ:.+-]{10,40}$/.test(addedAt) ? { addedAt } : {}),
    ...(payerId === null ? {} : { payerId }),
  };
}
