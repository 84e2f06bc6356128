/** @file Error responses with the status codes and bodies of gitlab-facts 1. Handlers throw them. */

export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;

  constructor(status: number, body: unknown, headers: Record<string, string> = {}) {
    super(`${status}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** `{"message": …}`: helper errors and model validation. */
export function messageError(status: number, message: unknown): ApiError {
  return new ApiError(status, { message });
}

/** `{"error": …}`: parameter validation, unknown routes, pagination. */
export function parameterError(status: number, error: string): ApiError {
  return new ApiError(status, { error });
}

export function notFound(thing: string): ApiError {
  return messageError(404, `404 ${thing} Not Found`);
}

/** `{"error", "error_description"}`: problems with a token. */
export function tokenError(status: number, error: string, description: string, scope?: string): ApiError {
  const body = { error, error_description: description };
  return new ApiError(status, scope === undefined ? body : { ...body, scope });
}
