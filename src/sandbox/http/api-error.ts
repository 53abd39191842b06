/** An error as the service answers it. Interface document, "Errors". */
export class ApiError extends Error {
  readonly status: number;
  readonly errorCode: string | undefined;

  constructor(status: number, message: string, errorCode?: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.errorCode = errorCode;
  }
}

/** The JSON body of an error: a `message` and, sometimes, a stable `error_code`; `event_id` for server faults. */
export function errorBody(
  message: string,
  extra: { errorCode?: string | undefined; eventId?: string } = {},
): string {
  return JSON.stringify({
    message,
    ...(extra.errorCode === undefined ? {} : { error_code: extra.errorCode }),
    ...(extra.eventId === undefined ? {} : { event_id: extra.eventId }),
  });
}
