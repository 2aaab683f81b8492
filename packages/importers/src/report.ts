/** A problem in a file, with its line if known. */
export interface Finding {
  readonly file: string
  readonly line: number | null
  readonly text: string
}

export interface Report {
  /** Problems that prevent the course from being stored. */
  readonly errors: Finding[]
  /** Content that was omitted or converted. */
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

/** `quiz.gift:12: …`, the format of compilers. */
export const findingLine = ({ file, line, text }: Finding): string => `${file}${line === null ? '' : `:${line}`}: ${text}`
