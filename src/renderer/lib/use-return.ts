import { useEffect, useRef } from 'react';

/** Calls when a person comes back to the window: it gets the focus, or is shown again. */
export function useReturn(onReturn: () => void): void {
  const latest = useRef(onReturn);
  latest.current = onReturn;
  useEffect(() => {
    const tell = () => {
      if (document.visibilityState === 'visible') latest.current();
    };
    window.addEventListener('focus', tell);
    document.addEventListener('visibilitychange', tell);
    return () => {
      window.removeEventListener('focus', tell);
      document.removeEventListener('visibilitychange', tell);
    };
  }, []);
}
