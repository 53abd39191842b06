import { emptyUserMessage } from '../../../../contract/connect-members.ts';
import type { ErrorCode } from '../../../../contract/error-codes.ts';
import { DeskError } from '../../../lib/errors.ts';
import { readBody, readErrorCode, readRequestId, toServiceError } from '../service-error.ts';
import type { HttpReply } from '../transport.ts';

/** The facts of a refused request. */
export interface Refused {
  /**
   * Whether it contains consents: only such requests are refused because terms were not accepted (docs/service.md,
   * "Connect calls").
   */
  readonly hasConsents: boolean;
  readonly isMint: boolean;
  /** Values that were sent and must not appear in a message: passwords, usernames, names. */
  readonly sentValues: readonly string[];
}

type ErrorBody = ReturnType<typeof readError>;

const maxSentence = 300;
const maxFields = 50;

/** Whether a reply is a 422 about the access token, which a new token may resolve. */
export const wantsNewAccessToken = (reply: HttpReply): boolean =>
  reply.status === 422 && isAboutAccessToken(readError(reply));

const isAboutAccessToken = ({ errorCode, message, fields }: ErrorBody): boolean =>
  errorCode === 'expired_connect_token' ||
  (Object.keys(fields).length === 0 && /access.?token/i.test(message));

/**
 * The error for a reply of Connect (docs/service.md, "Errors"). Where there is no `error_code`, the service's message
 * decides, but is not passed on; messages about fields are, without the values that were sent.
 */
export function toConnectError(reply: HttpReply, refused: Refused): DeskError {
  const body = readError(reply);
  const { status } = reply;
  const code = chooseCode(status, body, refused);
  if (code === null) return toServiceError(reply);
  const fields = Object.entries(body.fields).slice(0, maxFields);
  return new DeskError(code, {
    requestId: readRequestId(reply),
    details: {
      status,
      ...(body.errorCode === null ? {} : { errorCode: body.errorCode }),
      ...Object.fromEntries(
        fields.map(([name, sentence]) => [`field.${name}`, withoutValues(sentence, refused.sentValues)]),
      ),
    },
  });
}

function chooseCode(status: number, body: ErrorBody, refused: Refused): ErrorCode | null {
  switch (status) {
    case 400:
      return /tenant/i.test(body.message) ? 'connect.tenantNeeded' : 'connect.badRequest';
    case 401:
      return refused.isMint ? 'connect.secretRefused' : 'connect.tokenInactive';
    case 403:
      return chooseForbidden(body, refused);
    case 404:
      return 'connect.notFound';
    case 422:
      return isAboutAccessToken(body) ? 'connect.accessTokenRefused' : 'connect.invalid';
    default:
      return null;
  }
}

/** Chooses the error for a status with several reasons: by `error_code`, then by the message (one is published). */
function chooseForbidden({ message, errorCode }: ErrorBody, { hasConsents }: Refused): ErrorCode {
  if (errorCode === 'origin_not_allowed') return 'connect.originRefused';
  if (message.trim() === emptyUserMessage) return 'connect.memberMissing';
  if (hasConsents && /username/i.test(message)) return 'connect.usernameTaken';
  if (hasConsents && /accept|terms|consent|allowed this tenant/i.test(message))
    return 'connect.termsNotAccepted';
  if (/\bfor this tenant\b/i.test(message)) return 'connect.forbidden';
  if (/member|user|email|bootstrap/i.test(message)) return 'connect.memberUnknown';
  return 'connect.forbidden';
}

/** Removes values that were sent from a message, because it is shown next to the field and may be copied. */
function withoutValues(sentence: string, sent: readonly string[]): string {
  let clean = sentence;
  for (const value of [...sent].sort((a, b) => b.length - a.length)) {
    if (value.length >= 3) clean = clean.replaceAll(value, '…');
  }
  return clean.slice(0, maxSentence);
}

function readError(reply: HttpReply) {
  const body = readBody(reply, 100_000);
  const { message } = body;
  return {
    message: typeof message === 'string' ? message : '',
    errorCode: readErrorCode(body),
    fields: readFields(body),
  };
}

/** The shape of a 422's details is not published: `{field: sentence}` or `{field: [sentence]}`, under one of these. */
function readFields(body: Readonly<Record<string, unknown>>): Record<string, string> {
  const given = [body.errors, body.details, body.fields].find(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  );
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(given ?? {})) {
    const sentences = (Array.isArray(value) ? value : [value]).filter(
      (sentence) => typeof sentence === 'string',
    );
    if (/^[\w.$-]{1,100}$/.test(name) && sentences.length > 0) fields[name] = sentences.join('; ');
  }
  return fields;
}
