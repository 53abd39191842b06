/** Runs tasks one after the other, in the order they were added; a failed task does not stop the next. */
export type SerialQueue = <T>(task: () => Promise<T>) => Promise<T>;

/** Makes a queue for read-modify-write steps on one file, so that no update in this process is lost. */
export function createSerialQueue(): SerialQueue {
  let tail: Promise<unknown> = Promise.resolve();
  return (task) => {
    const run = tail.then(task, task);
    tail = run.catch(() => undefined);
    return run;
  };
}

/** The queue of a key, such as a workspace: made when it is first used. */
export function queueOf<Key>(
  queues: { get(key: Key): SerialQueue | undefined; set(key: Key, queue: SerialQueue): unknown },
  key: Key,
): SerialQueue {
  const queue = queues.get(key) ?? createSerialQueue();
  queues.set(key, queue);
  return queue;
}
