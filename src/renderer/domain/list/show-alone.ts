let hideOther: (() => void) | null = null;

/** Hides what was shown before: only one such element is shown in the window at a time. */
export function showAlone(hide: () => void): void {
  const other = hideOther;
  hideOther = hide;
  if (other !== hide) other?.();
}
