import { type FunctionComponent, lazy, useState } from 'react';

const loads: (() => Promise<unknown>)[] = [];

/**
 * A part of the window whose code is loaded when it is first shown, or ahead of that. A part that is loaded is drawn at once:
 * `lazy` alone shows the state of loading for 300 ms even then, in which the focus is lost and keys act on what is below.
 */
export function latePart<Props extends object>(load: () => Promise<FunctionComponent<Props>>) {
  let loaded: FunctionComponent<Props> | null = null;
  const ahead = async (): Promise<{ default: FunctionComponent<Props> }> => {
    loaded = await load();
    return { default: loaded };
  };
  const Late: FunctionComponent<Props> = lazy(ahead);
  loads.push(ahead);
  function LatePart(props: Props) {
    // It is chosen once, so that the part keeps its state when the code arrives.
    const [Part] = useState(() => loaded ?? Late);
    return <Part {...props} />;
  }
  return Object.assign(LatePart, { ahead });
}

/** Loads the code of all parts, one after the other. A part itself shows a failure to load. */
export async function loadPartsAhead(): Promise<void> {
  for (const load of loads) await load().catch(() => undefined);
}
