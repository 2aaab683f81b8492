/** Console errors of a window, except for the response statuses a journey provoked. */
export const unexpectedErrors = (consoleErrors: readonly string[], ...statuses: readonly number[]): readonly string[] =>
  consoleErrors.filter((text) => !statuses.some((status) => text.includes(`status of ${status} `)))
