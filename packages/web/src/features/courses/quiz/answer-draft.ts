/** Answers of an attempt in progress, stored on this device so that a reload loses nothing. */
export type DraftAnswers = Readonly<Record<string, string | readonly string[]>>

interface SavedAnswers {
  readonly attempt: number
  readonly given: DraftAnswers
}

const keyOf = (userId: number, lessonId: number) => `quiz-${userId}-${lessonId}`

const isSavedAnswers = (value: unknown): value is SavedAnswers =>
  typeof value === 'object' &&
  value !== null &&
  'attempt' in value &&
  'given' in value &&
  typeof value.given === 'object' &&
  value.given !== null

export const loadAnswers = (userId: number, lessonId: number): SavedAnswers | null => {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(keyOf(userId, lessonId)) ?? 'null')
    return isSavedAnswers(value) ? value : null
  } catch {
    return null
  }
}

export const saveAnswers = (userId: number, lessonId: number, answers: SavedAnswers): void =>
  localStorage.setItem(keyOf(userId, lessonId), JSON.stringify(answers))

export const clearAnswers = (userId: number, lessonId: number): void => localStorage.removeItem(keyOf(userId, lessonId))
