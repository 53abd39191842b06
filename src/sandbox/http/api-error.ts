/** The errors of each field of a request, as sentences without the field's name. */
type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** An error as the service returns it. docs/service.md, "Errors". */
export class ApiError extends Error {
  readonly status: number;
  readonly errorCode: string | undefined;
  readonly fields: FieldErrors | undefined;

  constructor(status: number, message: string, errorCode?: string, fields?: FieldErrors) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.errorCode = errorCode;
    this.fields = fields;
  }
}

/**
 * Returns the JSON body of an error: a `message` and sometimes a stable `error_code`; `event_id` for server faults;
 * `errors` with the details per field of a 422 (docs/service.md, "Connect calls").
 */
export const errorBody = (
  message: string,
  extra: { errorCode?: string | undefined; eventId?: string; fields?: FieldErrors | undefined } = {},
): string =>
  JSON.stringify({
    message,
    ...(extra.errorCode === undefined ? {} : { error_code: extra.errorCode }),
    ...(extra.eventId === undefined ? {} : { event_id: extra.eventId }),
    ...(extra.fields === undefined ? {} : { errors: extra.fields }),
  });
