export { eraseAttempts, submitAttempt } from './attempts.ts'
export { copyQuiz, saveQuiz } from './save.ts'
export { canBeTaken, shownQuiz } from './shown-quiz.ts'
