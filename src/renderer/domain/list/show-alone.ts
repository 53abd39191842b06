let hideOther: (() => void) | null = null;

/** Hides what was shown before: of what is shown alone there is one at a time in the window. */
export function showAlone(hide: () => void): void {
  const other = hideOther;
  hideOther = hide;
  if (other !== hide) other?.();
}
