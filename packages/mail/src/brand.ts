/** The community that sends the mail: name, URL and main color (#rrggbb). */
export interface Brand {
  readonly name: string
  readonly url: string
  readonly color: string
  /** Plain text at the end of every mail. */
  readonly footer?: string
}
