/**
 * The terms of use. docs/service.md, "Connect calls": **untrusted HTML**. It contains scripts and addresses that a
 * page must not run or load: a client that shows it unsanitized sets `termsHaveRun`, or calls `tracker.example`.
 */
export function termsHtml(tenantName: string, note: string): string {
  const tenant = tenantName.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<div class="terms">
<h1>Terms of use</h1>
<p>By connecting your health plan you allow us to fetch your claims on your behalf, and to send them to <strong>${tenant}</strong>.</p>
<h2>What we fetch</h2>
<ul><li>Explanations of benefits</li><li>Claims and their amounts</li><li>The names of the people your plan covers</li></ul>
<h2>How to end it</h2>
<p>Write to <a href="mailto:privacy@service.example">privacy@service.example</a> or read our <a href="https://service.example/privacy" target="_blank">privacy notice</a>.</p>
<table><caption>How long we keep it</caption><tr><th scope="col">Kind</th><th scope="col">Years</th></tr><tr><td>Claims</td><td>7</td></tr></table>
<script>globalThis.termsHaveRun = true;</script>
<img src="https://tracker.example/pixel.png" alt="" onerror="globalThis.termsHaveRun = true">
<p onclick="globalThis.termsHaveRun = true" style="position:fixed;inset:0">${note}</p>
<a href="javascript:globalThis.termsHaveRun=true">More</a>
<iframe src="https://tracker.example/frame"></iframe><form action="https://tracker.example/form"><input name="q"></form>
<svg><a href="javascript:void 0"><text>.</text></a></svg><base href="https://tracker.example/"><meta http-equiv="refresh" content="0;url=https://tracker.example/">
<link rel="stylesheet" href="https://tracker.example/style.css"><style>body{background:url(https://tracker.example/background.png)}</style>
</div>`;
}
