import { describe, expect, it } from 'vitest';
import {
  checkCommands,
  confirmKeys,
  findReviewCommand,
  outcomeCommands,
  paidTwiceKeys,
  reviewCommands,
  reviewShortcuts,
  takeCommand,
} from '../../../../../src/renderer/domain/review/group-commands.ts';
import { shortcuts } from '../../../../../src/renderer/lib/shortcuts.ts';

describe('the keys of a review', () => {
  it('are unique, and not used by a list or a record page', () => {
    const keys = [
      ...[...reviewCommands, ...checkCommands, takeCommand].map(({ key }) => key),
      ...confirmKeys,
      ...Object.values(paidTwiceKeys),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.every((key) => key.length === 1)).toBe(true);
    const taken = shortcuts.flatMap((shortcut) => shortcut.keys);
    expect(keys.filter((key) => taken.includes(key))).toEqual([]);
  });

  it('decide with one key and go to the next claim', () => {
    expect(outcomeCommands.map(({ key, goesOn }) => [key, goesOn])).toEqual([
      ['1', true],
      ['2', true],
      ['3', true],
      ['4', true],
      ['5', true],
      ['6', true],
    ]);
    expect(findReviewCommand('1')?.does).toMatchObject({
      act: { kind: 'decision', state: 'done', outcome: 'eligible' },
    });
    // How much is asked in place.
    expect(findReviewCommand('2')?.does).toEqual({ asks: 'partlyEligible' });
    expect(findReviewCommand('y')?.does).toMatchObject({ act: { kind: 'check', agrees: true } });
    expect(findReviewCommand('j')).toBeNull();
  });

  it('not eligible needs only its digit, and asks for a reason with a separate key', () => {
    expect(findReviewCommand('3')?.does).toMatchObject({
      act: { kind: 'decision', state: 'done', outcome: 'notEligible' },
    });
    expect(findReviewCommand('c')).toMatchObject({ goesOn: true, does: { asks: 'notEligible' } });
  });

  it('are all in the sheet of shortcuts', () => {
    expect(reviewShortcuts.map(({ keys }) => keys[0])).toEqual([
      ...reviewCommands.map(({ key }) => key),
      ...checkCommands.map(({ key }) => key),
      takeCommand.key,
      '7',
      'b',
      'u',
      'Ctrl Z',
    ]);
    expect(reviewShortcuts.find(({ keys }) => keys.includes('p'))?.does).toBe('Payment');
    expect(reviewShortcuts.find(({ keys }) => keys.includes('u'))?.keys).toEqual(['u', '5']);
  });
});
