// Starts the team server. It is plain JavaScript, so that a Node.js which can't run the server says so in a sentence.
const neededMajor = 24;

if (Number.parseInt(process.versions.node, 10) < neededMajor) {
  process.stderr.write(
    `The team server needs Node.js ${neededMajor} or newer; this is ${process.versions.node}. docs/team-server.md says where it comes from.\n`,
  );
  process.exitCode = 1;
} else import('../src/team-server/index.ts');
