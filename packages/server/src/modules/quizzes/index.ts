export { canBeTaken, shownQuiz } from './access.ts'
export { eraseAttempts, submitAttempt } from './attempts.ts'
export { copyQuiz, saveQuiz } from './save.ts'
