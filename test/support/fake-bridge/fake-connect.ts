import type {
  ConnectEmployer,
  ConnectionView,
  ConnectMember,
  ConnectSettings,
  PatientAccessView,
  ValidationView,
} from '../../../src/contract/connect-views.ts';
import { connectHeadersSchema } from '../../../src/contract/connect-views.ts';
import type { Handlers, ProcedureName } from '../../../src/contract/procedures.ts';
import { type Emit, FakeError, type FakeStart } from './fake-desk.ts';

type Names = Extract<ProcedureName, `connect:${string}`>;

const done = { isDone: true } as const;
const at = '2026-03-02T08:15:00Z';
const dana: ConnectMember = {
  email: 'dana.reyes@example.com',
  firstName: 'Dana',
  lastName: 'Reyes',
  employer: { id: 3, name: 'Northwind Bakery' },
  tenant: { id: 9, name: 'Ohio Benefits Trust' },
  systemKey: 'NWB-1',
  vendor: 'hrx',
  memberSystemKey: null,
  supportEmail: 'benefits@northwind.example',
  bootstrappedAt: at,
};
const employers: readonly ConnectEmployer[] = [
  {
    id: 3,
    name: 'Northwind Bakery',
    otherIds: [],
    tenantNames: ['Ohio Benefits Trust'],
    systemKey: 'NWB-1',
    vendor: 'hrx',
    vendorLabels: ['hrx'],
  },
  {
    id: 4,
    name: 'Lakeside Schools',
    otherIds: [],
    tenantNames: ['Ohio Benefits Trust'],
    systemKey: null,
    vendor: null,
    vendorLabels: ['hrx', 'payroll'],
  },
];
const payers = [
  { id: 13, name: 'Bluestem Dental & Vision' },
  { id: 16, name: 'Test Two Factor Carrier' },
  { id: 17, name: 'Test Patient Access Carrier' },
];
const form = {
  type: 'object',
  properties: {
    username: { type: 'string', title: 'Username', minLength: 1 },
    password: { type: 'string', title: 'Password', minLength: 1, format: 'password' },
    subscriber_number: {
      type: 'string',
      title: 'Subscriber number',
      description: 'A letter and eight digits, on your card.',
      pattern: '^[A-Z]\\d{8}$',
    },
    date_of_birth: { type: 'string', format: 'date', title: 'Date of birth' },
    security_question: { type: 'string', title: 'Security question', enum: ['First school?', 'First pet?'] },
    remember_device: { type: 'boolean', title: 'Remember this device', default: false },
  },
  required: ['username', 'password', 'subscriber_number'],
};
const terms = `<h1>Terms of use</h1><p>By connecting your health plan you allow us to fetch your claims.</p>
<ul><li>Explanations of benefits</li><li>Claims and their amounts</li></ul>
<p>Read our <a href="https://service.example/privacy">privacy notice</a>.</p>
<script>globalThis.termsHaveRun = true</script><img src="x" onerror="globalThis.termsHaveRun = true">`;

const connection = (policyHolderId: number, part: Partial<ConnectionView>): ConnectionView => ({
  policyHolderId,
  email: dana.email,
  memberName: 'Dana Reyes',
  employerName: 'Northwind Bakery',
  supportEmail: 'benefits@northwind.example',
  payerId: 13,
  payerName: 'Bluestem Dental & Vision',
  usernameHint: 'd•••s',
  severity: 'fine',
  loginProblem: null,
  needsCorrection: false,
  correctionMessage: null,
  sentence: 'The login works.',
  nextStep: null,
  lastSuccessAt: '2026-03-01T05:00:00Z',
  claimsSynced: 38,
  newestClaimOn: '2026-02-24',
  createdAt: '2025-06-01T05:00:00Z',
  isRunning: false,
  readAt: at,
  ...part,
});

