/** One thing that a person should look at: in which file, and on which line where that is known. */
export interface Finding {
  readonly file: string
  readonly line: number | null
  readonly text: string
}

export interface Report {
  /** What could not be read: nothing is stored while there is one. */
  readonly errors: Finding[]
  /** What was read, but not quite as it stands. */
  readonly notes: Finding[]
  error(file: string, line: number | null, text: string): void
  note(file: string, line: number | null, text: string): void
}

export const createReport = (): Report => {
  const errors: Finding[] = []
  const notes: Finding[] = []
  return {
    errors,
    notes,
    error: (file, line, text) => {
      errors.push({ file, line, text })
    },
    note: (file, line, text) => {
      notes.push({ file, line, text })
    },
  }
}

/** `quiz.gift:12: …`, as compilers say it. */
export const findingLine = ({ file, line, text }: Finding): string => `${file}${line === null ? '' : `:${line}`}: ${text}`
