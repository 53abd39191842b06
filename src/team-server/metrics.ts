/** The upper bounds of the durations that are counted, in seconds. */
const bounds = [0.005, 0.02, 0.1, 0.5, 2, 10];

/** Counts what the server does, as OpenMetrics. Labels are routes, statuses and codes only. */
export function createMetrics(gauges: Readonly<Record<string, () => number>>) {
  const requests = new Map<string, number>();
  const refusals = new Map<string, number>();
  const durations = bounds.map(() => 0);
  let [entries, bytes, seconds, count] = [0, 0, 0, 0];
  const add = (map: Map<string, number>, key: string): void => void map.set(key, (map.get(key) ?? 0) + 1);
  const list = (name: string, map: ReadonlyMap<string, number>): string[] => [
    `# TYPE claimdesk_team_${name} counter`,
    ...[...map].map(([labels, value]) => `claimdesk_team_${name}_total${labels} ${value}`),
  ];
  return {
    countRequest(route: string, status: number, took: number): void {
      add(requests, `{route="${route}",status="${status}"}`);
      [seconds, count] = [seconds + took, count + 1];
      for (const [index, bound] of bounds.entries())
        if (took <= bound) durations[index] = (durations[index] ?? 0) + 1;
    },
    countRefusal: (code: string): void => add(refusals, `{code="${code}"}`),
    countEntries(added: number, received: number): void {
      [entries, bytes] = [entries + added, bytes + received];
    },
    write(): string {
      const { user, system } = process.cpuUsage();
      const allGauges = [
        ...Object.entries(gauges).map(([name, read]) => [`claimdesk_team_${name}`, read()] as const),
        ['process_resident_memory_bytes', process.memoryUsage.rss()] as const,
      ];
      return [
        ...list('requests', requests),
        ...list('refusals', refusals),
        ...list('entries', new Map([['', entries]])),
        ...list('received_bytes', new Map([['', bytes]])),
        '# TYPE claimdesk_team_request_seconds histogram',
        ...bounds.map(
          (bound, index) => `claimdesk_team_request_seconds_bucket{le="${bound}"} ${durations[index]}`,
        ),
        `claimdesk_team_request_seconds_bucket{le="+Inf"} ${count}`,
        `claimdesk_team_request_seconds_sum ${seconds}`,
        `claimdesk_team_request_seconds_count ${count}`,
        '# TYPE process_cpu_seconds counter',
        `process_cpu_seconds_total ${(user + system) / 1e6}`,
        ...allGauges.flatMap(([name, value]) => [`# TYPE ${name} gauge`, `${name} ${value}`]),
        '# EOF',
        '',
      ].join('\n');
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
