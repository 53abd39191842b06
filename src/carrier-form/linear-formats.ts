/** Limits the length of a text before a check, so that the check takes negligible time. */
const upTo =
  (maxLength: number, isRight: (value: string) => boolean) =>
  (value: string): boolean =>
    value.length <= maxLength && isRight(value);

const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDate(value: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value) ?? [];
  const days = monthDays[Number(month) - 1];
  if (days === undefined || Number(day) < 1 || Number(day) > days) return false;
  const isLeap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  return isLeap || month !== '02' || day !== '29';
}

const isTime = (value: string): boolean =>
  /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{1,9})?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i.test(value);

const isDateTime = (value: string): boolean =>
  /^.{10}[t ]/i.test(value) && isDate(value.slice(0, 10)) && isTime(value.slice(11));

/** Labels of letters, digits and hyphens with dots between them. */
function isHost(value: string): boolean {
  const labels = value.split('.');
  return labels.every((label) => /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u.test(label));
}

function isEmail(value: string): boolean {
  const at = value.lastIndexOf('@');
  const [name, host] = [value.slice(0, at), value.slice(at + 1)];
  return at > 0 && at <= 64 && /^[^\s@"<>()]+$/.test(name) && !/^\.|\.\.|\.$/.test(name) && isHost(host);
}

/** An address on the web: a host, perhaps a port, and whatever follows without a space. */
function isUrl(value: string): boolean {
  const [, host = '', rest = ''] = /^(?:https?|ftp):\/\/([^/?#:\s]+)(.*)$/isu.exec(value) ?? [];
  return isHost(host) && /^(:\d{1,5})?([/?#]\S*)?$/.test(rest);
}

const isUri = (value: string): boolean => /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i.test(value);

/**
 * The formats that are checked, each in linear time. They are less strict than the standards; the carrier makes the
 * final check.
 */
export const linearFormats: Readonly<Record<string, (value: string) => boolean>> = {
  date: upTo(10, isDate),
  time: upTo(32, isTime),
  'date-time': upTo(48, isDateTime),
  email: upTo(320, isEmail),
  'idn-email': upTo(320, isEmail),
  hostname: upTo(253, isHost),
  'idn-hostname': upTo(253, isHost),
  ipv4: upTo(
    15,
    (value) => /^(\d{1,3}\.){3}\d{1,3}$/.test(value) && value.split('.').every((one) => +one < 256),
  ),
  uuid: upTo(36, (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)),
  url: upTo(2_000, isUrl),
  uri: upTo(2_000, isUri),
  iri: upTo(2_000, isUri),
};
