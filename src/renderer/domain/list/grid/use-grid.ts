import './grid-modules.ts';
import { createGrid, type GridApi, type GridOptions } from 'ag-grid-community';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { Row } from '../../../../rules/query.ts';

type Options = GridOptions<Row>;
type HandlerName = Extract<keyof Options, `on${string}`> | 'focusGridInnerElement';
type Handler = (event: never) => unknown;

/**
 * The grid in an element, without its components for React: these render each cell by one of their own, and the cells
 * of a new row after the row. `fixed` options are those of the first render, `changing` ones are followed, and of the
 * handlers the last one is called.
 */
export function useGrid(options: {
  fixed: Options;
  changing: Options;
  handlers: Pick<Options, HandlerName>;
  onMade: (api: GridApi<Row>) => void;
}): RefObject<HTMLDivElement | null> {
  const host = useRef<HTMLDivElement>(null);
  const made = useRef<GridApi<Row> | null>(null);
  const latest = useRef(options);
  const given = useRef(options.changing);
  useLayoutEffect(() => {
    latest.current = options;
  });
  useLayoutEffect(() => {
    const { fixed, changing, handlers, onMade } = latest.current;
    if (host.current === null) return;
    const followed = (Object.keys(handlers) as HandlerName[]).map((name) => [
      name,
      (event: never) => (latest.current.handlers[name] as Handler)(event),
    ]);
    const api = createGrid<Row>(host.current, { ...fixed, ...changing, ...Object.fromEntries(followed) });
    made.current = api;
    onMade(api);
    return () => api.destroy();
  }, []);
  const { changing } = options;
  useEffect(() => {
    const before = given.current;
    given.current = changing;
    // The grid assumes that an object that is given again has changed.
    const changed = Object.entries(changing).filter(([name, now]) => before[name as keyof Options] !== now);
    if (changed.length > 0) made.current?.updateGridOptions(Object.fromEntries(changed));
  });
  return host;
}
