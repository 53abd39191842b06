import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RecordGate } from '../../../../../src/renderer/domain/list/record-gate.ts';

let frames: (() => void)[] = [];
const paint = (): void => {
  for (let frame = 0; frame < 2; frame += 1) for (const next of frames.splice(0)) next();
};

beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (next: () => void) => frames.push(next));
  vi.stubGlobal('cancelAnimationFrame', (id: number) => frames.splice(id - 1, 1));
});
afterEach(() => vi.unstubAllGlobals());

/** The gate of record 7, which is on screen and painted; `address` has the record that is asked for. */
function givenOpen() {
  const address = { id: 7 };
  const gate = new RecordGate(() => address.id);
  gate.show(7);
  paint();
  expect(gate.getIsOpen()).toBe(true);
  return { gate, address };
}

test('a navigation that ends late does not open the gate while the next record is being found', () => {
  const { gate } = givenOpen();
  const endEarlier = gate.leave();
  gate.stay();
  paint();
  gate.leave();
  expect(endEarlier()).toBe(false);
  gate.onNavigated();
  gate.show(7);
  paint();
  expect(gate.getIsOpen()).toBe(false);
  gate.stay();
  paint();
  expect(gate.getIsOpen()).toBe(true);
});

test('the next record opens the gate once it is painted', () => {
  const { gate, address } = givenOpen();
  gate.leave();
  address.id = 8;
  gate.show(null);
  gate.show(8);
  expect(gate.getIsOpen()).toBe(false);
  paint();
  expect(gate.getIsOpen()).toBe(true);
});

test('back at the record before the next one was shown, the gate opens', () => {
  const { gate, address } = givenOpen();
  gate.leave();
  address.id = 8;
  gate.stay();
  paint();
  expect(gate.getIsOpen()).toBe(false);
  address.id = 7;
  gate.onNavigated();
  paint();
  expect(gate.getIsOpen()).toBe(true);
});
