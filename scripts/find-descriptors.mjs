import { openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

const optionPattern = /^--[a-z-]+-fd$/;

/**
 * Finds the descriptors that options such as `--passphrase-fd 3` name. npm keeps descriptors above 2 to itself, so what a
 * shell opened for `npm run claimdesk -- sync --passphrase-fd 3 3<file` is opened again from npm's own, which Linux
 * shows to other processes of the same user. Returns the arguments with the numbers that the descriptors have here, and
 * these numbers; one that is not found becomes `none`, because Node uses low numbers for pipes of its own.
 */
export function findDescriptors(args) {
  const descriptors = [];
  if (process.platform !== 'linux') return { args, descriptors };
  const find = (text) => {
    if (!/^\d{1,4}$/.test(text) || Number(text) <= 2) return text;
    const found = findDescriptor(Number(text));
    if (found !== null) descriptors.push(found);
    return found === null ? 'none' : String(found);
  };
  const replaced = args.map((arg, index) => {
    if (index > 0 && optionPattern.test(args[index - 1])) return find(arg);
    const [option, value] = arg.split('=', 2);
    return value !== undefined && optionPattern.test(option) ? `${option}=${find(value)}` : arg;
  });
  return { args: replaced, descriptors };
}

function findDescriptor(descriptor) {
  if (isGiven('self', descriptor)) return descriptor;
  for (let pid = 'self'; isStartedByNpm(pid); ) {
    pid = readParent(pid);
    if (!isGiven(pid, descriptor)) continue;
    try {
      return openSync(`/proc/${pid}/fd/${descriptor}`, 'r');
    } catch {
      // A socket cannot be opened again.
    }
  }
  return null;
}

/** Whether a process was given a descriptor, and did not open it itself: both ends of Node's own pipes are in it. */
function isGiven(pid, descriptor) {
  const folder = `/proc/${pid}/fd`;
  const target = readTarget(`${folder}/${descriptor}`);
  if (!target.startsWith('pipe:')) return target.startsWith('/') || target.startsWith('socket:');
  return !readdirSync(folder).some(
    (one) => readTarget(`${folder}/${one}`) === target && isWritable(pid, one),
  );
}

function readTarget(path) {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

const isWritable = (pid, descriptor) =>
  /^flags:\s*\d*[12]$/m.test(readText(`/proc/${pid}/fdinfo/${descriptor}`));

/** npm sets this variable for the programs that it starts. */
const isStartedByNpm = (pid) => /(^|\0)npm_lifecycle_event=/.test(readText(`/proc/${pid}/environ`));

function readParent(pid) {
  // Field 2, the command, may hold blanks and brackets: fields are counted from the last closing bracket.
  const stat = readText(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
}

function readText(path) {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
