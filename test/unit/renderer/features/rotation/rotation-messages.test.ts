import { describe, expect, it } from 'vitest';
import { rotationSteps, rotationTasks } from '../../../../../src/contract/rotation.ts';
import { findNextTask, isRotationOver, nextStepAfter } from '../../../../../src/main/keys/stored-rotation.ts';
import {
  endText,
  ownTasks,
  stepIndexOf,
  stepTitles,
  stopOf,
} from '../../../../../src/renderer/features/rotation/rotation-messages.ts';

describe('the way of a rotation', () => {
  it('only moves forward, and past the last step when it is over', () => {
    const places = rotationSteps.map(stepIndexOf);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    for (const step of rotationSteps) {
      expect(stepIndexOf(step) === stepTitles.length).toBe(isRotationOver(step));
    }
  });

  it('offers at each step the exit that main accepts there, and none at the end', () => {
    for (const step of rotationSteps) {
      const way = stopOf(step);
      expect(nextStepAfter(step, 'canceled') !== null).toBe(way === 'cancel');
      expect(nextStepAfter(step, 'oldKept') !== null).toBe(way === 'keepOld');
    }
  });

  it('has a text for every task of Claimdesk itself, and for every end', () => {
    const next = rotationSteps.map(findNextTask);
    const own = next.filter(({ task, needsPerson }) => task !== 'none' && !needsPerson);
    expect(Object.keys(ownTasks).sort()).toEqual([...new Set(own.map(({ task }) => task))].sort());
    expect(Object.keys(endText)).toEqual(rotationSteps.filter(isRotationOver));
    const persons = rotationTasks.filter((task) => !(task in ownTasks));
    expect(persons).toEqual(['register', 'askOthers', 'deleteOld', 'none']);
  });
});
