/** A path or its part without percent-encoding; a malformed one stays as it is. */
export const decodePath = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
