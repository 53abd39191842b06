import { useEffect, useState } from 'react';

/** The time, updated once a minute: enough for "today at 9:12 AM". */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
