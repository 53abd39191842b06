// Runs before the first paint, so that a dark desk is never white for a moment.
// A file of its own because the content security policy allows no inline script.
(() => {
  const root = document.documentElement;
  let theme = document.querySelector('meta[name="claimdesk-theme"]')?.getAttribute('content') ?? '';
  if (theme !== 'light' && theme !== 'dark') {
    try {
      theme = localStorage.getItem('claimdesk-theme') ?? '';
    } catch {
      theme = '';
    }
  }
  const isDark =
    theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
  root.style.colorScheme = isDark ? 'dark' : 'light';
  root.style.backgroundColor = isDark ? '#16191d' : '#ffffff';
})();
