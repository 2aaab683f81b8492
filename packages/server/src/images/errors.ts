/** The file is not an image, is broken, exceeds a limit, or could not be converted in time. */
export class BadImage extends Error {
  override readonly name = 'BadImage'
}
