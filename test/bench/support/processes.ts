import { readFileSync, writeFileSync } from 'node:fs';

function readTicks(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).map(Number);
}

/** Processor time of a process with all of its threads, in ms. */
export function readProcessorMs(pid: number): number {
  const [user = 0, system = 0] = readTicks(pid);
  return (user + system) * 10;
}

/** The same with its children and theirs, also those that have ended. */
export const readWithChildrenMs = (pid: number): number =>
  readTicks(pid).reduce((ms, ticks) => ms + ticks * 10, 0) +
  childrenOf(pid).reduce((ms, child) => ms + readWithChildrenMs(child), 0);

/** Memory of a process in MB; what it shares with others is divided by how many share it. */
export function readMemoryMb(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1]) / 1024;
}

/** Resident memory of a process in MB: its peak, or with `VmRSS` what it has now. */
export const readResidentMb = (pid: number, of: 'VmHWM' | 'VmRSS' = 'VmHWM'): number =>
  Number(new RegExp(`${of}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000;

/** The peak of a process is counted from now on. */
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

export const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
