/** Console errors of a window, except for the response statuses a journey provoked. */
export const unexpectedErrors = (complaints: readonly string[], ...statuses: readonly number[]): readonly string[] =>
  complaints.filter((text) => !statuses.some((status) => text.includes(`status of ${status} `)))
