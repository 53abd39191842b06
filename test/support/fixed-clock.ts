// Loaded first by a test in a process of its own: its clock, and the clocks of the processes that it starts, run from
// noon of one day on. So it does not matter in which month the test runs, and no midnight passes while it runs.
const startMs = Date.UTC(2026, 10, 29, 12);

const RealDate = Date;
if (process.env.TEST_CLOCK_AHEAD_MS === undefined) {
  process.env.TEST_CLOCK_AHEAD_MS = String(startMs - RealDate.now());
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import ${import.meta.url}`;
}
const aheadMs = Number(process.env.TEST_CLOCK_AHEAD_MS);
const now = (): number => RealDate.now() + aheadMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, parts, newTarget) =>
    Reflect.construct(target, parts.length === 0 ? [now()] : parts, newTarget),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
