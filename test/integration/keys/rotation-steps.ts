/** Runs inside a session bus: rotates as a desk does, and kills itself before or after the n-th act. */
import { rotateToTheEnd } from './rotation-desk.ts';

const [profileDir = '', baseUrl = '', email = '', killAt = '', when = 'after'] = process.argv.slice(2);
let acts = 0;

await rotateToTheEnd({ profileDir, baseUrl, email }, async (act) => {
  acts += 1;
  const isLast = acts === Number(killAt);
  if (isLast && when === 'before') process.kill(process.pid, 'SIGKILL');
  const result = await act();
  if (isLast) process.kill(process.pid, 'SIGKILL');
  return result;
});