/** Connect in memory: a submitted login is asked for a method, then a code; `000000` is refused. */
export function createFakeConnect(start: FakeStart, emit: Emit): Handlers<Names> {
  let settings: ConnectSettings = {
    publicToken: start.scene === 'empty' ? null : 'pk_3f9a51c2',
    hasSecret: start.scene !== 'empty',
    tenantLabel: null,
    tenantKey: null,
    isDemo: false,
    base: 'current',
    correction: 'path',
    headers: connectHeadersSchema.parse({}),
  };
  let validation: ValidationView | null = null;
  let signIn: PatientAccessView | null = null;
  const connections = [
    connection(401, {
      severity: 'critical',
      loginProblem: 'invalid',
      needsCorrection: true,
      correctionMessage:
        'Your carrier no longer accepts this username and password. Please enter them again.',
      sentence: 'The carrier doesn’t accept this username and password.',
      nextStep: 'Ask the member for the login they use on the carrier’s website, and update it here.',
    }),
    connection(402, {
      memberName: 'Sam Okafor',
      email: 'sam@example.com',
      severity: 'warning',
      loginProblem: 'sec_question',
      sentence: 'The carrier asks for a security answer that is missing or wrong.',
      nextStep: 'Ask the member for the answers to their security questions, and update the login with them.',
    }),
    connection(403, {
      severity: 'unknown',
      payerId: null,
      payerName: null,
      lastSuccessAt: null,
      claimsSynced: null,
      newestClaimOn: null,
      sentence: 'No data from the carrier yet.',
      nextStep:
        'Confirming a login can take up to 24 hours. Check again tomorrow. If there’s still no data, update the login.',
    }),
    connection(404, { severity: 'running', isRunning: true, sentence: 'The login is being checked.' }),
    connection(405, {}),
  ];
  const connectionOf = (policyHolderId: number): ConnectionView => {
    const found = connections.find((one) => one.policyHolderId === policyHolderId);
    if (found === undefined) throw new FakeError('connect.notFound');
    return found;
  };
  const change = (workspaceId: string, part: Partial<ValidationView>): ValidationView => {
    validation = {
      policyHolderId: 406,
      email: dana.email,
      payerId: 16,
      payerName: 'Test Two Factor Carrier',
      phase: 'working',
      state: 'PENDING',
      methods: [],
      message: null,
      isCodeRefused: false,
      outcome: null,
      loginProblem: null,
      sentence: 'The carrier is checking the login.',
      nextStep: null,
      watchedBy: 'stream',
      interruption: null,
      startedAt: at,
      isStartedHere: true,
      changedAt: at,
      ...part,
    };
    emit('connect:changed', { workspaceId, what: 'validation', policyHolderId: 406 });
    return validation;
  };
  const submit = ({ workspaceId, fields }: { workspaceId: string; fields: Record<string, unknown> }) => {
    if (fields.username === 'taken') {
      throw new FakeError('connect.invalid', 'req_8812', { 'field.username': 'is not one of ours' });
    }
    return change(workspaceId, {
      phase: 'chooseMethod',
      state: 'WAITING_FOR_METHOD_CHOICE',
      methods: ['Text to (***) ***-1234', 'Email to d***@example.com'],
      sentence: 'The carrier asks how the member wants to get a code.',
      nextStep: 'Ask the member, and choose one of the carrier’s ways.',
    });
  };
  const askForCode = { phase: 'enterCode', state: 'WAITING_FOR_TWO_FACTOR_CODE' } as const;
  return {
    'connect:getSettings': () => settings,
    'connect:saveSettings': ({ workspaceId, secretKey, headers, ...rest }) => {
      const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
      settings = {
        ...settings,
        ...given,
        headers: connectHeadersSchema.parse({ ...settings.headers, ...headers }),
        hasSecret: secretKey === undefined ? settings.hasSecret : secretKey !== null,
      };
      emit('connect:changed', { workspaceId, what: 'settings', policyHolderId: null });
      return settings;
    },
    'connect:mint': () => ({ mintedAt: at, requestId: 'req_1' }),
    'connect:listEmployers': () => ({ employers: [...employers] }),
    'connect:planMember': ({ firstName, lastName, employer: pick, confirmed, systemKey, vendor }) => {
      const memberName = `${firstName} ${lastName}`;
      const keys = { systemKey: systemKey ?? 'NWB-1', vendor: vendor ?? 'hrx' };
      const known = employers.find((one) =>
        pick.kind === 'known' ? one.id === pick.id : one.name.toLowerCase() === pick.name.toLowerCase(),
      );
      if (pick.kind === 'new') {
        if (known !== undefined && confirmed?.includes('sameName') !== true) {
          throw new FakeError('connect.employerExists', undefined, { employerId: String(known.id) });
        }
        const sentence = `Creates new employer ${pick.name}, and member ${memberName} under it.`;
        const employer = { id: null, name: pick.name };
        return { memberName, isMemberKnown: false, employer, ...keys, sentence, warning: null };
      }
      if (known === undefined) throw new FakeError('connect.employerUnknown');
      const sentence = `Creates member ${memberName} under existing employer ${known.name}.`;
      const employer = { id: known.id, name: known.name };
      return { memberName, isMemberKnown: false, employer, ...keys, sentence, warning: null };
    },
    'connect:bootstrap': () => ({ member: dana, payers, connections }),
    'connect:listMembers': () => ({ members: [dana] }),
    'connect:forgetMember': () => done,
    'connect:listPayers': () => ({ payers }),
    'connect:getPayer': ({ payerId }) => ({
      id: payerId,
      name: payers.find(({ id }) => id === payerId)?.name ?? 'Carrier',
      form: payerId === 17 ? null : form,
      uiSchema: { 'ui:order': ['subscriber_number', '*', 'password'], password: { 'ui:widget': 'password' } },
      hasSecurityQuestions: false,
      hasPatientAccess: payerId === 17,
      registerUrl: 'https://bluestem.example/register',
      website: 'bluestem.example',
      redirectVendorName: null,
      articles: [{ title: 'Find your member portal', untrustedHtml: '<p>Your card shows the address.</p>' }],
    }),
    'connect:getTerms': () => ({ untrustedHtml: terms }),
    'connect:submit': submit,
    'connect:correct': submit,
    'connect:listConnections': ({ email }) => ({
      connections: connections.filter((one) => email === undefined || one.email === dana.email),
      failures: [],
    }),
    'connect:fix': () => ({ connections }),
    'connect:readConnection': ({ policyHolderId }) => connectionOf(policyHolderId),
    'connect:beginCorrection': ({ policyHolderId }) => ({
      connection: connectionOf(policyHolderId),
      username: 'dana.reyes',
    }),
    'connect:findNewCarrier': () => ({ id: 19, name: 'Northern Mutual Online' }),
    'connect:watch': ({ workspaceId }) => validation ?? change(workspaceId, {}),
    'connect:watchRunning': () => ({ watched: [] }),
    'connect:checkAgain': ({ workspaceId }) => validation ?? change(workspaceId, {}),
    'connect:getValidation': ({ policyHolderId }) => (policyHolderId === 406 ? validation : null),
    'connect:listValidations': () => ({ validations: validation === null ? [] : [validation] }),
    'connect:chooseMethod': ({ workspaceId }) =>
      change(workspaceId, {
        ...askForCode,
        sentence: 'The carrier has sent a code to the member.',
        nextStep: 'Ask the member for the code, and enter it. The login is not sent again.',
      }),
    'connect:sendCode': ({ workspaceId, code }) =>
      code === '000000'
        ? change(workspaceId, {
            ...askForCode,
            isCodeRefused: true,
            message: 'The code you entered is not correct. Please try again.',
            sentence: 'The carrier did not take the code.',
            nextStep: 'Ask the member for the code, and enter it. The login is not sent again.',
          })
        : change(workspaceId, {
            phase: 'ended',
            state: 'SUCCESS',
            outcome: 'connected',
            sentence: 'The carrier accepted the login.',
          }),
    'connect:startPatientAccess': ({ payerId }) => {
      signIn = {
        email: dana.email,
        payerId,
        phase: 'ready',
        status: 'IN_PROGRESS',
        host: 'patient-access.carrier.example',
        authorizationUrl: 'https://patient-access.carrier.example/sign-in?flow=1',
        policyHolderId: null,
        message: null,
        sentence: 'The carrier’s page is ready.',
        nextStep: 'Check the address, open the page, and let the member sign in there.',
        interruption: null,
        startedAt: at,
      };
      return signIn;
    },
    'connect:openPatientAccess': ({ workspaceId }) => {
      if (signIn === null) throw new FakeError('connect.noPatientAccess');
      signIn = {
        ...signIn,
        phase: 'waiting',
        sentence: 'The member signs in at the carrier’s page.',
        nextStep: null,
      };
      emit('connect:changed', { workspaceId, what: 'patientAccess', policyHolderId: null });
      return { url: signIn.authorizationUrl, isOpened: false };
    },
    'connect:getPatientAccess': () => signIn,
    'connect:listCalls': () => ({
      calls: [
        {
          at,
          method: 'GET',
          route: '/fix-credentials',
          status: 200,
          durationMs: 214,
          requestId: '0b7e2f4a-6a1e-4c1f-9b1e-2f1f3d9f7a10',
          code: null,
        },
        {
          at,
          method: 'POST',
          route: '/policy_holder',
          status: null,
          durationMs: 30_012,
          requestId: null,
          code: 'service.timeout',
        },
      ],
    }),
    'connect:exportCalls': () => ({ displayPath: '/home/person/Downloads/calls.jsonl', calls: 2 }),
  };
}
