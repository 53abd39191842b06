import { expect, it } from 'vitest';
import { CookieJarWatch } from '../../../../src/sandbox/connect/connect.ts';

it('knows whose cookie it was, among others and ignoring case', () => {
  const watch = new CookieJarWatch();
  const [dana, erin] = [watch.issue(), watch.issue()];
  watch.own(dana, 'Dana@x.example');
  watch.own(erin, 'erin@x.example');
  expect(watch.isOfAnother(`a=b; session=${dana}`, 'dana@X.example')).toBe(false);
  expect(watch.isOfAnother(`session=${dana}; session=${erin}`, 'dana@x.example')).toBe(true);
  expect(watch.isOfAnother('session=unknown; ; =', 'dana@x.example')).toBe(false);
  expect(watch.isOfAnother('', 'dana@x.example')).toBe(false);
});

it('forgets the oldest when there are too many', () => {
  const watch = new CookieJarWatch();
  watch.own('first', 'a@x.example');
  for (let n = 0; n < 5000; n += 1) watch.own(`c${n}`, 'b@x.example');
  expect(watch.isOfAnother('session=first', 'c@x.example')).toBe(false);
  expect(watch.isOfAnother('session=c1', 'c@x.example')).toBe(true);
});
