/** The result of `npm audit --json`. A reply without its counts is no result, whatever npm's exit code is. */
export function checkAudit(text) {
  const report = parse(text);
  const counts = report?.metadata?.vulnerabilities;
  if (typeof counts?.total !== 'number') {
    const reason = typeof report?.message === 'string' ? ` (${report.message})` : '';
    return {
      exitCode: 2,
      lines: [`The registry could not be asked, so nothing is known about advisories${reason}.`],
    };
  }
  if (counts.total === 0)
    return { exitCode: 0, lines: ['The registry knows no advisory on the packages in use.'] };
  const found = Object.values(report.vulnerabilities ?? {}).map(({ name, severity, range, via }) => {
    const titles = (via ?? []).map((one) => (typeof one === 'string' ? one : `${one.title} ${one.url}`));
    return `${severity}: ${name} ${range}: ${titles.join('; ')}`;
  });
  return { exitCode: 1, lines: [`${counts.total} packages with known advisories:`, ...found] };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
