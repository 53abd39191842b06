import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, test } from 'vitest';
import { errorTable } from '../../src/contract/error-codes.ts';
import type { ProcedureName } from '../../src/contract/procedures.ts';
import { type Answers, failed, type Reply, renderScreen, requestId } from './render-screen.tsx';

/** Longer than any column, but allowed as a workspace’s name: it has to be shown in full, or cut by CSS only. */
export const longName = 'Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh of the Pacific Northwest';

interface ScreenStates<P extends ProcedureName> {
  /** A reply with `longName` in it. The screen has to show that name, or `shows` where it is given. */
  readonly filled: Reply<P>;
  readonly shows?: string;
  /** The title of a section that is closed at first and has to be opened to see it. */
  readonly folded?: string;
  /** An empty reply, and the text that the screen shows then. */
  readonly empty?: readonly [Reply<P>, string | RegExp];
  /** Replies to the other calls of the screen. */
  readonly others?: Answers;
}

/**
 * Tests the states that every screen has: loading, failed with a way to try again, filled with long names, and empty.
 * `asks` is the call whose reply fills the screen; `loading` is the text while it loads, `failure` the title of its
 * error.
 */
export function testStates<P extends ProcedureName>(
  at: string,
  asks: P,
  [loading, failure]: readonly [string, string],
  { filled, empty, others, shows = longName, folded }: ScreenStates<P>,
): void {
  describe(at, () => {
    test('says that it loads, then why it could not, and after another try shows names in full', async () => {
      let reply: Reply<P> = failed('disk.fault');
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
      renderScreen(at, { ...others, [asks]: () => answered.then(() => reply) });
      await screen.findByText(`Loading ${loading}`);
      answer();
      const notice = (await screen.findByText(failure)).closest('[role="alert"]') as HTMLElement;
      const { message, nextStep } = errorTable['disk.fault'];
      for (const told of [message, nextStep, 'disk.fault', requestId])
        expect(notice.textContent).toContain(told);
      reply = filled;
      fireEvent.click(within(notice).getByRole('button', { name: 'Try again' }));
      if (folded !== undefined) fireEvent.click(await screen.findByText(folded));
      await screen.findAllByText(shows, { exact: false });
      await waitFor(() => expect(screen.queryByText(failure)).toBeNull());
    });
    if (empty === undefined) return;
    test('says what it means that there is nothing', async () => {
      renderScreen(at, { ...others, [asks]: empty[0] });
      if (folded !== undefined) fireEvent.click(await screen.findByText(folded));
      await screen.findByText(empty[1]);
    });
  });
}
